// Executable graphs: launches, updates, new parameters.
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "graph_fixture.hpp"

namespace cuprum::test {
namespace {

using namespace std::chrono_literals;

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

TEST_F(GraphTest, RectanglesToFillKeepTheirSize) {
    const CUdeviceptr pointer = upload(Words(16, 0)), other = upload(Words(16, 0));
    CUDA_MEMSET_NODE_PARAMS rectangle = memset_words(pointer, 1, 2);
    rectangle.height = 3;
    rectangle.pitch = 16;
    const CUgraphNode node = add_memset(rectangle);
    const CUgraphExec execution = instantiate();
    const auto set = [&](auto change) {
        CUDA_MEMSET_NODE_PARAMS changed = rectangle;
        change(changed);
        return cu().cuGraphExecMemsetNodeSetParams(execution, node, &changed, context);
    };
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, set([](auto& changed) { changed.width = 1; }));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, set([](auto& changed) { changed.height = 2; }));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, set([](auto& changed) { changed.elementSize = 2; }));
    ASSERT_OK(set([&](auto& changed) {
        changed.dst = other;
        changed.value = 2;
    }));
    run(execution);
    EXPECT_EQ(download<unsigned>(pointer, 16), Words(16, 0));
    EXPECT_EQ(download<unsigned>(other, 16), (Words{2, 2, 0, 0, 2, 2, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0}));
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

TEST_F(GraphUpdateTest, TakesOverTheParametersInChildGraphsToo) {
    const auto parent_of = [&](CUgraph child) {
        CUgraph parent = nullptr;
        CUgraphNode node = nullptr;
        EXPECT_OK(cu().cuGraphCreate(&parent, 0));
        EXPECT_OK(cu().cuGraphAddChildGraphNode(&node, parent, nullptr, 0, child));
        EXPECT_OK(cu().cuGraphDestroy(child));
        return parent;
    };
    const CUgraph original = parent_of(chain(10)), changed = parent_of(chain(20));
    CUgraphExec execution = nullptr;
    ASSERT_OK(cu().cuGraphInstantiate(&execution, original, 0));
    CUgraphExecUpdateResultInfo info{};
    ASSERT_OK(cu().cuGraphExecUpdate(execution, changed, &info));
    run(execution);
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 21));
    EXPECT_OK(cu().cuGraphExecDestroy(execution));
    CUgraphExec later = nullptr;
    ASSERT_OK(cu().cuGraphInstantiate(&later, changed, 0));
    run(later);
    EXPECT_EQ(download<unsigned>(pointer, 32), Words(32, 21)) << "the update has changed the graph that it was given";
    EXPECT_OK(cu().cuGraphExecDestroy(later));
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

}  // namespace
}  // namespace cuprum::test
