// Conditional nodes of graphs, and cudaGraphSetConditional in kernels (CUDA 12.3).
#include "driver_api.hpp"

namespace cuprum::test {
namespace {

// set: sets a condition. count_down: takes 1 from *counter, adds 1 to *rounds, and sets the condition to whether
// *counter is not 0. As NVRTC compiles calls of cudaGraphSetConditional.
constexpr char kernels[] = R"(.version 8.3
.target sm_75
.address_size 64
.extern .func cudaGraphSetConditional (.param .b64 condition, .param .b32 value);
.visible .entry set(.param .u64 condition, .param .u32 value)
{
    .reg .b64 %condition;
    .reg .b32 %value;
    ld.param.u64 %condition, [condition];
    ld.param.u32 %value, [value];
    {
        .param .b64 param0;
        st.param.b64 [param0+0], %condition;
        .param .b32 param1;
        st.param.b32 [param1+0], %value;
        call.uni cudaGraphSetConditional, (param0, param1);
    }
    ret;
}
.visible .entry count_down(.param .u64 condition, .param .u64 counter, .param .u64 rounds)
{
    .reg .b64 %condition, %counter, %rounds;
    .reg .b32 %left, %done, %value;
    .reg .pred %more;
    ld.param.u64 %condition, [condition];
    ld.param.u64 %counter, [counter];
    ld.param.u64 %rounds, [rounds];
    ld.global.u32 %left, [%counter];
    sub.u32 %left, %left, 1;
    st.global.u32 [%counter], %left;
    ld.global.u32 %done, [%rounds];
    add.u32 %done, %done, 1;
    st.global.u32 [%rounds], %done;
    setp.ne.u32 %more, %left, 0;
    selp.u32 %value, 1, 0, %more;
    {
        .param .b64 param0;
        st.param.b64 [param0+0], %condition;
        .param .b32 param1;
        st.param.b32 [param1+0], %value;
        call.uni cudaGraphSetConditional, (param0, param1);
    }
    ret;
}
)";

class ConditionalNodeTest : public DriverTest {
protected:
    void SetUp() override {
        DriverTest::SetUp();
        ASSERT_OK(cu().cuModuleLoadData(&loaded_, kernels));
        ASSERT_OK(cu().cuModuleGetFunction(&set_, loaded_, "set"));
        ASSERT_OK(cu().cuModuleGetFunction(&count_down_, loaded_, "count_down"));
        ASSERT_OK(cu().cuGraphCreate(&graph_, 0));
    }
    void TearDown() override {
        for (const CUgraphExec execution : executions_)
            EXPECT_OK(cu().cuGraphExecDestroy(execution));
        EXPECT_OK(cu().cuGraphDestroy(graph_));
        EXPECT_OK(cu().cuModuleUnload(loaded_));
        DriverTest::TearDown();
    }

    CUgraphConditionalHandle condition(unsigned int initial) {
        CUgraphConditionalHandle handle = 0;
        EXPECT_OK(cu().cuGraphConditionalHandleCreate(&handle, graph_, context, initial, CU_GRAPH_COND_ASSIGN_DEFAULT));
        return handle;
    }
    static CUgraphNodeParams parameters(CUgraphConditionalHandle handle, CUgraphConditionalNodeType type,
                                        unsigned int size, CUcontext owner) {
        CUgraphNodeParams parameters{};
        parameters.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
        parameters.conditional.handle = handle;
        parameters.conditional.type = type;
        parameters.conditional.size = size;
        parameters.conditional.ctx = owner;
        return parameters;
    }
    // The bodies of a new conditional node.
    std::vector<CUgraph> add_conditional(CUgraph graph, CUgraphConditionalHandle handle,
                                         CUgraphConditionalNodeType type, unsigned int size,
                                         const std::vector<CUgraphNode>& after = {}) {
        CUgraphNodeParams given = parameters(handle, type, size, context);
        EXPECT_OK(cu().cuGraphAddNode(&conditional_, graph, after.data(), nullptr, after.size(), &given));
        if (given.conditional.phGraph_out == nullptr) return std::vector<CUgraph>(size);
        return {given.conditional.phGraph_out, given.conditional.phGraph_out + size};
    }
    CUgraphNode add_kernel(CUgraph graph, CUfunction kernel, std::vector<void*> arguments) {
        CUDA_KERNEL_NODE_PARAMS node{};
        node.func = kernel;
        node.gridDimX = node.gridDimY = node.gridDimZ = 1;
        node.blockDimX = node.blockDimY = node.blockDimZ = 1;
        node.kernelParams = arguments.data();
        CUgraphNode added = nullptr;
        EXPECT_OK(cu().cuGraphAddKernelNode(&added, graph, nullptr, 0, &node));
        return added;
    }
    // Sets a byte to 1.
    void add_mark(CUgraph graph, CUdeviceptr byte) {
        CUDA_MEMSET_NODE_PARAMS fill{};
        fill.dst = byte;
        fill.value = 1;
        fill.elementSize = 1;
        fill.width = fill.height = 1;
        CUgraphNode added = nullptr;
        EXPECT_OK(cu().cuGraphAddMemsetNode(&added, graph, nullptr, 0, &fill, context));
    }
    CUgraphExec instantiate() {
        CUgraphExec execution = nullptr;
        EXPECT_OK(cu().cuGraphInstantiate(&execution, graph_, 0));
        executions_.push_back(execution);
        return execution;
    }
    void run(CUgraphExec execution) {
        ASSERT_OK(cu().cuGraphLaunch(execution, nullptr));
        ASSERT_OK(cu().cuCtxSynchronize());
    }

    CUmodule loaded_ = nullptr;
    CUfunction set_ = nullptr, count_down_ = nullptr;
    CUgraph graph_ = nullptr;
    CUgraphNode conditional_ = nullptr;
    std::vector<CUgraphExec> executions_;
};

TEST_F(ConditionalNodeTest, AnIfRunsItsBodyWhereTheDefaultValueSaysSo) {
    const CUdeviceptr marks = upload<uint8_t>({0, 0});
    add_mark(add_conditional(graph_, condition(1), CU_GRAPH_COND_TYPE_IF, 1)[0], marks);
    add_mark(add_conditional(graph_, condition(0), CU_GRAPH_COND_TYPE_IF, 1)[0], marks + 1);
    run(instantiate());
    EXPECT_EQ(download<uint8_t>(marks, 2), (std::vector<uint8_t>{1, 0}));
}

TEST_F(ConditionalNodeTest, ExecutableGraphsHaveBodiesOfTheirOwn) {
    const CUdeviceptr marks = upload<uint8_t>({0, 0});
    const CUgraph body = add_conditional(graph_, condition(1), CU_GRAPH_COND_TYPE_IF, 1)[0];
    add_mark(body, marks);
    const CUgraphExec execution = instantiate();
    add_mark(body, marks + 1);
    run(execution);
    EXPECT_EQ(download<uint8_t>(marks, 2), (std::vector<uint8_t>{1, 0}));
}

TEST_F(ConditionalNodeTest, AnIfWithTwoBodiesRunsTheSecondForZero) {
    const CUdeviceptr marks = upload<uint8_t>({0, 0});
    const std::vector<CUgraph> bodies = add_conditional(graph_, condition(0), CU_GRAPH_COND_TYPE_IF, 2);
    add_mark(bodies[0], marks);
    add_mark(bodies[1], marks + 1);
    run(instantiate());
    EXPECT_EQ(download<uint8_t>(marks, 2), (std::vector<uint8_t>{0, 1}));
}

TEST_F(ConditionalNodeTest, AKernelDecidesAndTheDefaultIsBackAtTheNextLaunch) {
    CUdeviceptr counter = upload<int>({1, 0});
    CUdeviceptr rounds = counter + sizeof(int);
    const CUdeviceptr mark = upload<uint8_t>({0});
    CUgraphConditionalHandle handle = condition(0);
    const CUgraphNode decision = add_kernel(graph_, count_down_, {&handle, &counter, &rounds});
    add_mark(add_conditional(graph_, handle, CU_GRAPH_COND_TYPE_IF, 1, {decision})[0], mark);
    const CUgraphExec execution = instantiate();
    run(execution);  // 1 becomes 0
    EXPECT_EQ(download<uint8_t>(mark, 1)[0], 0);
    run(execution);  // 0 becomes -1
    EXPECT_EQ(download<uint8_t>(mark, 1)[0], 1);
}

TEST_F(ConditionalNodeTest, AWhileRunsUntilItsConditionIsZeroAtEachLaunch) {
    CUdeviceptr counter = upload<int>({5, 0});
    CUdeviceptr rounds = counter + sizeof(int);
    CUgraphConditionalHandle handle = condition(1);
    add_kernel(add_conditional(graph_, handle, CU_GRAPH_COND_TYPE_WHILE, 1)[0], count_down_,
               {&handle, &counter, &rounds});
    const CUgraphExec execution = instantiate();
    run(execution);
    EXPECT_EQ(download<int>(counter, 2), (std::vector<int>{0, 5}));
    ASSERT_OK(cu().cuMemsetD32(counter, 3, 1));
    run(execution);
    EXPECT_EQ(download<int>(counter, 2), (std::vector<int>{0, 8}));
}

TEST_F(ConditionalNodeTest, ASwitchRunsTheBodyOfItsValueOrNone) {
    for (const unsigned int value : {0u, 2u, 3u}) {
        ASSERT_OK(cu().cuGraphDestroy(graph_));
        ASSERT_OK(cu().cuGraphCreate(&graph_, 0));
        const CUdeviceptr marks = upload<uint8_t>({0, 0, 0});
        CUgraphConditionalHandle handle = condition(1);
        unsigned int given = value;
        const CUgraphNode decision = add_kernel(graph_, set_, {&handle, &given});
        const std::vector<CUgraph> bodies = add_conditional(graph_, handle, CU_GRAPH_COND_TYPE_SWITCH, 3, {decision});
        for (size_t index = 0; index < bodies.size(); ++index)
            add_mark(bodies[index], marks + index);
        run(instantiate());
        std::vector<uint8_t> expected(3);
        if (value < expected.size()) expected[value] = 1;
        EXPECT_EQ(download<uint8_t>(marks, 3), expected) << value;
    }
}

TEST_F(ConditionalNodeTest, BodiesHoldConditionalNodes) {
    // As often as the outer loop runs, twice, the inner one adds three rounds.
    CUdeviceptr counters = upload<int>({2, 0, 3, 0});
    CUdeviceptr outer_rounds = counters + 4, inner = counters + 8, inner_rounds = counters + 12;
    CUgraphConditionalHandle outer_handle = condition(1), inner_handle = condition(1);
    const CUgraph outer = add_conditional(graph_, outer_handle, CU_GRAPH_COND_TYPE_WHILE, 1)[0];
    add_kernel(outer, count_down_, {&outer_handle, &counters, &outer_rounds});
    const CUgraph body = add_conditional(outer, inner_handle, CU_GRAPH_COND_TYPE_WHILE, 1)[0];
    add_kernel(body, count_down_, {&inner_handle, &inner, &inner_rounds});
    run(instantiate());
    // The inner condition is 0 when the outer loop comes round again: defaults are applied once a launch.
    EXPECT_EQ(download<int>(counters, 4), (std::vector<int>{0, 2, 0, 3}));
}

TEST_F(ConditionalNodeTest, TheirNodesAreOfTheConditionalType) {
    add_conditional(graph_, condition(0), CU_GRAPH_COND_TYPE_IF, 1);
    CUgraphNodeType type{};
    ASSERT_OK(cu().cuGraphNodeGetType(conditional_, &type));
    EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_CONDITIONAL);
}

TEST_F(ConditionalNodeTest, HandlesAndNodesAreChecked) {
    CUgraphConditionalHandle handle = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphConditionalHandleCreate(&handle, graph_, context, 0, 2));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphConditionalHandleCreate(nullptr, graph_, context, 0, 0));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphConditionalHandleCreate(&handle, nullptr, context, 0, 0));
    EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu().cuGraphConditionalHandleCreate(&handle, graph_, nullptr, 0, 0));
    handle = condition(0);
    const auto refused = [&](CUgraphNodeParams given) {
        CUgraphNode node = nullptr;
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphAddNode(&node, graph_, nullptr, nullptr, 0, &given));
    };
    refused(parameters(handle, CU_GRAPH_COND_TYPE_IF, 0, context));
    refused(parameters(handle, CU_GRAPH_COND_TYPE_IF, 3, context));
    refused(parameters(handle, CU_GRAPH_COND_TYPE_WHILE, 2, context));
    refused(parameters(123456789, CU_GRAPH_COND_TYPE_IF, 1, context));
    const std::vector<CUgraph> bodies = add_conditional(graph_, handle, CU_GRAPH_COND_TYPE_IF, 1);
    refused(parameters(handle, CU_GRAPH_COND_TYPE_IF, 1, context));  // used already
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphDestroy(bodies[0]));
    CUgraph copy = nullptr;
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu().cuGraphClone(&copy, graph_));
}

TEST_F(ConditionalNodeTest, AGraphWithAnUnusedHandleCannotBeInstantiated) {
    condition(0);
    CUgraphExec execution = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphInstantiate(&execution, graph_, 0));
}

TEST_F(ConditionalNodeTest, AGraphWithThemHasOneExecutableGraphAtATime) {
    add_conditional(graph_, condition(0), CU_GRAPH_COND_TYPE_IF, 1);
    instantiate();
    CUgraphExec execution = nullptr;
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu().cuGraphInstantiate(&execution, graph_, 0));
}

TEST_F(ConditionalNodeTest, BodiesHoldNoHostFunctions) {
    const CUgraph body = add_conditional(graph_, condition(0), CU_GRAPH_COND_TYPE_IF, 1)[0];
    const CUDA_HOST_NODE_PARAMS host{[](void*) {}, nullptr};
    CUgraphNode added = nullptr;
    ASSERT_OK(cu().cuGraphAddHostNode(&added, body, nullptr, 0, &host));
    CUgraphExec execution = nullptr;
    CUDA_GRAPH_INSTANTIATE_PARAMS asked{};
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphInstantiateWithParams(&execution, graph_, &asked));
    EXPECT_EQ(asked.result_out, CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED);
}

TEST_F(ConditionalNodeTest, WithoutADefaultAConditionIsZeroAtFirst) {
    CUgraphConditionalHandle handle = 0;
    ASSERT_OK(cu().cuGraphConditionalHandleCreate(&handle, graph_, context, 1, 0));
    const CUdeviceptr marks = upload<uint8_t>({0, 0});
    const std::vector<CUgraph> bodies = add_conditional(graph_, handle, CU_GRAPH_COND_TYPE_IF, 2);
    add_mark(bodies[0], marks);
    add_mark(bodies[1], marks + 1);
    run(instantiate());
    EXPECT_EQ(download<uint8_t>(marks, 2), (std::vector<uint8_t>{0, 1}));
}

TEST_F(ConditionalNodeTest, AnUpdateReplacesWhatIsInTheBodies) {
    const CUdeviceptr marks = upload<uint8_t>({0, 0});
    add_mark(add_conditional(graph_, condition(1), CU_GRAPH_COND_TYPE_IF, 1)[0], marks);
    const CUgraphExec execution = instantiate();
    ASSERT_OK(cu().cuGraphDestroy(graph_));
    ASSERT_OK(cu().cuGraphCreate(&graph_, 0));
    add_mark(add_conditional(graph_, condition(1), CU_GRAPH_COND_TYPE_IF, 1)[0], marks + 1);
    CUgraphExecUpdateResultInfo information{};
    ASSERT_OK(cu().cuGraphExecUpdate(execution, graph_, &information));
    run(execution);
    EXPECT_EQ(download<uint8_t>(marks, 2), (std::vector<uint8_t>{0, 1}));
}

TEST(ConditionalNodeFaultTest, AConditionOfNoGraphIsAFault) {
    if (!in_process_of_its_own()) return;
    CUcontext context = nullptr;
    ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&context, 0));
    ASSERT_OK(cu().cuCtxSetCurrent(context));
    CUmodule module = nullptr;
    CUfunction set = nullptr;
    ASSERT_OK(cu().cuModuleLoadData(&module, kernels));
    ASSERT_OK(cu().cuModuleGetFunction(&set, module, "set"));
    CUgraphConditionalHandle handle = 77;
    unsigned int value = 1;
    void* parameters[] = {&handle, &value};
    ASSERT_OK(cu().cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cu().cuCtxSynchronize());
}

}  // namespace
}  // namespace cuprum::test
