#include <cstring>
#include <numeric>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

class MemoryTest : public DriverTest {
protected:
    // Of the device's own memory; null where it could not be made.
    CUmemoryPool new_pool() {
        CUmemPoolProps properties{};
        properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        properties.location.id = device;
        CUmemoryPool pool = nullptr;
        EXPECT_OK(cu().cuMemPoolCreate(&pool, &properties));
        return pool;
    }
};

std::vector<unsigned> counting(size_t count) {
    std::vector<unsigned> values(count);
    std::iota(values.begin(), values.end(), 1u);
    return values;
}

TEST_F(MemoryTest, BytesComeBackAsTheyWereCopiedIn) {
    const std::vector<unsigned> values = counting(100000);
    const CUdeviceptr pointer = upload(values);
    EXPECT_EQ(download<unsigned>(pointer, values.size()), values);
}

TEST_F(MemoryTest, PointersAreAligned) {
    for (const size_t bytes : {1u, 3u, 255u, 257u, 100000u}) {
        EXPECT_EQ(allocate(bytes) % 256, 0u) << bytes;
    }
}

TEST_F(MemoryTest, ZeroBytesCannotBeAllocated) {
    CUdeviceptr pointer = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemAlloc(&pointer, 0));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemAlloc(nullptr, 16));
}

TEST_F(MemoryTest, MoreThanThereIsCannotBeAllocated) {
    CUdeviceptr pointer = 0;
    EXPECT_CU(CUDA_ERROR_OUT_OF_MEMORY, cu().cuMemAlloc(&pointer, size_t{1} << 45));
    // And the context is still usable.
    allocate(64);
}

TEST_F(MemoryTest, FreeingNullIsNothing) {
    EXPECT_OK(cu().cuMemFree(0));
}

TEST_F(MemoryTest, MemoryIsFreedOnce) {
    CUdeviceptr pointer = 0;
    ASSERT_OK(cu().cuMemAlloc(&pointer, 4096));
    EXPECT_OK(cu().cuMemFree(pointer));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemFree(pointer));
}

TEST_F(MemoryTest, MemoryIsFreedByItsBeginning) {
    const CUdeviceptr pointer = allocate(4096);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemFree(pointer + 256));
    int host = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemFree(reinterpret_cast<CUdeviceptr>(&host)));
}

TEST_F(MemoryTest, FreeMemoryShrinksAndGrows) {
    size_t before = 0, during = 0, total = 0;
    ASSERT_OK(cu().cuMemGetInfo(&before, &total));
    EXPECT_LE(before, total);
    CUdeviceptr pointer = 0;
    ASSERT_OK(cu().cuMemAlloc(&pointer, 64 << 20));
    ASSERT_OK(cu().cuMemGetInfo(&during, &total));
    EXPECT_LE(during + (64 << 20), before);
    EXPECT_OK(cu().cuMemFree(pointer));
}

TEST_F(MemoryTest, AddressesKnowTheirAllocation) {
    const CUdeviceptr pointer = allocate(5000);
    CUdeviceptr base = 0;
    size_t size = 0;
    ASSERT_OK(cu().cuMemGetAddressRange(&base, &size, pointer + 1234));
    EXPECT_EQ(base, pointer);
    EXPECT_GE(size, 5000u);
    int host = 0;
    EXPECT_CU(CUDA_ERROR_NOT_FOUND, cu().cuMemGetAddressRange(&base, &size, reinterpret_cast<CUdeviceptr>(&host)));
}

TEST_F(MemoryTest, FillsWriteTheirPattern) {
    const CUdeviceptr pointer = allocate(64);
    ASSERT_OK(cu().cuMemsetD32(pointer, 0x01020304, 16));
    EXPECT_EQ(download<unsigned>(pointer, 16), std::vector<unsigned>(16, 0x01020304));
    ASSERT_OK(cu().cuMemsetD16(pointer, 0xABCD, 3));
    EXPECT_EQ(download<unsigned>(pointer, 2), (std::vector<unsigned>{0xABCDABCD, 0x0102ABCD}));
    ASSERT_OK(cu().cuMemsetD8(pointer, 0x55, 5));
    EXPECT_EQ(download<unsigned>(pointer, 2), (std::vector<unsigned>{0x55555555, 0x0102AB55}));
}

TEST_F(MemoryTest, FillsAreAlignedToTheirPattern) {
    const CUdeviceptr pointer = allocate(64);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemsetD32(pointer + 2, 0, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemsetD16(pointer + 1, 0, 1));
}

TEST_F(MemoryTest, PitchedRowsAreFilledAndCopied) {
    CUdeviceptr pointer = 0;
    size_t pitch = 0;
    ASSERT_OK(cu().cuMemAllocPitch(&pointer, &pitch, 40, 5, 4));
    EXPECT_GE(pitch, 40u);
    EXPECT_EQ(pitch % 16, 0u);
    ASSERT_OK(cu().cuMemsetD2D32(pointer, pitch, 9, 10, 5));
    std::vector<unsigned> values(5 * 12, 1);
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = pointer;
    copy.srcPitch = pitch;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = values.data();
    copy.dstPitch = 12 * sizeof(unsigned);
    copy.WidthInBytes = 40;
    copy.Height = 5;
    ASSERT_OK(cu().cuMemcpy2D(&copy));
    for (size_t index = 0; index < values.size(); ++index) {
        EXPECT_EQ(values[index], index % 12 < 10 ? 9u : 1u) << index;
    }
    EXPECT_OK(cu().cuMemFree(pointer));
}

TEST_F(MemoryTest, RowsDoNotFitASmallerPitch) {
    const CUdeviceptr pointer = allocate(4096);
    std::vector<char> host(4096);
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = host.data();
    copy.srcPitch = 64;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = pointer;
    copy.dstPitch = 32;
    copy.WidthInBytes = 64;
    copy.Height = 2;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpy2D(&copy));
}

TEST_F(MemoryTest, BoxesAreCopied) {
    // A box of 2 x 3 x 2 words out of 4 x 4 x 4, at (1, 1, 1).
    const std::vector<unsigned> values = counting(64);
    const CUdeviceptr pointer = upload(values);
    std::vector<unsigned> box(12);
    CUDA_MEMCPY3D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = pointer;
    copy.srcPitch = 16;
    copy.srcHeight = 4;
    copy.srcXInBytes = 4;
    copy.srcY = 1;
    copy.srcZ = 1;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = box.data();
    copy.dstPitch = 8;
    copy.dstHeight = 3;
    copy.WidthInBytes = 8;
    copy.Height = 3;
    copy.Depth = 2;
    ASSERT_OK(cu().cuMemcpy3D(&copy));
    size_t index = 0;
    for (size_t z = 1; z < 3; ++z) {
        for (size_t y = 1; y < 4; ++y) {
            for (size_t x = 1; x < 3; ++x) {
                EXPECT_EQ(box[index++], values[(z * 4 + y) * 4 + x]);
            }
        }
    }
}

TEST_F(MemoryTest, CopiesOfNothingAreFine) {
    const CUdeviceptr pointer = allocate(16);
    EXPECT_OK(cu().cuMemcpyHtoD(pointer, nullptr, 0));
    EXPECT_OK(cu().cuMemcpyDtoH(nullptr, pointer, 0));
    EXPECT_OK(cu().cuMemsetD8(pointer, 0, 0));
}

TEST_F(MemoryTest, CopiesGoBetweenDevicePointers) {
    const std::vector<unsigned> values = counting(1000);
    const CUdeviceptr from = upload(values);
    const CUdeviceptr to = allocate(4000);
    ASSERT_OK(cu().cuMemcpyDtoD(to, from, 4000));
    EXPECT_EQ(download<unsigned>(to, 1000), values);
}

TEST_F(MemoryTest, TheGenericCopyTellsHostFromDevice) {
    const std::vector<unsigned> values = counting(10);
    const CUdeviceptr pointer = allocate(40);
    std::vector<unsigned> back(10);
    ASSERT_OK(cu().cuMemcpy(pointer, reinterpret_cast<CUdeviceptr>(values.data()), 40));
    ASSERT_OK(cu().cuMemcpy(reinterpret_cast<CUdeviceptr>(back.data()), pointer, 40));
    EXPECT_EQ(back, values);
}

TEST_F(MemoryTest, CopiesMustStayInTheirAllocation) {
    // As large as a GPU's own granularity, so that nothing else can follow in the same pages.
    const size_t bytes = 32 << 20;
    const CUdeviceptr pointer = allocate(bytes);
    std::vector<char> host(bytes + 4096);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyHtoD(pointer, host.data(), bytes + 4096));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyDtoH(host.data(), pointer + bytes - 16, 4096));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyHtoD(0, host.data(), 16));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyHtoD(reinterpret_cast<CUdeviceptr>(host.data()), host.data(), 16));
}

TEST_F(MemoryTest, PinnedMemoryIsSeenByHostAndKernels) {
    void* memory = nullptr;
    ASSERT_OK(cu().cuMemAllocHost(&memory, 400));
    auto* words = static_cast<unsigned*>(memory);
    CUdeviceptr pointer = 0;
    ASSERT_OK(cu().cuMemHostGetDevicePointer(&pointer, memory, 0));
    unsigned value = 77, n = 100;
    ASSERT_OK(launch(function("fill"), 1, 128, nullptr, {&pointer, &value, &n}));
    ASSERT_OK(cu().cuCtxSynchronize());
    for (unsigned index = 0; index < n; ++index) {
        EXPECT_EQ(words[index], 77u);
    }
    EXPECT_OK(cu().cuMemFreeHost(memory));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemFreeHost(memory));
}

TEST_F(MemoryTest, PinnedMemoryHasFlags) {
    void* memory = nullptr;
    ASSERT_OK(cu().cuMemHostAlloc(&memory, 64, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
    unsigned int flags = 0;
    EXPECT_OK(cu().cuMemHostGetFlags(&flags, memory));
    EXPECT_EQ(flags & CU_MEMHOSTALLOC_PORTABLE, static_cast<unsigned int>(CU_MEMHOSTALLOC_PORTABLE));
    EXPECT_OK(cu().cuMemFreeHost(memory));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemHostAlloc(&memory, 64, 0x1000));
}

TEST_F(MemoryTest, MorePinnedMemoryThanThereIsIsRefused) {
    for (const size_t bytes : {size_t{1} << 50, size_t{1} << 60, SIZE_MAX}) {
        void* memory = nullptr;
        EXPECT_NE(cu().cuMemHostAlloc(&memory, bytes, 0), CUDA_SUCCESS) << bytes;
        EXPECT_EQ(memory, nullptr);
    }
}

TEST_F(MemoryTest, RegisteredMemoryIsSeenByKernels) {
    std::vector<unsigned> words(4096);
    ASSERT_OK(cu().cuMemHostRegister(words.data(), words.size() * 4, CU_MEMHOSTREGISTER_DEVICEMAP));
    EXPECT_CU(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
              cu().cuMemHostRegister(words.data(), words.size() * 4, CU_MEMHOSTREGISTER_DEVICEMAP));
    CUdeviceptr pointer = 0;
    ASSERT_OK(cu().cuMemHostGetDevicePointer(&pointer, words.data(), 0));
    unsigned value = 5, n = 4096;
    ASSERT_OK(launch(function("fill"), 32, 128, nullptr, {&pointer, &value, &n}));
    ASSERT_OK(cu().cuCtxSynchronize());
    EXPECT_EQ(words, std::vector<unsigned>(4096, 5));
    EXPECT_OK(cu().cuMemHostUnregister(words.data()));
    EXPECT_CU(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cu().cuMemHostUnregister(words.data()));
}

TEST_F(MemoryTest, ManagedMemoryIsSeenByHostAndKernels) {
    CUdeviceptr pointer = 0;
    ASSERT_OK(cu().cuMemAllocManaged(&pointer, 400, CU_MEM_ATTACH_GLOBAL));
    auto* words = reinterpret_cast<unsigned*>(pointer);
    for (unsigned index = 0; index < 100; ++index) {
        words[index] = index;
    }
    unsigned n = 100;
    ASSERT_OK(launch(function("increment"), 1, 128, nullptr, {&pointer, &n}));
    ASSERT_OK(cu().cuCtxSynchronize());
    for (unsigned index = 0; index < 100; ++index) {
        EXPECT_EQ(words[index], index + 1);
    }
    EXPECT_OK(cu().cuMemFree(pointer));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemAllocManaged(&pointer, 400, 0));
}

TEST_F(MemoryTest, PointersSayWhatTheyAre) {
    const CUdeviceptr pointer = allocate(1000);
    unsigned int type = 0, managed = 7;
    int ordinal = -1;
    CUcontext owner = nullptr;
    CUdeviceptr start = 0;
    EXPECT_OK(cu().cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer + 10));
    EXPECT_EQ(type, static_cast<unsigned int>(CU_MEMORYTYPE_DEVICE));
    EXPECT_OK(cu().cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, pointer));
    EXPECT_EQ(managed & 0xFF, 0u);
    EXPECT_OK(cu().cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, pointer));
    EXPECT_EQ(ordinal, 0);
    EXPECT_OK(cu().cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, pointer));
    EXPECT_EQ(owner, context);
    EXPECT_OK(cu().cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, pointer + 10));
    EXPECT_EQ(start, pointer);
    void* host = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, pointer));
    int local = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                                                   reinterpret_cast<CUdeviceptr>(&local)));
}

TEST_F(MemoryTest, PointersCanBeToldToSynchronise) {
    const CUdeviceptr pointer = allocate(64);
    unsigned int set = 1;
    ASSERT_OK(cu().cuPointerSetAttribute(&set, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, pointer));
    unsigned int found = 0;
    ASSERT_OK(cu().cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, pointer));
    EXPECT_EQ(found, 1u);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuPointerSetAttribute(&set, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuPointerSetAttribute(&set, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, 16));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuPointerSetAttribute(nullptr, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, pointer));
}

TEST_F(MemoryTest, SeveralAttributesAreReadAtOnce) {
    const CUdeviceptr pointer = allocate(1000);
    unsigned int type = 0;
    CUcontext owner = nullptr;
    CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_CONTEXT};
    void* values[] = {&type, &owner};
    EXPECT_OK(cu().cuPointerGetAttributes(2, attributes, values, pointer));
    EXPECT_EQ(type, static_cast<unsigned int>(CU_MEMORYTYPE_DEVICE));
    EXPECT_EQ(owner, context);
    // A pointer that the driver does not know has none of them, which is no error here.
    int local = 0;
    EXPECT_OK(cu().cuPointerGetAttributes(2, attributes, values, reinterpret_cast<CUdeviceptr>(&local)));
    EXPECT_EQ(type, 0u);
    EXPECT_EQ(owner, nullptr);
}

// Stream-ordered memory.

TEST_F(MemoryTest, StreamOrderedMemoryIsThereInStreamOrder) {
    const CUstream stream = new_stream();
    CUdeviceptr pointer = 0;
    unsigned value = 3, n = 1000;
    ASSERT_OK(cu().cuMemAllocAsync(&pointer, 4000, stream));
    ASSERT_OK(launch(function("fill"), 8, 128, stream, {&pointer, &value, &n}));
    std::vector<unsigned> words(1000);
    ASSERT_OK(cu().cuMemcpyDtoHAsync(words.data(), pointer, 4000, stream));
    ASSERT_OK(cu().cuMemFreeAsync(pointer, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(words, std::vector<unsigned>(1000, 3));
}

TEST_F(MemoryTest, StreamOrderedMemoryIsFreedOnce) {
    const CUstream stream = new_stream();
    CUdeviceptr pointer = 0;
    ASSERT_OK(cu().cuMemAllocAsync(&pointer, 4000, stream));
    EXPECT_OK(cu().cuMemFreeAsync(pointer, stream));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemFreeAsync(pointer, stream));
    EXPECT_OK(cu().cuStreamSynchronize(stream));
}

TEST_F(MemoryTest, StreamOrderedMemoryOfNoBytesIsTheNullPointer) {
    const CUstream stream = new_stream();
    CUdeviceptr pointer = 1;
    EXPECT_OK(cu().cuMemAllocAsync(&pointer, 0, stream));
    EXPECT_EQ(pointer, 0u);
    EXPECT_OK(cu().cuMemFreeAsync(pointer, stream));
}

TEST_F(MemoryTest, StreamOrderedMemoryMayBeFreedAtOnce) {
    const CUstream stream = new_stream();
    CUdeviceptr pointer = 0;
    ASSERT_OK(cu().cuMemAllocAsync(&pointer, 4000, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_OK(cu().cuMemFree(pointer));
}

TEST_F(MemoryTest, PoolsCountWhatIsUsed) {
    const CUmemoryPool pool = new_pool();
    ASSERT_NE(pool, nullptr);
    const auto used = [&](CUmemPool_attribute attribute) {
        cuuint64_t bytes = 1;
        EXPECT_OK(cu().cuMemPoolGetAttribute(pool, attribute, &bytes));
        return bytes;
    };
    EXPECT_EQ(used(CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0u);
    EXPECT_EQ(used(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD), 0u);
    const CUstream stream = new_stream();
    CUdeviceptr pointer = 0;
    ASSERT_OK(cu().cuMemAllocFromPoolAsync(&pointer, 1 << 20, pool, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_GE(used(CU_MEMPOOL_ATTR_USED_MEM_CURRENT), cuuint64_t{1} << 20);
    EXPECT_GE(used(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), used(CU_MEMPOOL_ATTR_USED_MEM_CURRENT));
    ASSERT_OK(cu().cuMemFreeAsync(pointer, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(used(CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0u);
    EXPECT_GE(used(CU_MEMPOOL_ATTR_USED_MEM_HIGH), cuuint64_t{1} << 20);
    cuuint64_t zero = 0, one = 1;
    EXPECT_OK(cu().cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &zero));
    EXPECT_EQ(used(CU_MEMPOOL_ATTR_USED_MEM_HIGH), 0u);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &one));
    EXPECT_OK(cu().cuMemPoolTrimTo(pool, 0));
    EXPECT_EQ(used(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 0u);
    EXPECT_OK(cu().cuMemPoolDestroy(pool));
}

TEST_F(MemoryTest, APoolKeepsItsPolicies) {
    const CUmemoryPool pool = new_pool();
    ASSERT_NE(pool, nullptr);
    const CUmemPool_attribute policies[] = {CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES,
                                            CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC,
                                            CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES};
    const auto allowed = [&](CUmemPool_attribute policy) {
        int value = -1;
        EXPECT_OK(cu().cuMemPoolGetAttribute(pool, policy, &value));
        return value;
    };
    for (const CUmemPool_attribute policy : policies)
        EXPECT_EQ(allowed(policy), 1) << policy;
    int none = 0;
    for (const CUmemPool_attribute policy : policies) {
        EXPECT_OK(cu().cuMemPoolSetAttribute(pool, policy, &none));
        EXPECT_EQ(allowed(policy), 0) << policy;
    }
    cuuint64_t threshold = 12345678, kept = 0;
    EXPECT_OK(cu().cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    EXPECT_OK(cu().cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &kept));
    EXPECT_EQ(kept, threshold);
    EXPECT_OK(cu().cuMemPoolDestroy(pool));
}

TEST_F(MemoryTest, ALocationsPoolCanBeReplaced) {
    CUmemLocation here{CU_MEM_LOCATION_TYPE_DEVICE, device}, host{CU_MEM_LOCATION_TYPE_HOST, 0};
    CUmemoryPool initial = nullptr, current = nullptr;
    ASSERT_OK(cu().cuMemGetMemPool(&initial, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
    const CUmemoryPool own = new_pool();
    ASSERT_NE(own, nullptr);
    ASSERT_OK(cu().cuMemSetMemPool(&here, CU_MEM_ALLOCATION_TYPE_PINNED, own));
    EXPECT_OK(cu().cuMemGetMemPool(&current, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
    EXPECT_EQ(current, own);
    EXPECT_OK(cu().cuDeviceGetMemPool(&current, device));
    EXPECT_EQ(current, own);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemSetMemPool(&host, CU_MEM_ALLOCATION_TYPE_PINNED, own));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemSetMemPool(nullptr, CU_MEM_ALLOCATION_TYPE_PINNED, own));
    EXPECT_OK(cu().cuMemSetMemPool(&here, CU_MEM_ALLOCATION_TYPE_PINNED, initial));
    EXPECT_OK(cu().cuMemPoolDestroy(own));
}

TEST_F(MemoryTest, ADevicesPoolCanBeReplaced) {
    CUmemoryPool initial = nullptr, current = nullptr;
    ASSERT_OK(cu().cuDeviceGetDefaultMemPool(&initial, device));
    const CUmemoryPool own = new_pool();
    ASSERT_NE(own, nullptr);
    EXPECT_OK(cu().cuDeviceSetMemPool(device, own));
    EXPECT_OK(cu().cuDeviceGetMemPool(&current, device));
    EXPECT_EQ(current, own);
    EXPECT_OK(cu().cuDeviceSetMemPool(device, initial));
    EXPECT_OK(cu().cuMemPoolDestroy(own));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemPoolDestroy(initial));
}

}  // namespace
}  // namespace cuprum::test
