// Launches in clusters of blocks, in streams and in graphs. On a GPU these need one of compute capability 9.0 or later.
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

// Each block says how many blocks its cluster has, and its rank there.
const char* const text = R"ptx(
.version 8.0
.target sm_90
.address_size 64
.visible .entry ranks(.param .u64 out) {
    .reg .b32 %r<5>; .reg .b64 %d<4>;
    ld.param.u64 %d0, [out]; mov.u32 %r0, %ctaid.x; mul.wide.u32 %d1, %r0, 8; add.u64 %d2, %d0, %d1;
    mov.u32 %r1, %cluster_nctarank; mov.u32 %r2, %cluster_ctarank; st.global.v2.u32 [%d2], {%r1, %r2};
    ret;
}
.visible .entry pairs(.param .u64 out) .reqnctapercluster 2, 1, 1 {
    .reg .b32 %r<5>; .reg .b64 %d<4>;
    ld.param.u64 %d0, [out]; mov.u32 %r0, %ctaid.x; mul.wide.u32 %d1, %r0, 8; add.u64 %d2, %d0, %d1;
    mov.u32 %r1, %cluster_nctarank; mov.u32 %r2, %cluster_ctarank; st.global.v2.u32 [%d2], {%r1, %r2};
    ret;
}
)ptx";

class ClusterLaunchTest : public DriverTest {
protected:
    static bool in_its_process() { return in_process_of_its_own({"CUPRUM_SIM=cc=9.0"}); }

    CUfunction kernel(const char* name) {
        CUmodule loaded = nullptr;
        EXPECT_OK(cu().cuModuleLoadData(&loaded, text));
        CUfunction found = nullptr;
        EXPECT_OK(cu().cuModuleGetFunction(&found, loaded, name));
        return found;
    }
    // In clusters of `cluster` blocks; 0: without the attribute.
    CUresult launch_in_clusters(CUfunction run, unsigned int blocks, unsigned int cluster, CUdeviceptr out) {
        CUlaunchAttribute attribute{};
        attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attribute.value.clusterDim = {cluster, 1, 1};
        CUlaunchConfig config{};
        config.gridDimX = blocks;
        config.gridDimY = config.gridDimZ = 1;
        config.blockDimX = config.blockDimY = config.blockDimZ = 1;
        config.hStream = stream_;
        config.attrs = &attribute;
        config.numAttrs = cluster == 0 ? 0 : 1;
        void* parameters[] = {&out};
        return cu().cuLaunchKernelEx(&config, run, parameters, nullptr);
    }
    static std::vector<unsigned> expected(unsigned blocks, unsigned cluster) {
        std::vector<unsigned> values;
        for (unsigned block = 0; block < blocks; ++block) {
            values.push_back(cluster);
            values.push_back(block % cluster);
        }
        return values;
    }
    void expect_ranks(CUfunction run, unsigned int blocks, unsigned int given, unsigned int cluster) {
        const CUdeviceptr out = allocate(8 * blocks);
        ASSERT_OK(launch_in_clusters(run, blocks, given, out));
        ASSERT_OK(cu().cuStreamSynchronize(stream_));
        EXPECT_EQ(download<unsigned>(out, 2 * blocks), expected(blocks, cluster));
    }
    CUstream stream_ = nullptr;
};

TEST_F(ClusterLaunchTest, ALaunchOrTheKernelSaysWhatAClusterIs) {
    if (!in_its_process()) return;
    expect_ranks(kernel("ranks"), 12, 0, 1);
    expect_ranks(kernel("ranks"), 12, 4, 4);
    expect_ranks(kernel("pairs"), 6, 0, 2);
    expect_ranks(kernel("pairs"), 6, 2, 2);
    int width = -1;
    EXPECT_OK(cu().cuFuncGetAttribute(&width, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, kernel("pairs")));
    EXPECT_EQ(width, 2);
}

TEST_F(ClusterLaunchTest, MoreThanEightBlocksAreAllowedByTheFunction) {
    if (!in_its_process()) return;
    const CUfunction ranks = kernel("ranks");
    const CUdeviceptr out = allocate(8 * 32);
    EXPECT_CU(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch_in_clusters(ranks, 32, 16, out));
    EXPECT_CU(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch_in_clusters(ranks, 32, 32, out));
    EXPECT_OK(cu().cuFuncSetAttribute(ranks, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
    expect_ranks(ranks, 32, 16, 16);
}

TEST_F(ClusterLaunchTest, AGridIsAWholeNumberOfClusters) {
    if (!in_its_process()) return;
    EXPECT_CU(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch_in_clusters(kernel("ranks"), 6, 4, allocate(64)));
    EXPECT_CU(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch_in_clusters(kernel("pairs"), 3, 0, allocate(64)));
}

TEST_F(ClusterLaunchTest, AreCapturedAndChangedInGraphs) {
    if (!in_its_process()) return;
    stream_ = new_stream();
    const CUdeviceptr out = allocate(8 * 8);
    ASSERT_OK(cu().cuStreamBeginCapture(stream_, CU_STREAM_CAPTURE_MODE_RELAXED));
    ASSERT_OK(launch_in_clusters(kernel("ranks"), 8, 4, out));
    CUgraph graph = nullptr;
    ASSERT_OK(cu().cuStreamEndCapture(stream_, &graph));
    CUgraphNode node = nullptr;
    size_t nodes = 1;
    ASSERT_OK(cu().cuGraphGetNodes(graph, &node, &nodes));
    const auto ranks_of_graph = [&] {
        CUgraphExec executable = nullptr;
        EXPECT_OK(cu().cuGraphInstantiate(&executable, graph, 0));
        EXPECT_OK(cu().cuGraphLaunch(executable, stream_));
        EXPECT_OK(cu().cuStreamSynchronize(stream_));
        EXPECT_OK(cu().cuGraphExecDestroy(executable));
        return download<unsigned>(out, 16);
    };
    EXPECT_EQ(ranks_of_graph(), expected(8, 4));
    CUlaunchAttributeValue value{};
    ASSERT_OK(cu().cuGraphKernelNodeGetAttribute(node, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value));
    EXPECT_EQ(value.clusterDim.x, 4U);
    value.clusterDim = {2, 1, 1};
    ASSERT_OK(cu().cuGraphKernelNodeSetAttribute(node, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value));
    EXPECT_EQ(ranks_of_graph(), expected(8, 2));
    EXPECT_OK(cu().cuGraphDestroy(graph));
}

}  // namespace
}  // namespace cuprum::test
