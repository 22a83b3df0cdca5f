// Streams that capture what they are given.
#include <thread>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

using Words = std::vector<unsigned>;

class CaptureTest : public DriverTest {
protected:
    void SetUp() override {
        DriverTest::SetUp();
        stream = new_stream();
        increment = function("increment");
        pointer = upload(Words(32, 0));
    }
    void TearDown() override {
        // A test that failed may have left the stream capturing.
        CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
        EXPECT_OK(cu().cuStreamIsCapturing(stream, &status));
        EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
        if (status != CU_STREAM_CAPTURE_STATUS_NONE) {
            CUgraph left = nullptr;
            cu().cuStreamEndCapture(stream, &left);
        }
        for (const CUgraph graph : graphs_) {
            EXPECT_OK(cu().cuGraphDestroy(graph));
        }
        DriverTest::TearDown();
    }
    void begin(CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_THREAD_LOCAL) {
        ASSERT_OK(cu().cuStreamBeginCapture(stream, mode));
    }
    CUgraph end() {
        CUgraph graph = nullptr;
        EXPECT_OK(cu().cuStreamEndCapture(stream, &graph));
        if (graph != nullptr) graphs_.push_back(graph);
        return graph;
    }
    void end_with(CUresult code) {
        auto* graph = reinterpret_cast<CUgraph>(&stream);
        EXPECT_CU(code, cu().cuStreamEndCapture(stream, &graph));
        EXPECT_EQ(graph, nullptr);
    }
    CUstreamCaptureStatus status_of(CUstream asked) {
        CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
        EXPECT_OK(cu().cuStreamIsCapturing(asked, &status));
        return status;
    }
    CUresult add_one(CUstream target) {
        unsigned n = 32;
        return launch(increment, 1, 32, target, {&pointer, &n});
    }
    void run(CUgraph graph) {
        CUgraphExec execution = nullptr;
        ASSERT_OK(cu().cuGraphInstantiate(&execution, graph, 0));
        ASSERT_OK(cu().cuGraphLaunch(execution, stream));
        ASSERT_OK(cu().cuStreamSynchronize(stream));
        ASSERT_OK(cu().cuGraphExecDestroy(execution));
    }
    std::vector<CUgraphNode> nodes_of(CUgraph graph) {
        size_t count = 0;
        EXPECT_OK(cu().cuGraphGetNodes(graph, nullptr, &count));
        std::vector<CUgraphNode> nodes(count);
        if (count > 0) {
            EXPECT_OK(cu().cuGraphGetNodes(graph, nodes.data(), &count));
        }
        return nodes;
    }
    CUgraphNodeType type_of(CUgraphNode node) {
        CUgraphNodeType type{};
        EXPECT_OK(cu().cuGraphNodeGetType(node, &type));
        return type;
    }
    size_t edges_of(CUgraph graph) {
        size_t count = 0;
        EXPECT_OK(cu().cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
        return count;
    }

    CUstream stream = nullptr;
    CUfunction increment = nullptr;
    CUdeviceptr pointer = 0;

private:
    std::vector<CUgraph> graphs_;
};

TEST_F(CaptureTest, WhatIsCapturedRunsWhenTheGraphIsLaunched) {
    begin();
    ASSERT_OK(add_one(stream));
    ASSERT_OK(add_one(stream));
    const CUgraph graph = end();
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 0));
    run(graph);
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 2));
    run(graph);
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 4));
}

TEST_F(CaptureTest, OperationsOfOneStreamFollowOneAnother) {
    void* host = nullptr;
    ASSERT_OK(cu().cuMemAllocHost(&host, 128));
    begin();
    ASSERT_OK(cu().cuMemsetD32Async(pointer, 4, 32, stream));
    ASSERT_OK(add_one(stream));
    ASSERT_OK(cu().cuMemcpyDtoHAsync(host, pointer, 128, stream));
    int ran = 0;
    ASSERT_OK(cu().cuLaunchHostFunc(stream, [](void* data) { ++*static_cast<int*>(data); }, &ran));
    const CUgraph graph = end();
    const std::vector<CUgraphNode> nodes = nodes_of(graph);
    ASSERT_EQ(nodes.size(), 4u);
    EXPECT_EQ(type_of(nodes[0]), CU_GRAPH_NODE_TYPE_MEMSET);
    EXPECT_EQ(type_of(nodes[1]), CU_GRAPH_NODE_TYPE_KERNEL);
    EXPECT_EQ(type_of(nodes[2]), CU_GRAPH_NODE_TYPE_MEMCPY);
    EXPECT_EQ(type_of(nodes[3]), CU_GRAPH_NODE_TYPE_HOST);
    EXPECT_EQ(edges_of(graph), 3u);
    run(graph);
    EXPECT_EQ(static_cast<unsigned*>(host)[31], 5u);
    EXPECT_EQ(ran, 1);
    EXPECT_OK(cu().cuMemFreeHost(host));
}

TEST_F(CaptureTest, OtherStreamsTakePartThroughEvents) {
    const CUstream other = new_stream();
    const CUevent fork = new_event(CU_EVENT_DISABLE_TIMING), join = new_event(CU_EVENT_DISABLE_TIMING);
    const CUdeviceptr second = upload(Words(32, 0));
    begin();
    ASSERT_OK(add_one(stream));
    ASSERT_OK(cu().cuEventRecord(fork, stream));
    ASSERT_OK(cu().cuStreamWaitEvent(other, fork, 0));
    EXPECT_EQ(status_of(other), CU_STREAM_CAPTURE_STATUS_ACTIVE);
    ASSERT_OK(cu().cuMemcpyDtoDAsync(second, pointer, 128, other));
    ASSERT_OK(add_one(stream));
    ASSERT_OK(cu().cuEventRecord(join, other));
    ASSERT_OK(cu().cuStreamWaitEvent(stream, join, 0));
    ASSERT_OK(cu().cuMemcpyDtoDAsync(pointer, second, 64, stream));
    const CUgraph graph = end();
    EXPECT_EQ(status_of(other), CU_STREAM_CAPTURE_STATUS_NONE);
    EXPECT_EQ(nodes_of(graph).size(), 4u);
    // Fork: two edges from the first kernel; join: two into the last copy.
    EXPECT_EQ(edges_of(graph), 4u);
}

TEST_F(CaptureTest, AJoinedStreamMayBeDestroyedBeforeTheCaptureEnds) {
    CUstream other = nullptr;
    ASSERT_OK(cu().cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    const CUevent fork = new_event(CU_EVENT_DISABLE_TIMING), join = new_event(CU_EVENT_DISABLE_TIMING);
    begin();
    ASSERT_OK(cu().cuEventRecord(fork, stream));
    ASSERT_OK(cu().cuStreamWaitEvent(other, fork, 0));
    ASSERT_OK(add_one(other));
    ASSERT_OK(cu().cuEventRecord(join, other));
    ASSERT_OK(cu().cuStreamWaitEvent(stream, join, 0));
    ASSERT_OK(cu().cuStreamDestroy(other));
    EXPECT_EQ(status_of(stream), CU_STREAM_CAPTURE_STATUS_ACTIVE);
    ASSERT_OK(add_one(stream));
    EXPECT_EQ(nodes_of(end()).size(), 2u);
}

TEST_F(CaptureTest, StreamsThatAreNotJoinedEndItInError) {
    const CUstream other = new_stream();
    const CUevent fork = new_event(CU_EVENT_DISABLE_TIMING);
    begin();
    ASSERT_OK(cu().cuEventRecord(fork, stream));
    ASSERT_OK(cu().cuStreamWaitEvent(other, fork, 0));
    ASSERT_OK(add_one(other));
    end_with(CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    EXPECT_EQ(status_of(other), CU_STREAM_CAPTURE_STATUS_NONE);
}

TEST_F(CaptureTest, BeginsAndEndsOnce) {
    CUgraph graph = nullptr;
    EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE, cu().cuStreamEndCapture(stream, &graph));
    begin();
    EXPECT_EQ(status_of(stream), CU_STREAM_CAPTURE_STATUS_ACTIVE);
    EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE, cu().cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    EXPECT_EQ(nodes_of(end()).size(), 0u);
    EXPECT_EQ(status_of(stream), CU_STREAM_CAPTURE_STATUS_NONE);
}

TEST_F(CaptureTest, TheLegacyDefaultStreamDoesNotCapture) {
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
              cu().cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
}

TEST_F(CaptureTest, WaitingForTheStreamInvalidatesIt) {
    begin();
    ASSERT_OK(add_one(stream));
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cu().cuStreamSynchronize(stream));
    EXPECT_EQ(status_of(stream), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, add_one(stream));
    end_with(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    ASSERT_OK(add_one(stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 1)) << "the stream is as before the capture";
}

TEST_F(CaptureTest, QueryingTheStreamInvalidatesIt) {
    begin();
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cu().cuStreamQuery(stream));
    end_with(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CaptureTest, WaitingForTheContextInvalidatesItInEveryMode) {
    for (const CUstreamCaptureMode mode :
         {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, CU_STREAM_CAPTURE_MODE_RELAXED}) {
        for (const CUstreamCaptureMode of_thread : {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_RELAXED}) {
            begin(mode);
            CUstreamCaptureMode exchanged = of_thread;
            ASSERT_OK(cu().cuThreadExchangeStreamCaptureMode(&exchanged));
            EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cu().cuCtxSynchronize());
            ASSERT_OK(cu().cuThreadExchangeStreamCaptureMode(&exchanged));
            end_with(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
        }
    }
}

TEST_F(CaptureTest, UnsafeCallsInvalidateIt) {
    CUdeviceptr memory = 0;
    begin();
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cu().cuMemAlloc(&memory, 64));
    end_with(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CaptureTest, RelaxedCapturesAllowUnsafeCalls) {
    CUdeviceptr memory = 0;
    begin(CU_STREAM_CAPTURE_MODE_RELAXED);
    EXPECT_OK(cu().cuMemAlloc(&memory, 64));
    end();
    EXPECT_OK(cu().cuMemFree(memory));
}

TEST_F(CaptureTest, RelaxedThreadsMayMakeUnsafeCalls) {
    CUdeviceptr memory = 0;
    begin();
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    ASSERT_OK(cu().cuThreadExchangeStreamCaptureMode(&mode));
    EXPECT_EQ(mode, CU_STREAM_CAPTURE_MODE_GLOBAL);
    EXPECT_OK(cu().cuMemAlloc(&memory, 64));
    ASSERT_OK(cu().cuThreadExchangeStreamCaptureMode(&mode));
    EXPECT_EQ(mode, CU_STREAM_CAPTURE_MODE_RELAXED);
    end();
    EXPECT_OK(cu().cuMemFree(memory));
}

TEST_F(CaptureTest, GlobalCapturesConcernOtherThreads) {
    const auto allocate_elsewhere = [&] {
        CUresult code = CUDA_SUCCESS;
        std::thread([&] {
            CUdeviceptr memory = 0;
            ASSERT_OK(cu().cuCtxSetCurrent(context));
            code = cu().cuMemAlloc(&memory, 64);
            if (code == CUDA_SUCCESS) {
                EXPECT_OK(cu().cuMemFree(memory));
            }
        }).join();
        return code;
    };
    begin(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    EXPECT_OK(allocate_elsewhere());
    end();
    begin(CU_STREAM_CAPTURE_MODE_GLOBAL);
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, allocate_elsewhere());
    end_with(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CaptureTest, EndsInTheThreadThatBeganIt) {
    begin(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    std::thread([&] {
        ASSERT_OK(cu().cuCtxSetCurrent(context));
        CUgraph graph = nullptr;
        EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, cu().cuStreamEndCapture(stream, &graph));
    }).join();
    end_with(CUDA_ERROR_ILLEGAL_STATE);  // it is over
    begin(CU_STREAM_CAPTURE_MODE_RELAXED);
    CUgraph graph = nullptr;
    std::thread([&] {
        ASSERT_OK(cu().cuCtxSetCurrent(context));
        ASSERT_OK(cu().cuStreamEndCapture(stream, &graph));
    }).join();
    EXPECT_OK(cu().cuGraphDestroy(graph));
}

TEST_F(CaptureTest, EndsInTheStreamThatBeganIt) {
    const CUstream other = new_stream();
    const CUevent fork = new_event(CU_EVENT_DISABLE_TIMING);
    begin();
    ASSERT_OK(cu().cuEventRecord(fork, stream));
    ASSERT_OK(cu().cuStreamWaitEvent(other, fork, 0));
    CUgraph graph = nullptr;
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, cu().cuStreamEndCapture(other, &graph));
    end_with(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CaptureTest, DoesNotWaitForEventsFromOutside) {
    const CUevent outside = new_event(CU_EVENT_DISABLE_TIMING);
    ASSERT_OK(cu().cuEventRecord(outside, new_stream()));
    begin();
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, cu().cuStreamWaitEvent(stream, outside, 0));
    end_with(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CaptureTest, TwoCapturesDoNotMerge) {
    const CUstream other = new_stream();
    const CUevent event = new_event(CU_EVENT_DISABLE_TIMING);
    begin();
    ASSERT_OK(cu().cuStreamBeginCapture(other, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    ASSERT_OK(cu().cuEventRecord(event, other));
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_MERGE, cu().cuStreamWaitEvent(stream, event, 0));
    end_with(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CUgraph graph = nullptr;
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cu().cuStreamEndCapture(other, &graph));
}

TEST_F(CaptureTest, CapturedEventsHaveNotHappened) {
    const CUevent event = new_event(CU_EVENT_DISABLE_TIMING);
    begin(CU_STREAM_CAPTURE_MODE_RELAXED);
    ASSERT_OK(cu().cuEventRecord(event, stream));
    EXPECT_CU(CUDA_ERROR_CAPTURED_EVENT, cu().cuEventQuery(event));
    end_with(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    ASSERT_OK(cu().cuEventRecord(event, stream));
    EXPECT_OK(cu().cuEventSynchronize(event));
}

TEST_F(CaptureTest, CapturedEventsCannotBeWaitedForNorTimed) {
    const CUevent event = new_event(), real = new_event();
    ASSERT_OK(cu().cuEventRecord(real, nullptr));
    ASSERT_OK(cu().cuEventSynchronize(real));
    begin(CU_STREAM_CAPTURE_MODE_RELAXED);
    ASSERT_OK(cu().cuEventRecord(event, stream));
    float milliseconds = 0;
    // Which alone leaves the capture as it is.
    EXPECT_CU(CUDA_ERROR_CAPTURED_EVENT, cu().cuEventElapsedTime(&milliseconds, event, real));
    EXPECT_CU(CUDA_ERROR_CAPTURED_EVENT, cu().cuEventElapsedTime(&milliseconds, real, event));
    EXPECT_EQ(status_of(stream), CU_STREAM_CAPTURE_STATUS_ACTIVE);
    EXPECT_CU(CUDA_ERROR_CAPTURED_EVENT, cu().cuEventSynchronize(event));
    end_with(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CaptureTest, NonblockingStreamsLeaveTheLegacyDefaultStreamAlone) {
    const CUdeviceptr word = upload(std::vector<unsigned>{1});
    begin(CU_STREAM_CAPTURE_MODE_RELAXED);
    EXPECT_OK(cu().cuMemsetD32Async(word, 2, 1, nullptr));
    EXPECT_OK(cu().cuStreamSynchronize(nullptr));
    CUgraph graph = nullptr;
    ASSERT_OK(cu().cuStreamEndCapture(stream, &graph));
    size_t count = 77;
    EXPECT_OK(cu().cuGraphGetNodes(graph, nullptr, &count));
    EXPECT_EQ(count, 0u);
    EXPECT_OK(cu().cuGraphDestroy(graph));
    EXPECT_EQ(download<unsigned>(word, 1)[0], 2u);
}

TEST_F(CaptureTest, ThereAreThreeModes) {
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuStreamBeginCapture(stream, static_cast<CUstreamCaptureMode>(3)));
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    EXPECT_OK(cu().cuStreamIsCapturing(stream, &status));
    EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
}

TEST_F(CaptureTest, BlockingStreamsKeepTheLegacyDefaultStreamFromBeingUsed) {
    const CUstream blocking = new_stream(CU_STREAM_DEFAULT);
    ASSERT_OK(cu().cuStreamBeginCapture(blocking, CU_STREAM_CAPTURE_MODE_RELAXED));
    CUstreamCaptureStatus status{};
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, cu().cuStreamIsCapturing(CU_STREAM_LEGACY, &status));
    EXPECT_EQ(status_of(blocking), CU_STREAM_CAPTURE_STATUS_ACTIVE);
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, add_one(nullptr));
    EXPECT_EQ(status_of(blocking), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    CUgraph graph = nullptr;
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cu().cuStreamEndCapture(blocking, &graph));
}

TEST_F(CaptureTest, SaysWhereItIs) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    ASSERT_OK(cu().cuStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, nullptr));
    EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
    begin();
    cuuint64_t identifier = 0;
    CUgraph graph = nullptr;
    const CUgraphNode* dependencies = nullptr;
    size_t count = 7;
    ASSERT_OK(cu().cuStreamGetCaptureInfo(stream, &status, &identifier, &graph, &dependencies, nullptr, &count));
    EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    EXPECT_NE(graph, nullptr);
    EXPECT_EQ(count, 0u);
    ASSERT_OK(add_one(stream));
    ASSERT_OK(cu().cuStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &dependencies, nullptr, &count));
    ASSERT_EQ(count, 1u);
    EXPECT_EQ(type_of(dependencies[0]), CU_GRAPH_NODE_TYPE_KERNEL);
    EXPECT_EQ(end(), graph);
    cuuint64_t next = 0;
    begin();
    ASSERT_OK(cu().cuStreamGetCaptureInfo(stream, &status, &next, nullptr, nullptr, nullptr, nullptr));
    EXPECT_NE(next, identifier);
    end();
}

TEST_F(CaptureTest, NodesCanBeAddedByHandMeanwhile) {
    begin();
    ASSERT_OK(add_one(stream));
    CUstreamCaptureStatus status{};
    CUgraph graph = nullptr;
    const CUgraphNode* dependencies = nullptr;
    size_t count = 0;
    ASSERT_OK(cu().cuStreamGetCaptureInfo(stream, &status, nullptr, &graph, &dependencies, nullptr, &count));
    CUgraphNode own = nullptr;
    ASSERT_OK(cu().cuGraphAddEmptyNode(&own, graph, dependencies, count));
    ASSERT_OK(cu().cuStreamUpdateCaptureDependencies(stream, &own, nullptr, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    ASSERT_OK(add_one(stream));
    ASSERT_EQ(end(), graph);
    const std::vector<CUgraphNode> nodes = nodes_of(graph);
    ASSERT_EQ(nodes.size(), 3u);
    CUgraphNode before = nullptr;
    count = 1;
    ASSERT_OK(cu().cuGraphNodeGetDependencies(nodes[2], &before, nullptr, &count));
    EXPECT_EQ(before, own);
    EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE, cu().cuStreamUpdateCaptureDependencies(stream, &own, nullptr, 1, 0));
}

TEST_F(CaptureTest, CanGoIntoAGraphThatThereIs) {
    CUgraph graph = nullptr;
    ASSERT_OK(cu().cuGraphCreate(&graph, 0));
    CUgraphNode first = nullptr;
    ASSERT_OK(cu().cuGraphAddEmptyNode(&first, graph, nullptr, 0));
    ASSERT_OK(cu().cuStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    ASSERT_OK(add_one(stream));
    EXPECT_EQ(end(), graph);
    EXPECT_EQ(nodes_of(graph).size(), 2u);
    EXPECT_EQ(edges_of(graph), 1u);
    run(graph);
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 1));
}

TEST_F(CaptureTest, StreamOrderedMemoryBecomesNodes) {
    CUdeviceptr memory = 0;
    void* host = nullptr;
    ASSERT_OK(cu().cuMemAllocHost(&host, 128));
    begin();
    ASSERT_OK(cu().cuMemAllocAsync(&memory, 128, stream));
    ASSERT_OK(cu().cuMemsetD32Async(memory, 8, 32, stream));
    ASSERT_OK(cu().cuMemcpyDtoHAsync(host, memory, 128, stream));
    ASSERT_OK(cu().cuMemFreeAsync(memory, stream));
    const CUgraph graph = end();
    const std::vector<CUgraphNode> nodes = nodes_of(graph);
    ASSERT_EQ(nodes.size(), 4u);
    EXPECT_EQ(type_of(nodes[0]), CU_GRAPH_NODE_TYPE_MEM_ALLOC);
    EXPECT_EQ(type_of(nodes[3]), CU_GRAPH_NODE_TYPE_MEM_FREE);
    run(graph);
    EXPECT_EQ(static_cast<unsigned*>(host)[31], 8u);
    EXPECT_OK(cu().cuMemFreeHost(host));
}

TEST_F(CaptureTest, GraphLaunchesAreNotCaptured) {
    begin();
    ASSERT_OK(add_one(stream));
    const CUgraph inner = end();
    CUgraphExec execution = nullptr;
    ASSERT_OK(cu().cuGraphInstantiate(&execution, inner, 0));
    begin();
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cu().cuGraphLaunch(execution, stream));
    end_with(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    ASSERT_OK(cu().cuGraphExecDestroy(execution));
}

TEST_F(CaptureTest, ExternalEventsBecomeNodes) {
    const CUevent event = new_event(CU_EVENT_DISABLE_TIMING);
    begin();
    ASSERT_OK(cu().cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_EXTERNAL));
    ASSERT_OK(cu().cuStreamWaitEvent(stream, event, CU_EVENT_WAIT_EXTERNAL));
    const CUgraph graph = end();
    const std::vector<CUgraphNode> nodes = nodes_of(graph);
    ASSERT_EQ(nodes.size(), 2u);
    EXPECT_EQ(type_of(nodes[0]), CU_GRAPH_NODE_TYPE_EVENT_RECORD);
    EXPECT_EQ(type_of(nodes[1]), CU_GRAPH_NODE_TYPE_WAIT_EVENT);
    run(graph);
    EXPECT_OK(cu().cuEventQuery(event));
}

TEST_F(CaptureTest, CallbacksAreNotCaptured) {
    begin();
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
              cu().cuStreamAddCallback(stream, [](CUstream, CUresult, void*) {}, nullptr, 0));
    end_with(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

}  // namespace
}  // namespace cuprum::test
