// What the simulator finds in graphs that a GPU would let pass.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

class GraphStrictnessTest : public DriverTest {
protected:
    void SetUp() override {
        DriverTest::SetUp();
        if (cu().cuGraphCreate(&graph, 0) != CUDA_SUCCESS) FAIL() << "no graph";
    }
    CUdeviceptr add_allocation(CUgraphNode* node) {
        CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
        parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        parameters.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
        parameters.bytesize = 128;
        EXPECT_OK(cu().cuGraphAddMemAllocNode(node, graph, nullptr, 0, &parameters));
        return parameters.dptr;
    }
    CUgraphNode add_fill(CUdeviceptr pointer, std::vector<CUgraphNode> after = {}) {
        CUDA_MEMSET_NODE_PARAMS fill{};
        fill.dst = pointer;
        fill.value = 1;
        fill.elementSize = 4;
        fill.width = 32;
        fill.height = 1;
        CUgraphNode node = nullptr;
        EXPECT_OK(cu().cuGraphAddMemsetNode(&node, graph, after.data(), after.size(), &fill, context));
        return node;
    }
    CUresult run() {
        CUgraphExec execution = nullptr;
        const CUstream stream = new_stream();
        EXPECT_OK(cu().cuGraphInstantiate(&execution, graph, 0));
        EXPECT_OK(cu().cuGraphLaunch(execution, stream));
        return cu().cuStreamSynchronize(stream);
    }

    CUgraph graph = nullptr;
};

// A context out of service cannot be put away as TearDown does; these tests end their processes instead.
[[noreturn]] void leave() {
    _exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST_F(GraphStrictnessTest, FreshGraphMemoryIsPoisoned) {
    CUgraphNode node = nullptr;
    const CUdeviceptr pointer = add_allocation(&node);
    ASSERT_OK(run());
    EXPECT_EQ(download<unsigned>(pointer, 32), std::vector<unsigned>(32, 0xCBCBCBCB));
    ASSERT_OK(cu().cuMemFree(pointer));
    ASSERT_OK(cu().cuGraphDestroy(graph));
}

TEST_F(GraphStrictnessTest, MemoryIsNotTouchedAfterItsFreeNode) {
    if (!in_process_of_its_own()) return;
    CUgraphNode allocation = nullptr, release = nullptr;
    const CUdeviceptr pointer = add_allocation(&allocation);
    ASSERT_OK(cu().cuGraphAddMemFreeNode(&release, graph, &allocation, 1, pointer));
    add_fill(pointer, {release});
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, run());
    leave();
}

TEST_F(GraphStrictnessTest, NodesDoNotTouchMemoryThatWasFreedSince) {
    if (!in_process_of_its_own()) return;
    CUdeviceptr pointer = 0;
    ASSERT_OK(cu().cuMemAlloc(&pointer, 128));
    add_fill(pointer);
    ASSERT_OK(cu().cuMemFree(pointer));
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, run());
    leave();
}

TEST_F(GraphStrictnessTest, CopiesDoNotReadMemoryAfterItsFreeNode) {
    if (!in_process_of_its_own()) return;
    CUgraphNode allocation = nullptr, release = nullptr, copy = nullptr;
    const CUdeviceptr pointer = add_allocation(&allocation);
    ASSERT_OK(cu().cuGraphAddMemFreeNode(&release, graph, &allocation, 1, pointer));
    CUDA_MEMCPY3D parameters{};
    parameters.srcMemoryType = parameters.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    parameters.srcDevice = pointer;
    parameters.dstDevice = allocate(128);
    parameters.WidthInBytes = 128;
    parameters.Height = parameters.Depth = 1;
    ASSERT_OK(cu().cuGraphAddMemcpyNode(&copy, graph, &release, 1, &parameters, context));
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, run());
    leave();
}

TEST_F(GraphStrictnessTest, AFaultInAGraphPutsTheContextOutOfService) {
    if (!in_process_of_its_own()) return;
    CUDA_KERNEL_NODE_PARAMS kernel{};
    kernel.func = function("stop");
    kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = kernel.blockDimX = kernel.blockDimY = kernel.blockDimZ = 1;
    CUgraphNode node = nullptr;
    ASSERT_OK(cu().cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, run());
    CUdeviceptr pointer = 0;
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuMemAlloc(&pointer, 64));
    leave();
}

TEST_F(GraphStrictnessTest, DestroyedGraphsAndNodesAreRecognised) {
    CUgraph gone = nullptr;
    CUgraphNode node = nullptr;
    ASSERT_OK(cu().cuGraphCreate(&gone, 0));
    ASSERT_OK(cu().cuGraphAddEmptyNode(&node, gone, nullptr, 0));
    ASSERT_OK(cu().cuGraphDestroy(gone));
    CUgraphNodeType type{};
    size_t count = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphNodeGetType(node, &type));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphGetNodes(gone, nullptr, &count));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphDestroy(gone));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphDestroy(reinterpret_cast<CUgraph>(new_stream())));
    ASSERT_OK(cu().cuGraphDestroy(graph));
}

// Two nodes without an edge between them come in either order; that takes a seed to be seen.
TEST_F(GraphStrictnessTest, UnorderedNodesRunInSomeOrder) {
    if (!in_process_of_its_own({"CUPRUM_SIM=seed=5"})) return;
    struct Place {
        std::atomic<int> next{0};
        int first = 0, second = 0;
    } place;
    const auto add = [&](CUhostFn note) {
        const CUDA_HOST_NODE_PARAMS host{note, &place};
        CUgraphNode node = nullptr;
        ASSERT_OK(cu().cuGraphAddHostNode(&node, graph, nullptr, 0, &host));
    };
    add([](void* data) { static_cast<Place*>(data)->first = ++static_cast<Place*>(data)->next; });
    add([](void* data) { static_cast<Place*>(data)->second = ++static_cast<Place*>(data)->next; });
    int in_order = 0, reversed = 0;
    for (int round = 0; round < 200 && (in_order == 0 || reversed == 0); ++round) {
        place.next = 0;
        ASSERT_OK(run());
        ++(place.first < place.second ? in_order : reversed);
    }
    EXPECT_GT(in_order, 0);
    EXPECT_GT(reversed, 0);
}

// What a program would read now, had it forgotten to wait, is what was there before: a copy of four bytes has not run a
// millisecond later.
TEST_F(GraphStrictnessTest, WorkIsHeldBackUntilSomebodyWaitsForIt) {
    if (!in_process_of_its_own({"CUPRUM_SIM=seed=5"})) return;
    const CUstream stream = new_stream();
    const CUdeviceptr from = allocate(4), to = allocate(4);
    int held = 0;
    for (int round = 0; round < 100; ++round) {
        ASSERT_OK(cu().cuMemcpyDtoDAsync(to, from, 4, stream));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (cu().cuStreamQuery(stream) == CUDA_ERROR_NOT_READY) ++held;
        ASSERT_OK(cu().cuStreamSynchronize(stream));
    }
    EXPECT_GT(held, 0);
}

}  // namespace
}  // namespace cuprum::test
