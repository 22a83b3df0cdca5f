// Nodes for host functions, events, child graphs and memory operations: what they report and what they can be given, in
// a graph and in an executable one.
#include <vector>

#include "graph_fixture.hpp"

namespace cuprum::test {
namespace {

TEST_F(GraphTest, HostNodesReportAndChangeTheirParameters) {
    Notes notes;
    const CUDA_HOST_NODE_PARAMS first = notes.note(1), second = notes.note(2);
    const CUgraphNode node = add_host(first);
    CUDA_HOST_NODE_PARAMS found{};
    ASSERT_OK(cu().cuGraphHostNodeGetParams(node, &found));
    EXPECT_EQ(found.fn, first.fn);
    EXPECT_EQ(found.userData, first.userData);
    ASSERT_OK(cu().cuGraphHostNodeSetParams(node, &second));
    run();
    EXPECT_EQ(notes.taken(), std::vector<int>{2});
    const CUDA_HOST_NODE_PARAMS nothing{};
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphHostNodeSetParams(node, &nothing));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphHostNodeSetParams(add_empty(), &second));
}

// Two events, and whether a run of a graph has recorded them.
class GraphEventTest : public GraphTest {
protected:
    void SetUp() override {
        GraphTest::SetUp();
        first = new_event(CU_EVENT_DISABLE_TIMING);
        second = new_event(CU_EVENT_DISABLE_TIMING);
        stream = new_stream();
    }
    // Which of the events the graph's run is behind.
    void expect_recorded(CUgraphExec execution, bool of_first, bool of_second) {
        Gate gate;
        gate.close_in(stream);
        ASSERT_OK(cu().cuGraphLaunch(execution, stream));
        EXPECT_CU(of_first ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS, cu().cuEventQuery(first));
        EXPECT_CU(of_second ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS, cu().cuEventQuery(second));
        gate.open();
        ASSERT_OK(cu().cuStreamSynchronize(stream));
    }
    // Which of the events a run of the graph waits for, whose recording is put off.
    void expect_waiting_for_second(CUgraphExec execution, bool waits) {
        const CUstream other = new_stream();
        Gate gate;
        gate.close_in(other);
        ASSERT_OK(cu().cuEventRecord(second, other));
        ASSERT_OK(cu().cuGraphLaunch(execution, stream));
        if (waits) {
            EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(stream));
            gate.open();
        }
        EXPECT_OK(cu().cuStreamSynchronize(stream));
        gate.open();
        ASSERT_OK(cu().cuStreamSynchronize(other));
    }

    CUevent first = nullptr, second = nullptr;
};

TEST_F(GraphEventTest, RecordNodesCanBeGivenAnotherEvent) {
    CUgraphNode node = nullptr;
    ASSERT_OK(cu().cuGraphAddEventRecordNode(&node, graph, nullptr, 0, first));
    expect_recorded(instantiate(), true, false);
    ASSERT_OK(cu().cuGraphEventRecordNodeSetEvent(node, second));
    CUevent found = nullptr;
    ASSERT_OK(cu().cuGraphEventRecordNodeGetEvent(node, &found));
    EXPECT_EQ(found, second);
    const CUgraphExec execution = instantiate();
    expect_recorded(execution, false, true);
    ASSERT_OK(cu().cuGraphExecEventRecordNodeSetEvent(execution, node, first));
    expect_recorded(execution, true, false);
    // The graph itself keeps what it had.
    ASSERT_OK(cu().cuGraphEventRecordNodeGetEvent(node, &found));
    EXPECT_EQ(found, second);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphEventRecordNodeSetEvent(add_empty(), first));
}

TEST_F(GraphEventTest, WaitNodesCanBeGivenAnotherEvent) {
    CUgraphNode node = nullptr;
    ASSERT_OK(cu().cuGraphAddEventWaitNode(&node, graph, nullptr, 0, first));
    expect_waiting_for_second(instantiate(), false);
    ASSERT_OK(cu().cuGraphEventWaitNodeSetEvent(node, second));
    CUevent found = nullptr;
    ASSERT_OK(cu().cuGraphEventWaitNodeGetEvent(node, &found));
    EXPECT_EQ(found, second);
    const CUgraphExec execution = instantiate();
    expect_waiting_for_second(execution, true);
    ASSERT_OK(cu().cuGraphExecEventWaitNodeSetEvent(execution, node, first));
    expect_waiting_for_second(execution, false);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphEventWaitNodeGetEvent(add_empty(), &found));
}

class ChildGraphTest : public GraphTest {
protected:
    // A graph of one node, or of two in sequence, that fill words at a place.
    CUgraph filling(CUdeviceptr pointer, unsigned value, bool twice = false) {
        CUgraph made = nullptr;
        EXPECT_OK(cu().cuGraphCreate(&made, 0));
        const CUDA_MEMSET_NODE_PARAMS fill = memset_words(pointer, value, 8);
        CUgraphNode node = nullptr, next = nullptr;
        EXPECT_OK(cu().cuGraphAddMemsetNode(&node, made, nullptr, 0, &fill, context));
        if (twice) {
            EXPECT_OK(cu().cuGraphAddMemsetNode(&next, made, &node, 1, &fill, context));
        }
        return made;
    }
};

TEST_F(ChildGraphTest, NodesOfExecutableGraphsTakeAnotherGraphOfTheSameShape) {
    const CUdeviceptr pointer = upload(Words(8, 0));
    const CUgraph one = filling(pointer, 1), two = filling(pointer, 2), longer = filling(pointer, 3, true);
    CUgraphNode node = nullptr;
    ASSERT_OK(cu().cuGraphAddChildGraphNode(&node, graph, nullptr, 0, one));
    const CUgraphExec execution = instantiate();
    ASSERT_OK(cu().cuGraphExecChildGraphNodeSetParams(execution, node, two));
    run(execution);
    EXPECT_EQ(download<unsigned>(pointer, 8), Words(8, 2));
    EXPECT_CU(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cu().cuGraphExecChildGraphNodeSetParams(execution, node, longer));
    run(execution);
    EXPECT_EQ(download<unsigned>(pointer, 8), Words(8, 2)) << "a refused graph has changed something";
    run();
    EXPECT_EQ(download<unsigned>(pointer, 8), Words(8, 1)) << "the graph itself keeps what it had";
    for (const CUgraph each : {one, two, longer}) {
        EXPECT_OK(cu().cuGraphDestroy(each));
    }
}

TEST_F(GraphTest, MemoryOperationNodesReportAndChangeTheirParameters) {
    const CUdeviceptr pointer = upload(Words(4, 0));
    CUstreamBatchMemOpParams operations[2]{};
    for (unsigned index = 0; index < 2; ++index) {
        operations[index].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
        operations[index].writeValue.address = pointer + 4 * index;
        operations[index].writeValue.value = 5 + index;
    }
    CUDA_BATCH_MEM_OP_NODE_PARAMS parameters{context, 2, operations, 0};
    CUgraphNode node = nullptr;
    ASSERT_OK(cu().cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &parameters));
    CUDA_BATCH_MEM_OP_NODE_PARAMS found{};
    ASSERT_OK(cu().cuGraphBatchMemOpNodeGetParams(node, &found));
    ASSERT_EQ(found.count, 2u);
    EXPECT_EQ(found.ctx, context);
    ASSERT_NE(found.paramArray, nullptr);
    EXPECT_EQ(found.paramArray[1].writeValue.operation, CU_STREAM_MEM_OP_WRITE_VALUE_32);
    EXPECT_EQ(found.paramArray[1].writeValue.address, pointer + 4);
    EXPECT_EQ(found.paramArray[1].writeValue.value, 6u);
    const CUgraphExec execution = instantiate();
    run(execution);
    EXPECT_EQ(download<unsigned>(pointer, 4), (Words{5, 6, 0, 0}));
    operations[0].writeValue.address = pointer + 8;
    operations[0].writeValue.value = 7;
    ASSERT_OK(cu().cuGraphExecBatchMemOpNodeSetParams(execution, node, &parameters));
    run(execution);
    EXPECT_EQ(download<unsigned>(pointer, 4), (Words{5, 6, 7, 0}));
    operations[0].writeValue.address = pointer + 12;
    operations[0].writeValue.value = 8;
    ASSERT_OK(cu().cuGraphBatchMemOpNodeSetParams(node, &parameters));
    run();
    EXPECT_EQ(download<unsigned>(pointer, 4), (Words{5, 6, 7, 8}));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphBatchMemOpNodeGetParams(add_empty(), &found));
    // An executable graph's node keeps the number of its operations, and what they are.
    parameters.count = 1;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphExecBatchMemOpNodeSetParams(execution, node, &parameters));
    parameters.count = 2;
    operations[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphExecBatchMemOpNodeSetParams(execution, node, &parameters));
    EXPECT_OK(cu().cuGraphBatchMemOpNodeSetParams(node, &parameters));
}

TEST_F(GraphTest, MemoryOperationNodesHaveUpTo255Operations) {
    CUstreamBatchMemOpParams write{};
    write.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    write.writeValue.address = upload(Words(1, 0));
    std::vector<CUstreamBatchMemOpParams> operations(256, write);
    CUDA_BATCH_MEM_OP_NODE_PARAMS parameters{context, 255, operations.data(), 0};
    CUgraphNode node = nullptr;
    EXPECT_OK(cu().cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &parameters));
    parameters.count = 256;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &parameters));
    parameters.count = 1;
    parameters.flags = 1;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &parameters));
    parameters.flags = 0;
    parameters.ctx = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &parameters));
    parameters = {context, 0, nullptr, 0};
    EXPECT_OK(cu().cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &parameters)) << "or none";
    run();
}

}  // namespace
}  // namespace cuprum::test
