// Memory of all kinds, and copies and fills of all shapes.
#include <algorithm>
#include <cstdint>
#include <numeric>

#include "fixture.hpp"

namespace cuprum::bindings::test {
namespace {

class Memory : public WithContext {
protected:
    void SetUp() override {
        WithContext::SetUp();
        std::iota(numbers.begin(), numbers.end(), 1u);
        ASSERT_OK(driver::cuMemAlloc(&memory, bytes));
        ASSERT_OK(driver::cuMemcpyHtoD(memory, numbers.data(), bytes));
    }
    void TearDown() override {
        EXPECT_OK(driver::cuMemFree(memory));
        WithContext::TearDown();
    }

    std::vector<std::uint32_t> numbers = std::vector<std::uint32_t>(256);
    std::size_t bytes = numbers.size() * sizeof numbers[0];
    CUdeviceptr memory = 0;
};

TEST_F(Memory, CopiesThereAndBack) {
    const Shows shows{"cuMemAlloc", "cuMemFree", "cuMemcpyHtoD", "cuMemcpyDtoH", "cuMemcpyDtoD"};
    EXPECT_OK(driver::cuMemcpyHtoD(memory + 8, numbers.data(), 4));
    numbers[2] = numbers[0];
    EXPECT_EQ(download<std::uint32_t>(memory, 256), numbers);
    CUdeviceptr other = 0;
    ASSERT_OK(driver::cuMemAlloc(&other, bytes));
    EXPECT_OK(driver::cuMemcpyDtoD(other, memory, bytes));
    EXPECT_EQ(download<std::uint32_t>(other, 256), numbers);
    EXPECT_OK(driver::cuMemsetD32(other, 0, 256));
    EXPECT_OK(driver::cuMemcpy(other, memory, bytes));
    EXPECT_EQ(download<std::uint32_t>(other, 256), numbers);
    EXPECT_OK(driver::cuMemFree(other));
    EXPECT_EQ(driver::cuMemFree(other), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Memory, FillsWithOneTwoAndFourBytes) {
    const Shows shows{"cuMemsetD8"};
    EXPECT_OK(driver::cuMemsetD8(memory, 0xAB, bytes));
    EXPECT_EQ(download<std::uint32_t>(memory, 1)[0], 0xABABABABu);
    EXPECT_OK(driver::cuMemsetD16(memory, 0x1234, bytes / 2));
    EXPECT_EQ(download<std::uint32_t>(memory, 256)[255], 0x12341234u);
    EXPECT_OK(driver::cuMemsetD32(memory, 0xFFFFFFFE, 256));
    EXPECT_EQ(download<std::uint32_t>(memory, 256)[128], 0xFFFFFFFEu);
    EXPECT_OK(driver::cuMemsetD2D32(memory, 64, 7, 4, 16));
    EXPECT_EQ(download<std::uint32_t>(memory, 256)[3], 7u);
    EXPECT_EQ(download<std::uint32_t>(memory, 256)[4], 0xFFFFFFFEu);
}

TEST_F(Memory, CopiesRectanglesAndBoxes) {
    CUdeviceptr pitched = 0;
    std::size_t pitch = 0;
    ASSERT_OK(driver::cuMemAllocPitch(&pitched, &pitch, 64, 16, 4));
    EXPECT_GE(pitch, 64u);
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = numbers.data();
    copy.srcPitch = 64;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = pitched;
    copy.dstPitch = pitch;
    copy.WidthInBytes = 64;
    copy.Height = 16;
    ASSERT_OK(driver::cuMemcpy2D(&copy));
    EXPECT_EQ(download<std::uint32_t>(pitched + 15 * pitch, 16)[0], numbers[15 * 16]);
    std::vector<std::uint32_t> back(256);
    CUDA_MEMCPY3D box{};
    box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    box.srcDevice = pitched;
    box.srcPitch = pitch;
    box.srcHeight = 4;
    box.dstMemoryType = CU_MEMORYTYPE_HOST;
    box.dstHost = back.data();
    box.dstPitch = 64;
    box.dstHeight = 4;
    box.WidthInBytes = 64;
    box.Height = 4;
    box.Depth = 4;
    ASSERT_OK(driver::cuMemcpy3D(&box));
    EXPECT_EQ(back, numbers);
    EXPECT_OK(driver::cuMemFree(pitched));
}

TEST_F(Memory, KnowsAddresses) {
    const Shows shows{"cuPointerGetAttribute", "cuMemGetInfo"};
    CUdeviceptr base = 0;
    std::size_t size = 0;
    ASSERT_OK(driver::cuMemGetAddressRange(&base, &size, memory + 100));
    EXPECT_EQ(base, memory);
    EXPECT_GE(size, bytes);
    CUmemorytype type{};
    ASSERT_OK(driver::cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
    EXPECT_EQ(type, CU_MEMORYTYPE_DEVICE);
    std::size_t available = 0;
    std::size_t total = 0;
    ASSERT_OK(driver::cuMemGetInfo(&available, &total));
    EXPECT_LT(available, total);
}

TEST_F(Memory, PageLockedHostMemoryHasAnAddressOnTheDevice) {
    const Shows shows{"cuMemHostAlloc",    "cuMemAllocHost",     "cuMemFreeHost", "cuMemHostGetDevicePointer",
                      "cuMemHostRegister", "cuMemHostUnregister"};
    void* host = nullptr;
    ASSERT_OK(driver::cuMemHostAlloc(&host, bytes, CU_MEMHOSTALLOC_DEVICEMAP));
    CUdeviceptr on_device = 0;
    EXPECT_OK(driver::cuMemHostGetDevicePointer(&on_device, host, 0));
    EXPECT_OK(driver::cuMemsetD32(on_device, 5, 1));
    EXPECT_OK(driver::cuCtxSynchronize());
    EXPECT_EQ(*static_cast<std::uint32_t*>(host), 5u);
    unsigned int flags = 0;
    EXPECT_OK(driver::cuMemHostGetFlags(&flags, host));
    EXPECT_EQ(flags & CU_MEMHOSTALLOC_DEVICEMAP, CU_MEMHOSTALLOC_DEVICEMAP);
    EXPECT_OK(driver::cuMemFreeHost(host));
    EXPECT_NE(driver::cuMemHostGetFlags(&flags, host), CUDA_SUCCESS);
    ASSERT_OK(driver::cuMemAllocHost(&host, 64));
    *static_cast<std::uint32_t*>(host) = 17;
    EXPECT_OK(driver::cuMemcpyHtoD(memory, host, 4));
    EXPECT_EQ(download<std::uint32_t>(memory, 1)[0], 17u);
    EXPECT_OK(driver::cuMemFreeHost(host));
    alignas(4096) static unsigned char existing[8192];
    ASSERT_OK(driver::cuMemHostRegister(existing, sizeof existing, CU_MEMHOSTREGISTER_DEVICEMAP));
    EXPECT_OK(driver::cuMemHostGetDevicePointer(&on_device, existing, 0));
    EXPECT_OK(driver::cuMemsetD8(on_device, 6, sizeof existing));
    EXPECT_OK(driver::cuCtxSynchronize());
    EXPECT_EQ(existing[8191], 6);
    EXPECT_EQ(driver::cuMemHostRegister(existing, sizeof existing, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    EXPECT_OK(driver::cuMemHostUnregister(existing));
    EXPECT_EQ(driver::cuMemHostUnregister(existing), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

TEST_F(Memory, ManagedMemoryIsSeenByHostAndDevice) {
    const Shows shows{"cuMemAllocManaged"};
    CUdeviceptr managed = 0;
    ASSERT_OK(driver::cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
    EXPECT_OK(driver::cuMemsetD8(managed, 3, 64));
    EXPECT_OK(driver::cuCtxSynchronize());
    EXPECT_EQ(*reinterpret_cast<unsigned char*>(managed), 3);
    EXPECT_OK(driver::cuMemFree(managed));
}

TEST_F(Memory, StreamsAllocateCopyFillAndFreeInTheirOrder) {
    const Shows shows{"cuMemAllocAsync", "cuMemFreeAsync", "cuMemsetD8Async", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync"};
    CUstream stream = nullptr;
    ASSERT_OK(driver::cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CUdeviceptr temporary = 0;
    ASSERT_OK(driver::cuMemAllocAsync(&temporary, bytes, stream));
    std::vector<std::uint32_t> back(256);
    EXPECT_OK(driver::cuMemsetD8Async(temporary, 1, bytes, stream));
    EXPECT_OK(driver::cuMemcpyHtoDAsync(temporary, numbers.data(), bytes / 2, stream));
    EXPECT_OK(driver::cuMemcpyDtoDAsync(memory, temporary, bytes, stream));
    EXPECT_OK(driver::cuMemcpyDtoHAsync(back.data(), memory, bytes, stream));
    EXPECT_OK(driver::cuMemsetD32Async(memory, 9, 256, stream));
    EXPECT_OK(driver::cuMemFreeAsync(temporary, stream));
    EXPECT_OK(driver::cuStreamSynchronize(stream));
    EXPECT_EQ(back[127], 128u);
    EXPECT_EQ(back[128], 0x01010101u);
    EXPECT_EQ(download<std::uint32_t>(memory, 1)[0], 9u);
    EXPECT_OK(driver::cuStreamDestroy(stream));
}

TEST_F(Memory, PoolsGiveMemoryAndCountIt) {
    CUmemoryPool pool = nullptr;
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device};
    ASSERT_OK(driver::cuMemPoolCreate(&pool, &properties));
    cuuint64_t threshold = 1 << 20;
    EXPECT_OK(driver::cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    CUdeviceptr from_pool = 0;
    ASSERT_OK(driver::cuMemAllocFromPoolAsync(&from_pool, 1000, pool, nullptr));
    cuuint64_t used = 0;
    EXPECT_OK(driver::cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    EXPECT_GE(used, 1000u);
    EXPECT_OK(driver::cuMemFreeAsync(from_pool, nullptr));
    EXPECT_OK(driver::cuStreamSynchronize(nullptr));
    EXPECT_OK(driver::cuMemPoolTrimTo(pool, 0));
    EXPECT_OK(driver::cuMemPoolDestroy(pool));
    CUmemoryPool standard = nullptr;
    EXPECT_OK(driver::cuDeviceGetDefaultMemPool(&standard, device));
    EXPECT_NE(standard, nullptr);
}

}  // namespace
}  // namespace cuprum::bindings::test
