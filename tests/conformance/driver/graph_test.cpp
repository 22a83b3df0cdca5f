// Graphs that are built node by node.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

using namespace std::chrono_literals;

using Words = std::vector<unsigned>;

// Numbers in the order in which their host nodes ran.
class Notes {
public:
    CUDA_HOST_NODE_PARAMS note(int number) {
        notes_.push_back(std::make_unique<Note>(Note{this, number}));
        CUDA_HOST_NODE_PARAMS parameters{};
        parameters.fn = [](void* data) {
            const auto* note = static_cast<Note*>(data);
            const std::lock_guard lock(note->owner->mutex_);
            note->owner->taken_.push_back(note->number);
        };
        parameters.userData = notes_.back().get();
        return parameters;
    }
    std::vector<int> taken() {
        const std::lock_guard lock(mutex_);
        return taken_;
    }
    // The place of a number in what was noted; -1 if it was not.
    int place_of(int number) {
        const std::vector<int> list = taken();
        for (size_t index = 0; index < list.size(); ++index) {
            if (list[index] == number) return static_cast<int>(index);
        }
        return -1;
    }

private:
    struct Note {
        Notes* owner;
        int number;
    };
    std::mutex mutex_;
    std::vector<int> taken_;
    std::vector<std::unique_ptr<Note>> notes_;
};

class GraphTest : public DriverTest {
protected:
    void SetUp() override {
        DriverTest::SetUp();
        ASSERT_OK(cu().cuGraphCreate(&graph, 0));
    }
    void TearDown() override {
        if (stream != nullptr) {
            EXPECT_OK(cu().cuStreamSynchronize(stream));
        }
        for (const CUgraphExec execution : executions_) {
            EXPECT_OK(cu().cuGraphExecDestroy(execution));
        }
        EXPECT_OK(cu().cuGraphDestroy(graph));
        DriverTest::TearDown();
    }

    // A kernel node's parameters; what the pointers refer to must live until the node is added.
    CUDA_KERNEL_NODE_PARAMS kernel(const char* name, unsigned threads, void** parameters) {
        CUDA_KERNEL_NODE_PARAMS node{};
        node.func = function(name);
        node.gridDimX = node.gridDimY = node.gridDimZ = 1;
        node.blockDimX = threads;
        node.blockDimY = node.blockDimZ = 1;
        node.kernelParams = parameters;
        return node;
    }
    CUDA_MEMSET_NODE_PARAMS memset_words(CUdeviceptr pointer, unsigned value, size_t words) {
        CUDA_MEMSET_NODE_PARAMS node{};
        node.dst = pointer;
        node.value = value;
        node.elementSize = 4;
        node.width = words;
        node.height = 1;
        return node;
    }
    CUDA_MEMCPY3D copy_to_host(void* host, CUdeviceptr source, size_t bytes) {
        CUDA_MEMCPY3D copy{};
        copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.srcDevice = source;
        copy.dstMemoryType = CU_MEMORYTYPE_HOST;
        copy.dstHost = host;
        copy.WidthInBytes = bytes;
        copy.Height = copy.Depth = 1;
        return copy;
    }
    CUgraphNode add_kernel(const CUDA_KERNEL_NODE_PARAMS& parameters, std::vector<CUgraphNode> after = {}) {
        CUgraphNode node = nullptr;
        EXPECT_OK(cu().cuGraphAddKernelNode(&node, graph, after.data(), after.size(), &parameters));
        return node;
    }
    CUgraphNode add_host(const CUDA_HOST_NODE_PARAMS& parameters, std::vector<CUgraphNode> after = {}) {
        CUgraphNode node = nullptr;
        EXPECT_OK(cu().cuGraphAddHostNode(&node, graph, after.data(), after.size(), &parameters));
        return node;
    }
    CUgraphNode add_memset(const CUDA_MEMSET_NODE_PARAMS& parameters, std::vector<CUgraphNode> after = {}) {
        CUgraphNode node = nullptr;
        EXPECT_OK(cu().cuGraphAddMemsetNode(&node, graph, after.data(), after.size(), &parameters, context));
        return node;
    }
    CUgraphNode add_copy(const CUDA_MEMCPY3D& parameters, std::vector<CUgraphNode> after = {}) {
        CUgraphNode node = nullptr;
        EXPECT_OK(cu().cuGraphAddMemcpyNode(&node, graph, after.data(), after.size(), &parameters, context));
        return node;
    }
    CUgraphNode add_empty(std::vector<CUgraphNode> after = {}) {
        CUgraphNode node = nullptr;
        EXPECT_OK(cu().cuGraphAddEmptyNode(&node, graph, after.data(), after.size()));
        return node;
    }
    CUgraphExec instantiate(unsigned long long flags = 0) {
        CUgraphExec execution = nullptr;
        EXPECT_OK(cu().cuGraphInstantiate(&execution, graph, flags));
        executions_.push_back(execution);
        return execution;
    }
    void run(CUgraphExec execution) {
        if (stream == nullptr) stream = new_stream();
        ASSERT_OK(cu().cuGraphLaunch(execution, stream));
        ASSERT_OK(cu().cuStreamSynchronize(stream));
    }
    void run() { run(instantiate()); }

    CUgraph graph = nullptr;
    CUstream stream = nullptr;

private:
    std::vector<CUgraphExec> executions_;
};

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
}

// Executable graphs.

TEST_F(GraphTest, ExecutableGraphsAreIndependentOfTheGraph) {
    Notes notes;
    const CUgraphNode first = add_host(notes.note(1));
    const CUgraphExec execution = instantiate();
    add_host(notes.note(2), {first});
    run(execution);
    EXPECT_EQ(notes.taken(), std::vector<int>{1});
}

TEST_F(GraphTest, ExecutableGraphsMayBeDestroyedWhileTheyRun) {
    CUdeviceptr pointer = upload(Words(32, 0));
    unsigned n = 32;
    void* parameters[] = {&pointer, &n};
    add_kernel(kernel("increment", 32, parameters));
    CUgraphExec execution = nullptr;
    ASSERT_OK(cu().cuGraphInstantiate(&execution, graph, 0));
    stream = new_stream();
    Gate gate;
    gate.close_in(stream);
    ASSERT_OK(cu().cuGraphLaunch(execution, stream));
    ASSERT_OK(cu().cuGraphExecDestroy(execution));
    gate.open();
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 1));
}

TEST_F(GraphTest, LaunchesOfOneExecutableGraphFollowOneAnother) {
    Notes notes;
    add_host(notes.note(1));
    const CUgraphExec execution = instantiate();
    stream = new_stream();
    const CUstream other = new_stream();
    Gate gate;
    gate.close_in(stream);
    ASSERT_OK(cu().cuGraphLaunch(execution, stream));
    ASSERT_OK(cu().cuGraphLaunch(execution, other));
    std::this_thread::sleep_for(20ms);
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(other));
    EXPECT_EQ(notes.taken().size(), 0u);
    gate.open();
    ASSERT_OK(cu().cuStreamSynchronize(other));
    EXPECT_EQ(notes.taken().size(), 2u);
}

TEST_F(GraphTest, NodesOfExecutableGraphsTakeNewParameters) {
    CUdeviceptr pointer = upload(Words(32, 0));
    unsigned value = 1, n = 32;
    void* parameters[] = {&pointer, &value, &n};
    CUDA_KERNEL_NODE_PARAMS description = kernel("fill", 32, parameters);
    const CUgraphNode node = add_kernel(description);
    const CUgraphExec execution = instantiate();
    value = 2;
    ASSERT_OK(cu().cuGraphExecKernelNodeSetParams(execution, node, &description));
    run(execution);
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 2));
    // The graph itself keeps what it had.
    run();
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 1));
    CUgraphNodeParams common{};
    common.type = CU_GRAPH_NODE_TYPE_KERNEL;
    std::memcpy(&common.kernel, &description, sizeof description);
    value = 3;
    ASSERT_OK(cu().cuGraphExecNodeSetParams(execution, node, &common));
    run(execution);
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 3));
}

TEST_F(GraphTest, OtherNodesOfExecutableGraphsTakeNewParametersToo) {
    const CUdeviceptr pointer = upload(Words(8, 0)), other = upload(Words(8, 5));
    Words result(8, 0);
    Notes notes;
    const CUgraphNode fill = add_memset(memset_words(pointer, 1, 8));
    const CUgraphNode copy = add_copy(copy_to_host(result.data(), pointer, 32), {fill});
    const CUgraphNode host = add_host(notes.note(1), {copy});
    const CUgraphExec execution = instantiate();
    const CUDA_MEMSET_NODE_PARAMS filled = memset_words(pointer, 2, 8);
    ASSERT_OK(cu().cuGraphExecMemsetNodeSetParams(execution, fill, &filled, context));
    const CUDA_MEMCPY3D copied = copy_to_host(result.data(), other, 32);
    ASSERT_OK(cu().cuGraphExecMemcpyNodeSetParams(execution, copy, &copied, context));
    const CUDA_HOST_NODE_PARAMS noted = notes.note(2);
    ASSERT_OK(cu().cuGraphExecHostNodeSetParams(execution, host, &noted));
    run(execution);
    EXPECT_EQ(result, Words(8, 5));
    EXPECT_EQ(download<unsigned>(pointer, 8), Words(8, 2));
    EXPECT_EQ(notes.taken(), std::vector<int>{2});
}

TEST_F(GraphTest, NodesCanBeDisabled) {
    CUdeviceptr pointer = upload(Words(32, 0));
    unsigned n = 32;
    void* parameters[] = {&pointer, &n};
    const CUgraphNode first = add_kernel(kernel("increment", 32, parameters));
    add_kernel(kernel("increment", 32, parameters), {first});
    const CUgraphExec execution = instantiate();
    ASSERT_OK(cu().cuGraphNodeSetEnabled(execution, first, 0));
    unsigned int enabled = 1;
    ASSERT_OK(cu().cuGraphNodeGetEnabled(execution, first, &enabled));
    EXPECT_EQ(enabled, 0u);
    run(execution);
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 1));
    ASSERT_OK(cu().cuGraphNodeSetEnabled(execution, first, 1));
    run(execution);
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 3));
}

class GraphUpdateTest : public GraphTest {
protected:
    void SetUp() override {
        GraphTest::SetUp();
        pointer = upload(Words(32, 0));
    }
    // A fill and an increment behind it, as a graph of its own.
    CUgraph chain(unsigned value, bool with_edge = true) {
        CUgraph made = nullptr;
        EXPECT_OK(cu().cuGraphCreate(&made, 0));
        const CUDA_MEMSET_NODE_PARAMS fill = memset_words(pointer, value, 32);
        CUgraphNode first = nullptr, second = nullptr;
        EXPECT_OK(cu().cuGraphAddMemsetNode(&first, made, nullptr, 0, &fill, context));
        unsigned n = 32;
        void* parameters[] = {&pointer, &n};
        const CUDA_KERNEL_NODE_PARAMS increment = kernel("increment", 32, parameters);
        EXPECT_OK(cu().cuGraphAddKernelNode(&second, made, &first, with_edge ? 1 : 0, &increment));
        return made;
    }
    CUdeviceptr pointer = 0;
};

TEST_F(GraphUpdateTest, TakesOverTheParametersOfAGraphOfTheSameShape) {
    const CUgraph original = chain(10), changed = chain(20);
    CUgraphExec execution = nullptr;
    ASSERT_OK(cu().cuGraphInstantiate(&execution, original, 0));
    CUgraphExecUpdateResultInfo info{};
    ASSERT_OK(cu().cuGraphExecUpdate(execution, changed, &info));
    EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
    run(execution);
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 21));
    EXPECT_OK(cu().cuGraphExecDestroy(execution));
    EXPECT_OK(cu().cuGraphDestroy(original));
    EXPECT_OK(cu().cuGraphDestroy(changed));
}

TEST_F(GraphUpdateTest, RefusesAnotherShape) {
    const CUgraph original = chain(10), changed = chain(20, false), empty = graph;
    CUgraphExec execution = nullptr;
    ASSERT_OK(cu().cuGraphInstantiate(&execution, original, 0));
    CUgraphExecUpdateResultInfo info{};
    EXPECT_CU(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cu().cuGraphExecUpdate(execution, changed, &info));
    EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    EXPECT_CU(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cu().cuGraphExecUpdate(execution, empty, &info));
    EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    EXPECT_EQ(info.errorNode, nullptr);
    run(execution);
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 11)) << "a refused update has changed something";
    EXPECT_OK(cu().cuGraphExecDestroy(execution));
    EXPECT_OK(cu().cuGraphDestroy(original));
    EXPECT_OK(cu().cuGraphDestroy(changed));
}

TEST_F(GraphUpdateTest, RefusesNodesOfAnotherKind) {
    const CUgraph original = chain(10);
    CUgraphExec execution = nullptr;
    ASSERT_OK(cu().cuGraphInstantiate(&execution, original, 0));
    const CUgraphNode first = add_memset(memset_words(pointer, 1, 32)), second = add_empty({first});
    CUgraphExecUpdateResultInfo info{};
    EXPECT_CU(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cu().cuGraphExecUpdate(execution, graph, &info));
    EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
    EXPECT_EQ(info.errorNode, second);
    EXPECT_OK(cu().cuGraphExecDestroy(execution));
    EXPECT_OK(cu().cuGraphDestroy(original));
}

TEST_F(GraphTest, InstantiationChecksItsFlags) {
    CUgraphExec execution = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphInstantiate(&execution, graph, 0x1000));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphInstantiate(&execution, nullptr, 0));
    cuuint64_t flags = 0;
    ASSERT_OK(cu().cuGraphExecGetFlags(instantiate(CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH), &flags));
    EXPECT_EQ(flags, static_cast<cuuint64_t>(CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    ASSERT_OK(cu().cuGraphExecGetFlags(instantiate(CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY), &flags));
    EXPECT_EQ(flags, 0u);
}

TEST_F(GraphTest, CanBeUploadedAhead) {
    add_empty();
    stream = new_stream();
    const CUgraphExec execution = instantiate();
    ASSERT_OK(cu().cuGraphUpload(execution, stream));
    run(execution);
    CUDA_GRAPH_INSTANTIATE_PARAMS parameters{};
    parameters.flags = CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
    parameters.hUploadStream = stream;
    CUgraphExec other = nullptr;
    ASSERT_OK(cu().cuGraphInstantiateWithParams(&other, graph, &parameters));
    EXPECT_EQ(parameters.result_out, CUDA_GRAPH_INSTANTIATE_SUCCESS);
    run(other);
    EXPECT_OK(cu().cuGraphExecDestroy(other));
}

// Memory.

class GraphMemoryTest : public GraphTest {
protected:
    CUDA_MEM_ALLOC_NODE_PARAMS words(size_t count) {
        CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
        parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        parameters.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
        parameters.bytesize = count * 4;
        return parameters;
    }
    CUgraphNode add_free(CUdeviceptr pointer, CUgraphNode after) {
        CUgraphNode node = nullptr;
        EXPECT_OK(cu().cuGraphAddMemFreeNode(&node, graph, &after, 1, pointer));
        return node;
    }
};

TEST_F(GraphMemoryTest, IsAllocatedAndFreedByNodes) {
    CUDA_MEM_ALLOC_NODE_PARAMS memory = words(32);
    CUgraphNode allocation = nullptr;
    ASSERT_OK(cu().cuGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &memory));
    ASSERT_NE(memory.dptr, 0u);
    unsigned n = 32;
    void* parameters[] = {&memory.dptr, &n};
    Words result(32, 0);
    const CUgraphNode fill = add_memset(memset_words(memory.dptr, 6, 32), {allocation});
    const CUgraphNode increment = add_kernel(kernel("increment", 32, parameters), {fill});
    const CUgraphNode copy = add_copy(copy_to_host(result.data(), memory.dptr, 128), {increment});
    const CUgraphNode release = add_free(memory.dptr, copy);
    CUdeviceptr freed = 0;
    ASSERT_OK(cu().cuGraphMemFreeNodeGetParams(release, &freed));
    EXPECT_EQ(freed, memory.dptr);
    CUDA_MEM_ALLOC_NODE_PARAMS found{};
    ASSERT_OK(cu().cuGraphMemAllocNodeGetParams(allocation, &found));
    EXPECT_EQ(found.dptr, memory.dptr);
    EXPECT_EQ(found.bytesize, 128u);
    const CUgraphExec execution = instantiate();
    run(execution);
    run(execution);
    EXPECT_EQ(result, Words(32, 7));
}

TEST_F(GraphMemoryTest, MayBeFreedOutsideOfTheGraph) {
    CUDA_MEM_ALLOC_NODE_PARAMS memory = words(32);
    CUgraphNode allocation = nullptr;
    ASSERT_OK(cu().cuGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &memory));
    add_memset(memset_words(memory.dptr, 6, 32), {allocation});
    const CUgraphExec execution = instantiate();
    run(execution);
    EXPECT_EQ(download<unsigned>(memory.dptr, 32), Words(32, 6));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphLaunch(execution, stream)) << "the memory has not been freed";
    ASSERT_OK(cu().cuMemFreeAsync(memory.dptr, stream));
    run(execution);
    ASSERT_OK(cu().cuMemFree(memory.dptr));
}

TEST_F(GraphMemoryTest, IsFreedByTheNextLaunchIfSo) {
    CUDA_MEM_ALLOC_NODE_PARAMS memory = words(32);
    CUgraphNode allocation = nullptr;
    ASSERT_OK(cu().cuGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &memory));
    add_memset(memset_words(memory.dptr, 6, 32), {allocation});
    const CUgraphExec execution = instantiate(CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    run(execution);
    run(execution);
    EXPECT_EQ(download<unsigned>(memory.dptr, 32), Words(32, 6));
    ASSERT_OK(cu().cuMemFreeAsync(memory.dptr, stream));
}

TEST_F(GraphMemoryTest, KeepsTheGraphFromBeingClonedAndItsNodesFromBeingRemoved) {
    CUDA_MEM_ALLOC_NODE_PARAMS memory = words(32);
    CUgraphNode allocation = nullptr, again = nullptr;
    ASSERT_OK(cu().cuGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &memory));
    const CUgraphNode release = add_free(memory.dptr, allocation);
    CUgraph clone = nullptr;
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu().cuGraphClone(&clone, graph));
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu().cuGraphDestroyNode(allocation));
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu().cuGraphRemoveDependencies(graph, &allocation, &release, nullptr, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphAddMemFreeNode(&again, graph, &allocation, 1, memory.dptr));
}

// User objects.

void count_destruction(void* counter) {
    ++*static_cast<std::atomic<int>*>(counter);
}

bool becomes(const std::atomic<int>& counter, int value) {
    for (int round = 0; round < 2000 && counter != value; ++round) {
        std::this_thread::sleep_for(1ms);
    }
    return counter == value;
}

TEST_F(GraphTest, UserObjectsLiveAsLongAsTheGraphsThatHoldThem) {
    static std::atomic<int> destroyed;
    destroyed = 0;
    CUuserObject object = nullptr;
    ASSERT_OK(cu().cuUserObjectCreate(&object, &destroyed, count_destruction, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    CUgraph owner = nullptr;
    ASSERT_OK(cu().cuGraphCreate(&owner, 0));
    ASSERT_OK(cu().cuGraphRetainUserObject(owner, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    CUgraphExec execution = nullptr;
    ASSERT_OK(cu().cuGraphInstantiate(&execution, owner, 0));
    ASSERT_OK(cu().cuGraphDestroy(owner));
    run(execution);
    EXPECT_EQ(destroyed, 0);
    ASSERT_OK(cu().cuGraphExecDestroy(execution));
    EXPECT_TRUE(becomes(destroyed, 1));
}

TEST_F(GraphTest, UserObjectsAreCounted) {
    static std::atomic<int> destroyed;
    destroyed = 0;
    CUuserObject object = nullptr;
    ASSERT_OK(cu().cuUserObjectCreate(&object, &destroyed, count_destruction, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    ASSERT_OK(cu().cuUserObjectRetain(object, 2));
    ASSERT_OK(cu().cuGraphRetainUserObject(graph, object, 1, 0));
    ASSERT_OK(cu().cuUserObjectRelease(object, 3));
    std::this_thread::sleep_for(5ms);
    EXPECT_EQ(destroyed, 0);
    ASSERT_OK(cu().cuGraphReleaseUserObject(graph, object, 1));
    EXPECT_TRUE(becomes(destroyed, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuUserObjectCreate(&object, nullptr, count_destruction, 1, 0));
}

TEST_F(GraphTest, CanBePrinted) {
    CUdeviceptr pointer = allocate(64);
    unsigned n = 16;
    void* parameters[] = {&pointer, &n};
    const CUgraphNode first = add_kernel(kernel("increment", 16, parameters));
    add_empty({first});
    char path[] = "/tmp/cuprum_graph_XXXXXX";
    const int file = mkstemp(path);
    ASSERT_GE(file, 0);
    close(file);
    ASSERT_OK(cu().cuGraphDebugDotPrint(graph, path, CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
    std::ifstream in(path);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    EXPECT_NE(text.find("digraph"), std::string::npos) << text;
    EXPECT_NE(text.find("increment"), std::string::npos) << text;
    EXPECT_NE(text.find("->"), std::string::npos) << text;
    std::remove(path);
}

}  // namespace
}  // namespace cuprum::test
