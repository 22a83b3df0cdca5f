// Virtual memory management.
#include <cstring>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

using Words = std::vector<unsigned>;

class VirtualMemoryTest : public DriverTest {
protected:
    void SetUp() override {
        DriverTest::SetUp();
        properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
        ASSERT_OK(cu().cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
        ASSERT_GT(unit, 0u);
    }
    CUdeviceptr reserve(size_t units) {
        CUdeviceptr address = 0;
        EXPECT_OK(cu().cuMemAddressReserve(&address, units * unit, 0, 0, 0));
        return address;
    }
    CUmemGenericAllocationHandle create(size_t units) {
        CUmemGenericAllocationHandle handle = 0;
        EXPECT_OK(cu().cuMemCreate(&handle, units * unit, &properties, 0));
        return handle;
    }
    void allow(CUdeviceptr address, size_t units, CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
        CUmemAccessDesc access{};
        access.location = properties.location;
        access.flags = flags;
        EXPECT_OK(cu().cuMemSetAccess(address, units * unit, &access, 1));
    }

    CUmemAllocationProp properties{};
    size_t unit = 0;
};

TEST_F(VirtualMemoryTest, MappedMemoryIsUsedLikeAnyOther) {
    CUdeviceptr address = reserve(1);
    const CUmemGenericAllocationHandle handle = create(1);
    ASSERT_OK(cu().cuMemMap(address, unit, 0, handle, 0));
    // The mapping keeps the memory.
    ASSERT_OK(cu().cuMemRelease(handle));
    allow(address, 1);
    ASSERT_OK(cu().cuMemsetD32(address, 4, 32));
    unsigned n = 32;
    ASSERT_OK(launch(function("increment"), 1, 32, nullptr, {&address, &n}));
    EXPECT_EQ(download<unsigned>(address, 32), Words(32, 5));
    ASSERT_OK(cu().cuMemUnmap(address, unit));
    ASSERT_OK(cu().cuMemAddressFree(address, unit));
}

TEST_F(VirtualMemoryTest, OneMemoryCanBeSeenAtTwoAddresses) {
    const CUdeviceptr first = reserve(1), second = reserve(1);
    const CUmemGenericAllocationHandle handle = create(1);
    for (const CUdeviceptr address : {first, second}) {
        ASSERT_OK(cu().cuMemMap(address, unit, 0, handle, 0));
        allow(address, 1);
    }
    ASSERT_OK(cu().cuMemsetD32(first, 17, 8));
    EXPECT_EQ(download<unsigned>(second, 8), Words(8, 17));
    for (const CUdeviceptr address : {first, second}) {
        ASSERT_OK(cu().cuMemUnmap(address, unit));
        ASSERT_OK(cu().cuMemAddressFree(address, unit));
    }
    ASSERT_OK(cu().cuMemRelease(handle));
}

TEST_F(VirtualMemoryTest, NeighbouringMappingsAreOneRange) {
    const CUdeviceptr address = reserve(2);
    for (size_t index = 0; index < 2; ++index) {
        const CUmemGenericAllocationHandle handle = create(1);
        ASSERT_OK(cu().cuMemMap(address + index * unit, unit, 0, handle, 0));
        ASSERT_OK(cu().cuMemRelease(handle));
    }
    allow(address, 2);
    const CUdeviceptr middle = address + unit - 64;
    ASSERT_OK(cu().cuMemsetD32(middle, 3, 32));
    EXPECT_EQ(download<unsigned>(middle, 32), Words(32, 3));
    ASSERT_OK(cu().cuMemUnmap(address, 2 * unit));
    ASSERT_OK(cu().cuMemAddressFree(address, 2 * unit));
}

TEST_F(VirtualMemoryTest, ReservationsCanGrowIntoPartByPart) {
    const CUdeviceptr address = reserve(4);
    const CUmemGenericAllocationHandle first = create(1), second = create(2);
    ASSERT_OK(cu().cuMemMap(address, unit, 0, first, 0));
    allow(address, 1);
    ASSERT_OK(cu().cuMemsetD32(address, 1, 4));
    ASSERT_OK(cu().cuMemMap(address + unit, 2 * unit, 0, second, 0));
    allow(address + unit, 2);
    ASSERT_OK(cu().cuMemsetD32(address + unit, 2, 4));
    EXPECT_EQ(download<unsigned>(address, 4), Words(4, 1)) << "what was mapped before stays";
    EXPECT_EQ(download<unsigned>(address + unit, 4), Words(4, 2));
    ASSERT_OK(cu().cuMemUnmap(address, unit));
    ASSERT_OK(cu().cuMemUnmap(address + unit, 2 * unit));
    ASSERT_OK(cu().cuMemRelease(first));
    ASSERT_OK(cu().cuMemRelease(second));
    ASSERT_OK(cu().cuMemAddressFree(address, 4 * unit));
}

TEST_F(VirtualMemoryTest, AccessIsWhatWasSet) {
    const CUdeviceptr address = reserve(1);
    const CUmemGenericAllocationHandle handle = create(1);
    ASSERT_OK(cu().cuMemMap(address, unit, 0, handle, 0));
    unsigned long long flags = 7;
    ASSERT_OK(cu().cuMemGetAccess(&flags, &properties.location, address));
    EXPECT_EQ(flags, static_cast<unsigned long long>(CU_MEM_ACCESS_FLAGS_PROT_NONE));
    unsigned word = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyDtoH(&word, address, 4));
    allow(address, 1);
    ASSERT_OK(cu().cuMemGetAccess(&flags, &properties.location, address));
    EXPECT_EQ(flags, static_cast<unsigned long long>(CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    ASSERT_OK(cu().cuMemUnmap(address, unit));
    ASSERT_OK(cu().cuMemRelease(handle));
    ASSERT_OK(cu().cuMemAddressFree(address, unit));
}

TEST_F(VirtualMemoryTest, HandlesCanBeFoundByAddress) {
    const CUdeviceptr address = reserve(1);
    const CUmemGenericAllocationHandle handle = create(1);
    ASSERT_OK(cu().cuMemMap(address, unit, 0, handle, 0));
    CUmemGenericAllocationHandle found = 0;
    ASSERT_OK(cu().cuMemRetainAllocationHandle(&found, reinterpret_cast<void*>(address + 100)));
    EXPECT_EQ(found, handle);
    ASSERT_OK(cu().cuMemRelease(found));
    CUmemAllocationProp reported{};
    ASSERT_OK(cu().cuMemGetAllocationPropertiesFromHandle(&reported, handle));
    EXPECT_EQ(reported.type, CU_MEM_ALLOCATION_TYPE_PINNED);
    EXPECT_EQ(reported.location.id, device);
    ASSERT_OK(cu().cuMemUnmap(address, unit));
    ASSERT_OK(cu().cuMemRelease(handle));
    ASSERT_OK(cu().cuMemAddressFree(address, unit));
}

TEST_F(VirtualMemoryTest, SizesAreMultiplesOfTheGranularity) {
    CUdeviceptr address = 0;
    CUmemGenericAllocationHandle handle = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemCreate(&handle, unit + 4096, &properties, 0));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemAddressReserve(&address, 0, 0, 0, 0));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemCreate(&handle, 0, &properties, 0));
}

TEST_F(VirtualMemoryTest, MappingsDoNotOverlap) {
    const CUdeviceptr address = reserve(1);
    const CUmemGenericAllocationHandle handle = create(1);
    ASSERT_OK(cu().cuMemMap(address, unit, 0, handle, 0));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemMap(address, unit, 0, handle, 0));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemAddressFree(address, unit)) << "something is mapped there";
    ASSERT_OK(cu().cuMemUnmap(address, unit));
    ASSERT_OK(cu().cuMemUnmap(address, unit)) << "nothing is mapped there";
    ASSERT_OK(cu().cuMemRelease(handle));
    ASSERT_OK(cu().cuMemAddressFree(address, unit));
}

TEST_F(VirtualMemoryTest, ItCountsAsUsedUntilItIsReleased) {
    size_t before = 0, during = 0, after = 0, total = 0;
    ASSERT_OK(cu().cuCtxSynchronize());  // what tests before this one have freed in a stream's order
    ASSERT_OK(cu().cuMemGetInfo(&before, &total));
    const CUmemGenericAllocationHandle handle = create(8);
    ASSERT_OK(cu().cuMemGetInfo(&during, &total));
    ASSERT_OK(cu().cuMemRelease(handle));
    ASSERT_OK(cu().cuMemGetInfo(&after, &total));
    EXPECT_EQ(before - during, 8 * unit);
    EXPECT_EQ(after, before);
}

TEST_F(VirtualMemoryTest, MappedMemoryIsUnmappedAndNotFreed) {
    const CUdeviceptr address = reserve(1);
    const CUmemGenericAllocationHandle handle = create(1);
    ASSERT_OK(cu().cuMemMap(address, unit, 0, handle, 0));
    allow(address, 1);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemFree(address));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemFreeAsync(address, nullptr));
    ASSERT_OK(cu().cuMemsetD32(address, 4, 4)) << "it is still there";
    ASSERT_OK(cu().cuMemUnmap(address, unit));
    ASSERT_OK(cu().cuMemRelease(handle));
    ASSERT_OK(cu().cuMemAddressFree(address, unit));
}

// Host memory: of the host as a whole, or of a NUMA node.
class HostVirtualMemoryTest : public VirtualMemoryTest, public testing::WithParamInterface<CUmemLocationType> {
protected:
    void SetUp() override {
        VirtualMemoryTest::SetUp();
        const auto attribute = GetParam() == CU_MEM_LOCATION_TYPE_HOST
                                   ? CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
                                   : CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
        int supported = 0;
        ASSERT_OK(cu().cuDeviceGetAttribute(&supported, attribute, device));
        if (supported == 0) GTEST_SKIP() << "the device has no virtual memory at this location";
        properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location = {GetParam(), 0};
        ASSERT_OK(cu().cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
        ASSERT_GT(unit, 0u);
        address = reserve(1);
        handle = create(1);
        ASSERT_OK(cu().cuMemMap(address, unit, 0, handle, 0));
    }
    void TearDown() override {
        if (address != 0) {
            EXPECT_OK(cu().cuMemUnmap(address, unit));
            EXPECT_OK(cu().cuMemRelease(handle));
            EXPECT_OK(cu().cuMemAddressFree(address, unit));
        }
        DriverTest::TearDown();
    }
    void allow_device() {
        CUmemAccessDesc access{};
        access.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        ASSERT_OK(cu().cuMemSetAccess(address, unit, &access, 1));
    }

    CUdeviceptr address = 0;
    CUmemGenericAllocationHandle handle = 0;
};

TEST_P(HostVirtualMemoryTest, HostAndDeviceUseTheSameBytes) {
    allow(address, 1);
    allow_device();
    auto* words = reinterpret_cast<unsigned*>(address);
    for (unsigned i = 0; i < 32; ++i)
        words[i] = i;
    unsigned n = 32;
    ASSERT_OK(launch(function("increment"), 1, 32, nullptr, {&address, &n}));
    ASSERT_OK(cu().cuCtxSynchronize());
    EXPECT_EQ(words[0], 1u);
    EXPECT_EQ(words[31], 32u);
    unsigned copied = 0;
    ASSERT_OK(cu().cuMemcpy(reinterpret_cast<CUdeviceptr>(&copied), address + 4, 4));
    EXPECT_EQ(copied, 2u);
    void* as_host_sees_it = nullptr;
    ASSERT_OK(cu().cuPointerGetAttribute(&as_host_sees_it, CU_POINTER_ATTRIBUTE_HOST_POINTER, address));
    EXPECT_EQ(as_host_sees_it, words);
}

TEST_P(HostVirtualMemoryTest, AccessIsWhatWasSet) {
    unsigned long long flags = 7;
    const CUmemLocation on_device = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    ASSERT_OK(cu().cuMemGetAccess(&flags, &on_device, address));
    EXPECT_EQ(flags, static_cast<unsigned long long>(CU_MEM_ACCESS_FLAGS_PROT_NONE));
    allow(address, 1);
    ASSERT_OK(cu().cuMemGetAccess(&flags, &properties.location, address));
    EXPECT_EQ(flags, static_cast<unsigned long long>(CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    ASSERT_OK(cu().cuMemGetAccess(&flags, &on_device, address));
    EXPECT_EQ(flags, static_cast<unsigned long long>(CU_MEM_ACCESS_FLAGS_PROT_NONE));
}

TEST_P(HostVirtualMemoryTest, PropertiesNameThePlace) {
    CUmemAllocationProp reported{};
    ASSERT_OK(cu().cuMemGetAllocationPropertiesFromHandle(&reported, handle));
    EXPECT_EQ(reported.location.type, CU_MEM_LOCATION_TYPE_HOST_NUMA);
}

INSTANTIATE_TEST_SUITE_P(Locations, HostVirtualMemoryTest,
                         testing::Values(CU_MEM_LOCATION_TYPE_HOST, CU_MEM_LOCATION_TYPE_HOST_NUMA),
                         [](const auto& location) {
                             return location.param == CU_MEM_LOCATION_TYPE_HOST ? "Host" : "Node";
                         });

// As cuda.h's descriptions of cuMemCreate and cuMemSetAccess have it.
TEST_F(VirtualMemoryTest, HostMemoryHasRulesOfItsOwn) {
    CUmemGenericAllocationHandle handle = 0;
    const CUdeviceptr address = reserve(1);
    const CUmemGenericAllocationHandle of_device = create(1);
    ASSERT_OK(cu().cuMemMap(address, unit, 0, of_device, 0));
    CUmemAccessDesc access{};
    access.location = {CU_MEM_LOCATION_TYPE_HOST_NUMA, 0};
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu().cuMemSetAccess(address, unit, &access, 1));
    ASSERT_OK(cu().cuMemUnmap(address, unit));
    ASSERT_OK(cu().cuMemRelease(of_device));
    ASSERT_OK(cu().cuMemAddressFree(address, unit));
    int supported = 0;
    ASSERT_OK(
        cu().cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
    if (supported == 0) GTEST_SKIP() << "the device has no virtual memory on the host";
    properties.location = {CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 0};
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemCreate(&handle, unit, &properties, 0));
    properties.location = {CU_MEM_LOCATION_TYPE_HOST_NUMA, 4095};
    EXPECT_NE(cu().cuMemCreate(&handle, unit, &properties, 0), CUDA_SUCCESS);
    properties.location = {CU_MEM_LOCATION_TYPE_HOST, 0};
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemCreate(&handle, unit, &properties, 0));
}

}  // namespace
}  // namespace cuprum::test
