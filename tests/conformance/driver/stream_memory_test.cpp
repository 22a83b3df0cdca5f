// Streams that wait for words in memory and write them.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

using namespace std::chrono_literals;

class StreamMemoryTest : public DriverTest {
protected:
    void SetUp() override {
        DriverTest::SetUp();
        stream = new_stream();
        void* memory = nullptr;
        ASSERT_OK(cu().cuMemHostAlloc(&memory, 64, CU_MEMHOSTALLOC_DEVICEMAP));
        word = static_cast<unsigned*>(memory);
        std::fill_n(word, 16, 0);
        address = reinterpret_cast<CUdeviceptr>(memory);
    }
    void TearDown() override {
        EXPECT_OK(cu().cuStreamSynchronize(stream));
        EXPECT_OK(cu().cuMemFreeHost(word));
        DriverTest::TearDown();
    }
    // The host's part of the conversation.
    void write(unsigned value) { std::atomic_ref(*word).store(value); }
    void expect_waiting() {
        std::this_thread::sleep_for(10ms);
        EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(stream));
    }

    CUstream stream = nullptr;
    unsigned* word = nullptr;
    CUdeviceptr address = 0;
};

TEST_F(StreamMemoryTest, WordsOfPoolsAndOfManagedMemoryAreRefused) {
    CUdeviceptr pooled = 0;
    CUdeviceptr managed = 0;
    ASSERT_OK(cu().cuMemAllocAsync(&pooled, 64, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    ASSERT_OK(cu().cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
    for (const CUdeviceptr refused : {pooled, managed}) {
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuStreamWriteValue32(stream, refused, 7, 0));
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuStreamWaitValue32(stream, refused, 7, CU_STREAM_WAIT_VALUE_EQ));
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuStreamWriteValue64(stream, refused, 7, 0));
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuStreamWaitValue64(stream, refused, 7, CU_STREAM_WAIT_VALUE_EQ));
    }
    EXPECT_OK(cu().cuMemFree(managed));
    EXPECT_OK(cu().cuMemFreeAsync(pooled, stream));
}

TEST_F(StreamMemoryTest, StreamsWriteWords) {
    ASSERT_OK(cu().cuStreamWriteValue32(stream, address, 7, 0));
    ASSERT_OK(cu().cuStreamWriteValue64(stream, address + 8, 0xFFFFFFFF00000001ull, 0));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(word[0], 7u);
    EXPECT_EQ(word[2], 1u);
    EXPECT_EQ(word[3], 0xFFFFFFFFu);
}

TEST_F(StreamMemoryTest, StreamsWaitForAWordToBeReached) {
    ASSERT_OK(cu().cuStreamWaitValue32(stream, address, 5, CU_STREAM_WAIT_VALUE_GEQ));
    ASSERT_OK(cu().cuStreamWriteValue32(stream, address + 4, 1, 0));
    write(4);
    expect_waiting();
    write(6);
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(word[1], 1u);
}

TEST_F(StreamMemoryTest, StreamsWaitForAWordToBeEqual) {
    ASSERT_OK(cu().cuStreamWaitValue32(stream, address, 5, CU_STREAM_WAIT_VALUE_EQ));
    write(6);
    expect_waiting();
    write(5);
    ASSERT_OK(cu().cuStreamSynchronize(stream));
}

TEST_F(StreamMemoryTest, StreamsWaitForBits) {
    ASSERT_OK(cu().cuStreamWaitValue32(stream, address, 6, CU_STREAM_WAIT_VALUE_AND));
    write(1);
    expect_waiting();
    write(4);
    ASSERT_OK(cu().cuStreamSynchronize(stream));
}

TEST_F(StreamMemoryTest, StreamsWaitForLongWords) {
    // The lower half alone is not enough.
    ASSERT_OK(cu().cuStreamWaitValue64(stream, address, 0x500000001ull, CU_STREAM_WAIT_VALUE_EQ));
    ASSERT_OK(cu().cuStreamWriteValue32(stream, address + 8, 1, 0));
    write(1);
    expect_waiting();
    std::atomic_ref(word[1]).store(5);
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(word[2], 1u);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuStreamWaitValue64(stream, address + 4, 1, CU_STREAM_WAIT_VALUE_EQ));
}

TEST_F(StreamMemoryTest, OperationsComeInBatches) {
    CUstreamBatchMemOpParams operations[2]{};
    operations[0].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    operations[0].waitValue.address = address;
    operations[0].waitValue.value = 1;
    operations[0].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
    operations[1].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    operations[1].writeValue.address = address + 4;
    operations[1].writeValue.value = 9;
    ASSERT_OK(cu().cuStreamBatchMemOp(stream, 2, operations, 0));
    expect_waiting();
    write(1);
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(word[1], 9u);
}

TEST_F(StreamMemoryTest, TwoStreamsMeetInDeviceMemory) {
    const CUstream other = new_stream();
    const CUdeviceptr flag = upload(std::vector<unsigned>{0});
    ASSERT_OK(cu().cuStreamWaitValue32(stream, flag, 1, CU_STREAM_WAIT_VALUE_EQ));
    ASSERT_OK(cu().cuStreamWriteValue32(stream, address, 3, 0));
    ASSERT_OK(cu().cuStreamWriteValue32(other, flag, 1, 0));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(word[0], 3u);
}

TEST_F(StreamMemoryTest, AddressesAreChecked) {
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuStreamWriteValue32(stream, address + 2, 1, 0));
    constexpr unsigned int first_versions = CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuStreamWriteValue32(stream, address, 1, first_versions));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuStreamWriteValue64(stream, address, 1, first_versions));
}

// Attributes of streams.

class StreamAttributeTest : public DriverTest {};

TEST_F(StreamAttributeTest, AreKeptAndCopied) {
    const CUstream first = new_stream(), second = new_stream();
    CUstreamAttrValue value{};
    ASSERT_OK(cu().cuStreamGetAttribute(first, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    EXPECT_NE(value.syncPolicy, CU_SYNC_POLICY_YIELD);  // which else is the driver's affair: -1 on an H200
    value = {};
    value.syncPolicy = CU_SYNC_POLICY_YIELD;
    ASSERT_OK(cu().cuStreamSetAttribute(first, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    ASSERT_OK(cu().cuStreamCopyAttributes(second, first));
    value = {};
    ASSERT_OK(cu().cuStreamGetAttribute(second, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    EXPECT_EQ(value.syncPolicy, CU_SYNC_POLICY_YIELD);
}

TEST_F(StreamAttributeTest, IncludeThePriority) {
    int least = 0, greatest = 0;
    ASSERT_OK(cu().cuCtxGetStreamPriorityRange(&least, &greatest));
    CUstream stream = nullptr;
    ASSERT_OK(cu().cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, greatest));
    CUstreamAttrValue value{};
    ASSERT_OK(cu().cuStreamGetAttribute(stream, CU_STREAM_ATTRIBUTE_PRIORITY, &value));
    EXPECT_EQ(value.priority, greatest);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    ASSERT_OK(cu().cuStreamDestroy(stream));
}

}  // namespace
}  // namespace cuprum::test
