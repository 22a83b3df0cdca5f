// Graphs that are built node by node: their nodes, edges and parameters.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "graph_fixture.hpp"

namespace cuprum::test {
namespace {

TEST_F(GraphTest, MayBeEmpty) {
    run();
}

TEST_F(GraphTest, NodesRunInTheOrderOfTheirEdges) {
    Notes notes;
    const CUgraphNode first = add_host(notes.note(1));
    const CUgraphNode left = add_host(notes.note(2), {first});
    const CUgraphNode right = add_host(notes.note(3), {first});
    add_host(notes.note(4), {left, right});
    const CUgraphExec execution = instantiate();
    for (int round = 0; round < 10; ++round) {
        run(execution);
    }
    const std::vector<int> taken = notes.taken();
    ASSERT_EQ(taken.size(), 40u);
    for (size_t round = 0; round < 10; ++round) {
        EXPECT_EQ(taken[round * 4], 1);
        EXPECT_EQ(taken[round * 4 + 1] + taken[round * 4 + 2], 5);
        EXPECT_EQ(taken[round * 4 + 3], 4);
    }
}

TEST_F(GraphTest, ComputesWithKernelsFillsAndCopies) {
    CUdeviceptr pointer = allocate(400);
    Words result(100, 0);
    unsigned n = 100;
    void* parameters[] = {&pointer, &n};
    const CUgraphNode fill = add_memset(memset_words(pointer, 5, 100));
    const CUgraphNode increment = add_kernel(kernel("increment", 128, parameters), {fill});
    add_copy(copy_to_host(result.data(), pointer, 400), {increment});
    run();
    EXPECT_EQ(result, Words(100, 6));
}

TEST_F(GraphTest, RunsAnewAtEachLaunch) {
    CUdeviceptr pointer = upload(Words(32, 0));
    unsigned n = 32;
    void* parameters[] = {&pointer, &n};
    add_kernel(kernel("increment", 32, parameters));
    const CUgraphExec execution = instantiate();
    for (int round = 0; round < 5; ++round) {
        run(execution);
    }
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 5));
}

TEST_F(GraphTest, KernelNodesCopyTheirArguments) {
    const CUdeviceptr pointer = upload(Words(32, 0));
    CUdeviceptr argument = pointer;
    unsigned value = 9, n = 32;
    void* parameters[] = {&argument, &value, &n};
    add_kernel(kernel("fill", 32, parameters));
    argument = 0;
    value = n = 0;
    run();
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 9));
}

TEST_F(GraphTest, KnowsItsNodes) {
    const CUgraphNode first = add_empty(), second = add_empty({first}), third = add_empty({first});
    size_t count = 0;
    ASSERT_OK(cu().cuGraphGetNodes(graph, nullptr, &count));
    EXPECT_EQ(count, 3u);
    CUgraphNode nodes[4] = {};
    count = 4;
    ASSERT_OK(cu().cuGraphGetNodes(graph, nodes, &count));
    EXPECT_EQ(count, 3u);
    EXPECT_EQ(nodes[0], first);
    EXPECT_EQ(nodes[1], second);
    EXPECT_EQ(nodes[2], third);
    EXPECT_EQ(nodes[3], nullptr) << "what is left over is null";
    count = 1;
    ASSERT_OK(cu().cuGraphGetNodes(graph, nodes, &count));
    EXPECT_EQ(count, 1u);
    count = 4;
    ASSERT_OK(cu().cuGraphGetRootNodes(graph, nodes, &count));
    EXPECT_EQ(count, 1u);
    EXPECT_EQ(nodes[0], first);
    CUgraphNodeType type{};
    ASSERT_OK(cu().cuGraphNodeGetType(first, &type));
    EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_EMPTY);
}

TEST_F(GraphTest, KnowsItsEdges) {
    const CUgraphNode first = add_empty(), second = add_empty({first}), third = add_empty({second});
    ASSERT_OK(cu().cuGraphAddDependencies(graph, &first, &third, nullptr, 1));
    size_t count = 0;
    ASSERT_OK(cu().cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    EXPECT_EQ(count, 3u);
    std::vector<CUgraphNode> from(3), to(3);
    ASSERT_OK(cu().cuGraphGetEdges(graph, from.data(), to.data(), nullptr, &count));
    bool found = false;
    for (size_t index = 0; index < 3; ++index) {
        found = found || (from[index] == first && to[index] == third);
    }
    EXPECT_TRUE(found);
    CUgraphNode nodes[3] = {};
    count = 3;
    ASSERT_OK(cu().cuGraphNodeGetDependencies(third, nodes, nullptr, &count));
    EXPECT_EQ(count, 2u);
    EXPECT_EQ(nodes[0], second);
    EXPECT_EQ(nodes[1], first);
    count = 3;
    ASSERT_OK(cu().cuGraphNodeGetDependentNodes(first, nodes, nullptr, &count));
    EXPECT_EQ(count, 2u);
}

TEST_F(GraphTest, EdgesCanBeTakenAwayAgain) {
    const CUgraphNode first = add_empty(), second = add_empty({first});
    ASSERT_OK(cu().cuGraphRemoveDependencies(graph, &first, &second, nullptr, 1));
    size_t count = 0;
    ASSERT_OK(cu().cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    EXPECT_EQ(count, 0u);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphRemoveDependencies(graph, &first, &second, nullptr, 1));
}

TEST_F(GraphTest, EdgesAreAddedOnce) {
    const CUgraphNode first = add_empty(), second = add_empty({first});
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphAddDependencies(graph, &first, &second, nullptr, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphAddDependencies(graph, &first, &first, nullptr, 1));
    const CUgraphNode twice[] = {first, first};
    CUgraphNode node = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphAddEmptyNode(&node, graph, twice, 2));
}

TEST_F(GraphTest, EdgesStayWithinAGraph) {
    CUgraph other = nullptr;
    ASSERT_OK(cu().cuGraphCreate(&other, 0));
    CUgraphNode foreign = nullptr, node = nullptr;
    ASSERT_OK(cu().cuGraphAddEmptyNode(&foreign, other, nullptr, 0));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphAddEmptyNode(&node, graph, &foreign, 1));
    EXPECT_OK(cu().cuGraphDestroy(other));
}

TEST_F(GraphTest, WithACycleIsNotInstantiated) {
    const CUgraphNode first = add_empty(), second = add_empty({first});
    ASSERT_OK(cu().cuGraphAddDependencies(graph, &second, &first, nullptr, 1));
    CUgraphExec execution = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphInstantiate(&execution, graph, 0));
    CUDA_GRAPH_INSTANTIATE_PARAMS parameters{};
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphInstantiateWithParams(&execution, graph, &parameters));
    EXPECT_EQ(parameters.result_out, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
}

TEST_F(GraphTest, ClonesKnowWhatTheyWereClonedFrom) {
    Notes notes;
    const CUgraphNode first = add_host(notes.note(1)), second = add_host(notes.note(2), {first});
    CUgraph clone = nullptr;
    ASSERT_OK(cu().cuGraphClone(&clone, graph));
    CUgraphNode found = nullptr, before = nullptr;
    ASSERT_OK(cu().cuGraphNodeFindInClone(&found, second, clone));
    EXPECT_NE(found, second);
    size_t count = 1;
    ASSERT_OK(cu().cuGraphNodeGetDependencies(found, &before, nullptr, &count));
    CUgraphNode expected = nullptr;
    ASSERT_OK(cu().cuGraphNodeFindInClone(&expected, first, clone));
    EXPECT_EQ(before, expected);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphNodeFindInClone(&found, found, graph));
    // The clone is independent of what becomes of the original.
    ASSERT_OK(cu().cuGraphDestroyNode(second));
    CUgraphExec execution = nullptr;
    ASSERT_OK(cu().cuGraphInstantiate(&execution, clone, 0));
    run(execution);
    EXPECT_EQ(notes.taken(), (std::vector<int>{1, 2}));
    EXPECT_OK(cu().cuGraphExecDestroy(execution));
    EXPECT_OK(cu().cuGraphDestroy(clone));
}

TEST_F(GraphTest, DestroyedNodesTakeTheirEdgesWithThem) {
    Notes notes;
    const CUgraphNode first = add_host(notes.note(1)), second = add_host(notes.note(2), {first});
    add_host(notes.note(3), {second});
    ASSERT_OK(cu().cuGraphDestroyNode(second));
    size_t count = 0;
    ASSERT_OK(cu().cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    EXPECT_EQ(count, 0u);
    run();
    EXPECT_EQ(notes.taken().size(), 2u);
    EXPECT_EQ(notes.place_of(2), -1);
}

TEST_F(GraphTest, ChildGraphsRunInTheirNodesPlace) {
    Notes notes;
    CUgraph child = nullptr;
    ASSERT_OK(cu().cuGraphCreate(&child, 0));
    const CUDA_HOST_NODE_PARAMS second = notes.note(2), third = notes.note(3);
    CUgraphNode inner = nullptr, last = nullptr;
    ASSERT_OK(cu().cuGraphAddHostNode(&inner, child, nullptr, 0, &second));
    ASSERT_OK(cu().cuGraphAddHostNode(&last, child, &inner, 1, &third));
    const CUgraphNode first = add_host(notes.note(1));
    CUgraphNode node = nullptr;
    ASSERT_OK(cu().cuGraphAddChildGraphNode(&node, graph, &first, 1, child));
    add_host(notes.note(4), {node});
    // The node has a copy, of which the program can see the nodes.
    ASSERT_OK(cu().cuGraphDestroy(child));
    CUgraph copy = nullptr;
    ASSERT_OK(cu().cuGraphChildGraphNodeGetGraph(node, &copy));
    size_t count = 0;
    ASSERT_OK(cu().cuGraphGetNodes(copy, nullptr, &count));
    EXPECT_EQ(count, 2u);
    run();
    EXPECT_EQ(notes.taken(), (std::vector<int>{1, 2, 3, 4}));
}

TEST_F(GraphTest, EventNodesRecordAndWait) {
    Notes notes;
    const CUevent event = new_event(CU_EVENT_DISABLE_TIMING);
    const CUstream other = new_stream();
    CUgraphNode record = nullptr;
    const CUgraphNode first = add_host(notes.note(1));
    ASSERT_OK(cu().cuGraphAddEventRecordNode(&record, graph, &first, 1, event));
    CUevent found = nullptr;
    ASSERT_OK(cu().cuGraphEventRecordNodeGetEvent(record, &found));
    EXPECT_EQ(found, event);
    const CUgraphExec execution = instantiate();
    stream = new_stream();
    Gate gate;
    gate.close_in(stream);
    ASSERT_OK(cu().cuGraphLaunch(execution, stream));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuEventQuery(event));
    ASSERT_OK(cu().cuStreamWaitEvent(other, event, 0));
    const CUDA_HOST_NODE_PARAMS second = notes.note(2);
    ASSERT_OK(cu().cuLaunchHostFunc(other, second.fn, second.userData));
    gate.open();
    ASSERT_OK(cu().cuStreamSynchronize(other));
    EXPECT_EQ(notes.taken(), (std::vector<int>{1, 2}));
}

TEST_F(GraphTest, EventWaitNodesWaitForOtherStreams) {
    Notes notes;
    const CUevent event = new_event(CU_EVENT_DISABLE_TIMING);
    const CUstream other = new_stream();
    CUgraphNode wait = nullptr;
    ASSERT_OK(cu().cuGraphAddEventWaitNode(&wait, graph, nullptr, 0, event));
    add_host(notes.note(2), {wait});
    const CUgraphExec execution = instantiate();
    stream = new_stream();
    Gate gate;
    gate.close_in(other);
    const CUDA_HOST_NODE_PARAMS first = notes.note(1);
    ASSERT_OK(cu().cuLaunchHostFunc(other, first.fn, first.userData));
    ASSERT_OK(cu().cuEventRecord(event, other));
    ASSERT_OK(cu().cuGraphLaunch(execution, stream));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(stream));
    gate.open();
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(notes.taken(), (std::vector<int>{1, 2}));
}

// What an event's last recording is behind has been given to its stream by then: who waits for it in that stream comes
// after it.
TEST_F(GraphTest, AStreamWaitsForAnEventThatAGraphsLaunchInItRecordsMeanwhile) {
    const CUevent event = new_event(CU_EVENT_DISABLE_TIMING);
    CUgraphNode record = nullptr;
    ASSERT_OK(cu().cuGraphAddEventRecordNode(&record, graph, nullptr, 0, event));
    // So that a launch takes a while.
    CUgraphNode last = record;
    for (int i = 0; i < 200; ++i)
        ASSERT_OK(cu().cuGraphAddEmptyNode(&last, graph, &last, 1));
    const CUgraphExec execution = instantiate();
    const CUstream shared = new_stream();
    std::atomic<bool> is_launching{true};
    std::vector<std::thread> waiting;
    for (int thread = 0; thread < 4; ++thread) {
        waiting.emplace_back([&] {
            ASSERT_OK(cu().cuCtxSetCurrent(context));
            while (is_launching)
                ASSERT_OK(cu().cuStreamWaitEvent(shared, event, 0));
        });
    }
    for (int launch = 0; launch < 2'000; ++launch)
        EXPECT_OK(cu().cuGraphLaunch(execution, shared));
    is_launching = false;
    for (std::thread& thread : waiting)
        thread.join();
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    CUresult state = CUDA_ERROR_NOT_READY;
    while (state == CUDA_ERROR_NOT_READY && std::chrono::steady_clock::now() < deadline)
        state = cu().cuStreamQuery(shared);
    EXPECT_OK(state);
}

// Parameters.

TEST_F(GraphTest, KernelNodesReportAndChangeTheirParameters) {
    CUdeviceptr pointer = upload(Words(64, 0));
    unsigned value = 3, n = 64;
    void* parameters[] = {&pointer, &value, &n};
    const CUgraphNode node = add_kernel(kernel("fill", 64, parameters));
    CUDA_KERNEL_NODE_PARAMS found{};
    ASSERT_OK(cu().cuGraphKernelNodeGetParams(node, &found));
    EXPECT_EQ(found.blockDimX, 64u);
    EXPECT_EQ(found.gridDimX, 1u);
    ASSERT_NE(found.kernelParams, nullptr);
    EXPECT_EQ(*static_cast<unsigned*>(found.kernelParams[1]), 3u);
    value = 4;
    found.blockDimX = 32;
    found.kernelParams = parameters;
    ASSERT_OK(cu().cuGraphKernelNodeSetParams(node, &found));
    run();
    Words expected(64, 0);
    std::fill_n(expected.begin(), 32, 4);
    EXPECT_EQ(download<unsigned>(pointer, 64), expected);
}

TEST_F(GraphTest, KernelNodesReportTheLibrarysKernelThatTheyWereMadeOf) {
    CUlibrary library = nullptr;
    ASSERT_OK(cu().cuLibraryLoadData(&library, ptx("kernels.ptx").c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    CUDA_KERNEL_NODE_PARAMS given{};
    ASSERT_OK(cu().cuLibraryGetKernel(&given.kern, library, "fill"));
    CUdeviceptr pointer = upload(Words(64, 0));
    unsigned value = 3, n = 64;
    void* parameters[] = {&pointer, &value, &n};
    given.gridDimX = given.gridDimY = given.gridDimZ = given.blockDimY = given.blockDimZ = 1;
    given.blockDimX = 64;
    given.kernelParams = parameters;
    const CUgraphNode node = add_kernel(given);
    CUDA_KERNEL_NODE_PARAMS found{};
    ASSERT_OK(cu().cuGraphKernelNodeGetParams(node, &found));
    EXPECT_EQ(found.kern, given.kern);
    found.kernelParams = parameters;
    value = 5;
    ASSERT_OK(cu().cuGraphKernelNodeSetParams(node, &found));
    run();
    EXPECT_EQ(download<unsigned>(pointer, 64), Words(64, 5));
    EXPECT_OK(cu().cuLibraryUnload(library));
}

TEST_F(GraphTest, CopyAndFillNodesReportAndChangeTheirParameters) {
    const CUdeviceptr pointer = upload(Words(8, 0));
    Words result(8, 1);
    const CUgraphNode fill = add_memset(memset_words(pointer, 1, 8));
    const CUgraphNode copy = add_copy(copy_to_host(result.data(), pointer, 32), {fill});
    CUDA_MEMSET_NODE_PARAMS filled{};
    ASSERT_OK(cu().cuGraphMemsetNodeGetParams(fill, &filled));
    EXPECT_EQ(filled.dst, pointer);
    EXPECT_EQ(filled.value, 1u);
    EXPECT_EQ(filled.width, 8u);
    filled.value = 2;
    ASSERT_OK(cu().cuGraphMemsetNodeSetParams(fill, &filled));
    CUDA_MEMCPY3D copied{};
    ASSERT_OK(cu().cuGraphMemcpyNodeGetParams(copy, &copied));
    EXPECT_EQ(copied.srcDevice, pointer);
    EXPECT_EQ(copied.dstHost, result.data());
    copied.WidthInBytes = 16;
    ASSERT_OK(cu().cuGraphMemcpyNodeSetParams(copy, &copied));
    run();
    EXPECT_EQ(result, (Words{2, 2, 2, 2, 1, 1, 1, 1}));
}

TEST_F(GraphTest, NodesOfAnotherKindHaveNoSuchParameters) {
    const CUgraphNode node = add_empty();
    CUDA_KERNEL_NODE_PARAMS found{};
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphKernelNodeGetParams(node, &found));
}

TEST_F(GraphTest, NodesAreAddedByTheCommonForm) {
    CUdeviceptr pointer = upload(Words(16, 0));
    CUgraphNodeParams fill{};
    fill.type = CU_GRAPH_NODE_TYPE_MEMSET;
    fill.memset.dst = pointer;
    fill.memset.value = 7;
    fill.memset.elementSize = 4;
    fill.memset.width = 16;
    fill.memset.height = 1;
    fill.memset.ctx = context;
    CUgraphNode first = nullptr, second = nullptr;
    ASSERT_OK(cu().cuGraphAddNode(&first, graph, nullptr, nullptr, 0, &fill));
    unsigned n = 16;
    void* parameters[] = {&pointer, &n};
    CUgraphNodeParams kernel_node{};
    kernel_node.type = CU_GRAPH_NODE_TYPE_KERNEL;
    kernel_node.kernel.func = function("increment");
    kernel_node.kernel.gridDimX = kernel_node.kernel.gridDimY = kernel_node.kernel.gridDimZ = 1;
    kernel_node.kernel.blockDimX = 16;
    kernel_node.kernel.blockDimY = kernel_node.kernel.blockDimZ = 1;
    kernel_node.kernel.kernelParams = parameters;
    ASSERT_OK(cu().cuGraphAddNode(&second, graph, &first, nullptr, 1, &kernel_node));
    CUgraphNodeType type{};
    ASSERT_OK(cu().cuGraphNodeGetType(second, &type));
    EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_KERNEL);
    fill.memset.value = 9;
    ASSERT_OK(cu().cuGraphNodeSetParams(first, &fill));
    run();
    EXPECT_EQ(download<unsigned>(pointer, 16), Words(16, 10));
}

TEST_F(GraphTest, BadNodesAreNotAdded) {
    CUdeviceptr pointer = allocate(64);
    unsigned n = 16;
    void* parameters[] = {&pointer, &n};
    CUDA_KERNEL_NODE_PARAMS bad = kernel("increment", 2000, parameters);
    CUgraphNode node = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphAddKernelNode(&node, graph, nullptr, 0, &bad));
    CUDA_MEMSET_NODE_PARAMS fill = memset_words(pointer, 1, 4);
    fill.elementSize = 3;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphAddEmptyNode(nullptr, graph, nullptr, 0));
    size_t count = 0;
    ASSERT_OK(cu().cuGraphGetNodes(graph, nullptr, &count));
    EXPECT_EQ(count, 0u);
}

TEST_F(GraphTest, KernelNodesHaveAttributes) {
    CUdeviceptr pointer = allocate(64);
    unsigned n = 16;
    void* parameters[] = {&pointer, &n};
    const CUgraphNode node = add_kernel(kernel("increment", 16, parameters));
    const CUgraphNode other = add_kernel(kernel("increment", 16, parameters));
    CUkernelNodeAttrValue value{};
    value.priority = -1;
    ASSERT_OK(cu().cuGraphKernelNodeSetAttribute(node, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    ASSERT_OK(cu().cuGraphKernelNodeCopyAttributes(other, node));
    value.priority = 5;
    ASSERT_OK(cu().cuGraphKernelNodeGetAttribute(other, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    EXPECT_EQ(value.priority, -1);
    const CUDA_KERNEL_NODE_PARAMS again = kernel("increment", 8, parameters);
    ASSERT_OK(cu().cuGraphKernelNodeSetParams(other, &again));
    value.priority = 5;
    ASSERT_OK(cu().cuGraphKernelNodeGetAttribute(other, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    EXPECT_EQ(value.priority, -1) << "new parameters leave the attributes";
}

}  // namespace
}  // namespace cuprum::test
