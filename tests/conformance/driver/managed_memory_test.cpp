// Advice about managed memory.
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

class ManagedMemoryTest : public DriverTest {
protected:
    void SetUp() override {
        DriverTest::SetUp();
        ASSERT_OK(cu().cuMemAllocManaged(&pointer, size, CU_MEM_ATTACH_GLOBAL));
        here.type = CU_MEM_LOCATION_TYPE_DEVICE;
        here.id = device;
        host.type = CU_MEM_LOCATION_TYPE_HOST;
    }
    void TearDown() override {
        EXPECT_OK(cu().cuMemFree(pointer));
        DriverTest::TearDown();
    }
    int attribute(CUmem_range_attribute which, size_t bytes = size) {
        int value = -77;
        EXPECT_OK(cu().cuMemRangeGetAttribute(&value, sizeof value, which, pointer, bytes));
        return value;
    }

    static constexpr size_t size = 4 << 20;
    CUdeviceptr pointer = 0;
    CUmemLocation here{}, host{};
};

TEST_F(ManagedMemoryTest, HasNoAdviceAtFirst) {
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 0);
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), CU_DEVICE_INVALID);
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), CU_DEVICE_INVALID);
}

TEST_F(ManagedMemoryTest, RemembersAdvice) {
    ASSERT_OK(cu().cuMemAdvise(pointer, size, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 1);
    ASSERT_OK(cu().cuMemAdvise(pointer, size, CU_MEM_ADVISE_UNSET_READ_MOSTLY, here));
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 0);
    ASSERT_OK(cu().cuMemAdvise(pointer, size, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), CU_DEVICE_CPU);
    ASSERT_OK(cu().cuMemAdvise(pointer, size, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, host));
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), CU_DEVICE_INVALID);
}

TEST_F(ManagedMemoryTest, AnswersForAWholeRange) {
    ASSERT_OK(cu().cuMemAdvise(pointer, size / 2, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 0);
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, size / 2), 1);
}

TEST_F(ManagedMemoryTest, KnowsWhoAccessesIt) {
    ASSERT_OK(cu().cuMemAdvise(pointer, size, CU_MEM_ADVISE_SET_ACCESSED_BY, here));
    int devices[3] = {-77, -77, -77};
    ASSERT_OK(cu().cuMemRangeGetAttribute(devices, sizeof devices, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, pointer, size));
    EXPECT_EQ(devices[0], device);
    EXPECT_EQ(devices[1], CU_DEVICE_INVALID);
    EXPECT_EQ(devices[2], CU_DEVICE_INVALID);
}

TEST_F(ManagedMemoryTest, CanBePrefetched) {
    const CUstream stream = new_stream();
    ASSERT_OK(cu().cuMemPrefetchAsync(pointer, size, here, 0, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), device);
    ASSERT_OK(cu().cuMemPrefetchAsync(pointer, size, host, 0, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    CUmem_range_attribute attributes[] = {CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
                                          CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY};
    int location = 0, read_mostly = 7;
    void* data[] = {&location, &read_mostly};
    size_t sizes[] = {sizeof location, sizeof read_mostly};
    ASSERT_OK(cu().cuMemRangeGetAttributes(data, sizes, attributes, 2, pointer, size));
    EXPECT_EQ(location, CU_DEVICE_CPU);
    EXPECT_EQ(read_mostly, 0);
}

TEST_F(ManagedMemoryTest, OtherMemoryTakesNoAdvice) {
    const CUdeviceptr other = allocate(4096);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemAdvise(other, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemAdvise(pointer, size, static_cast<CUmem_advise>(7), here));
    const CUstream stream = new_stream();
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemPrefetchAsync(other, 4096, here, 0, stream));
}

TEST_F(ManagedMemoryTest, IsPrefetchedAndDiscardedInBatches) {
    const CUstream stream = new_stream();
    const size_t bytes = size_t{1} << 21;
    CUdeviceptr managed[2] = {};
    size_t sizes[2] = {bytes, bytes};
    for (CUdeviceptr& one : managed) {
        ASSERT_OK(cu().cuMemAllocManaged(&one, bytes, CU_MEM_ATTACH_GLOBAL));
    }
    size_t first = 0;
    ASSERT_OK(cu().cuMemPrefetchBatchAsync(managed, sizes, 2, &here, &first, 1, 0, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    int location = -5;
    EXPECT_OK(cu().cuMemRangeGetAttribute(&location, sizeof location, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
                                          managed[1], bytes));
    EXPECT_EQ(location, device);
    ASSERT_OK(cu().cuMemDiscardBatchAsync(managed, sizes, 2, 0, stream));
    ASSERT_OK(cu().cuMemDiscardAndPrefetchBatchAsync(managed, sizes, 2, &here, &first, 1, 0, stream));
    // What is written after that is kept.
    ASSERT_OK(cu().cuMemsetD32Async(managed[0], 5, 1, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(*reinterpret_cast<volatile unsigned*>(managed[0]), 5u);
    for (const CUdeviceptr one : managed) {
        EXPECT_OK(cu().cuMemFree(one));
    }
}

TEST_F(ManagedMemoryTest, IsAttachedToAStream) {
    const CUstream stream = new_stream();
    CUdeviceptr managed = 0;
    ASSERT_OK(cu().cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_HOST));
    EXPECT_OK(cu().cuStreamAttachMemAsync(stream, managed, 0, CU_MEM_ATTACH_SINGLE));
    EXPECT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuStreamAttachMemAsync(stream, managed, 0, 77));
    EXPECT_OK(cu().cuMemFree(managed));
}

}  // namespace
}  // namespace cuprum::test
