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
    ASSERT_OK(cu().cuMemGetInfo(&before, &total));
    const CUmemGenericAllocationHandle handle = create(8);
    ASSERT_OK(cu().cuMemGetInfo(&during, &total));
    ASSERT_OK(cu().cuMemRelease(handle));
    ASSERT_OK(cu().cuMemGetInfo(&after, &total));
    EXPECT_EQ(before - during, 8 * unit);
    EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace cuprum::test
