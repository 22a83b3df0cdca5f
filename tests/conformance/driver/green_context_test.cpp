// Green contexts: parts of a device's multiprocessors. Which parts there are, and what odd questions are answered, is
// compared with a GPU's answers in record_device_test.cpp.
#include <bit>
#include <cstdlib>
#include <cstring>
#include <set>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

const char* const where_text =
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry where(.param .u64 p)\n{\n"
    ".reg .b64 %d<3>;\n.reg .b32 %r<3>;\n"
    "ld.param.u64 %d1, [p];\nmov.u32 %r1, %ctaid.x;\nmul.wide.u32 %d2, %r1, 4;\nadd.s64 %d1, %d1, %d2;\n"
    "mov.u32 %r2, %smid;\nst.global.u32 [%d1], %r2;\nret;\n}\n";

constexpr unsigned int blocks = 512;

class GreenContextTest : public DriverTest {
protected:
    // True in a process whose device can be divided.
    static bool in_its_process() { return in_process_of_its_own({"CUPRUM_SIM=cc=9.0,multiprocessors=32"}); }

    void SetUp() override {
        DriverTest::SetUp();
        if (std::getenv("CUPRUM_TEST_ALONE") == nullptr) return;
        CUdevResource all{};
        unsigned int groups = 2;
        ASSERT_OK(cu().cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_SM));
        ASSERT_OK(cu().cuDevSmResourceSplitByCount(parts, &groups, &all, nullptr, 0, 8));
        ASSERT_EQ(groups, 2u);
        for (size_t index = 0; index < 2; ++index) {
            CUdevResourceDesc description = nullptr;
            ASSERT_OK(cu().cuDevResourceGenerateDesc(&description, &parts[index], 1));
            ASSERT_OK(cu().cuGreenCtxCreate(&green[index], description, device, CU_GREEN_CTX_DEFAULT_STREAM));
            ASSERT_OK(cu().cuGreenCtxStreamCreate(&stream[index], green[index], CU_STREAM_NON_BLOCKING, 0));
        }
        ASSERT_OK(cu().cuModuleLoadData(&loaded, where_text));
        ASSERT_OK(cu().cuModuleGetFunction(&where, loaded, "where"));
    }

    void TearDown() override {
        for (size_t index = 0; index < 2; ++index) {
            if (green[index] == nullptr) continue;
            EXPECT_OK(cu().cuStreamDestroy(stream[index]));
            EXPECT_OK(cu().cuGreenCtxDestroy(green[index]));
        }
        if (loaded != nullptr) {
            EXPECT_OK(cu().cuModuleUnload(loaded));
        }
        DriverTest::TearDown();
    }

    std::set<unsigned> multiprocessors_used_in(CUstream where_to) {
        CUdeviceptr out = allocate(blocks * 4);
        EXPECT_OK(launch(where, blocks, 1024, where_to, {&out}));
        EXPECT_OK(cu().cuStreamSynchronize(where_to));
        const std::vector<unsigned> seen = download<unsigned>(out, blocks);
        return {seen.begin(), seen.end()};
    }

    CUdevResource parts[2]{};
    CUgreenCtx green[2]{};
    CUstream stream[2]{};
    CUmodule loaded = nullptr;
    CUfunction where = nullptr;
};

TEST_F(GreenContextTest, KernelsRunOnItsMultiprocessors) {
    if (!in_its_process()) return;
    const std::set<unsigned> first = multiprocessors_used_in(stream[0]);
    const std::set<unsigned> second = multiprocessors_used_in(stream[1]);
    EXPECT_EQ(first.size(), parts[0].sm.smCount);
    EXPECT_EQ(second.size(), parts[1].sm.smCount);
    for (const unsigned number : first) {
        EXPECT_FALSE(second.contains(number)) << "multiprocessor " << number << " belongs to both";
    }
    EXPECT_GT(multiprocessors_used_in(nullptr).size(), first.size());
}

TEST_F(GreenContextTest, CapturedKernelsKeepItsMultiprocessors) {
    if (!in_its_process()) return;
    CUdeviceptr out = allocate(blocks * 4);
    CUgraph graph = nullptr;
    CUgraphExec executable = nullptr;
    ASSERT_OK(cu().cuStreamBeginCapture(stream[0], CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    ASSERT_OK(launch(where, blocks, 1024, stream[0], {&out}));
    ASSERT_OK(cu().cuStreamEndCapture(stream[0], &graph));
    ASSERT_OK(cu().cuGraphInstantiate(&executable, graph, 0));
    ASSERT_OK(cu().cuGraphLaunch(executable, stream[0]));
    ASSERT_OK(cu().cuStreamSynchronize(stream[0]));
    const std::vector<unsigned> seen = download<unsigned>(out, blocks);
    EXPECT_EQ(std::set<unsigned>(seen.begin(), seen.end()).size(), parts[0].sm.smCount);
    EXPECT_OK(cu().cuGraphExecDestroy(executable));
    EXPECT_OK(cu().cuGraphDestroy(graph));
}

TEST_F(GreenContextTest, ItsEventsComeBehindTheWorkOfItsStreamsAlone) {
    if (!in_its_process()) return;
    const CUevent of_first = new_event(), of_second = new_event();
    Gate gate;
    gate.close_in(stream[0]);
    ASSERT_OK(cu().cuGreenCtxRecordEvent(green[0], of_first));
    ASSERT_OK(cu().cuGreenCtxRecordEvent(green[1], of_second));
    EXPECT_OK(cu().cuEventSynchronize(of_second));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuEventQuery(of_first));
    gate.open();
    EXPECT_OK(cu().cuEventSynchronize(of_first));
}

TEST_F(GreenContextTest, WaitsForEventsInItsStreamsAlone) {
    if (!in_its_process()) return;
    const CUstream held = new_stream();
    const CUevent event = new_event();
    const CUdeviceptr memory = allocate(8);
    Gate gate;
    gate.close_in(held);
    ASSERT_OK(cu().cuEventRecord(event, held));
    ASSERT_OK(cu().cuGreenCtxWaitEvent(green[0], event));
    ASSERT_OK(cu().cuMemsetD32Async(memory, 1, 1, stream[0]));
    ASSERT_OK(cu().cuMemsetD32Async(memory + 4, 1, 1, stream[1]));
    EXPECT_OK(cu().cuStreamSynchronize(stream[1]));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(stream[0]));
    gate.open();
    EXPECT_OK(cu().cuStreamSynchronize(stream[0]));
}

TEST_F(GreenContextTest, KeepsThePrimaryContextFromBeingReset) {
    if (!in_its_process()) return;
    EXPECT_CU(CUDA_ERROR_NOT_PERMITTED, cu().cuDevicePrimaryCtxReset(device));
    EXPECT_OK(cu().cuStreamQuery(stream[0]));
}

TEST_F(GreenContextTest, IsCurrentAsAContext) {
    if (!in_its_process()) return;
    CUcontext as_context = nullptr, current = nullptr, popped = nullptr;
    CUgreenCtx found = nullptr;
    ASSERT_OK(cu().cuCtxFromGreenCtx(&as_context, green[0]));
    ASSERT_OK(cu().cuCtxPushCurrent(as_context));
    EXPECT_OK(cu().cuCtxGetCurrent(&current));
    EXPECT_EQ(current, as_context);
    CUstream made = nullptr;
    ASSERT_OK(cu().cuStreamCreate(&made, CU_STREAM_DEFAULT));
    EXPECT_OK(cu().cuStreamGetGreenCtx(made, &found));
    EXPECT_EQ(found, green[0]);
    EXPECT_EQ(multiprocessors_used_in(made).size(), parts[0].sm.smCount);
    EXPECT_EQ(multiprocessors_used_in(nullptr).size(), parts[0].sm.smCount);
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuStreamSynchronize(CU_STREAM_PER_THREAD));
    EXPECT_OK(cu().cuCtxSynchronize());
    EXPECT_OK(cu().cuStreamDestroy(made));
    EXPECT_OK(cu().cuCtxPopCurrent(&popped));
    EXPECT_EQ(popped, as_context);
    EXPECT_OK(cu().cuCtxGetCurrent(&current));
    EXPECT_EQ(current, context);
}

TEST_F(GreenContextTest, SharesModulesAndMemoryWithThePrimaryContext) {
    if (!in_its_process()) return;
    const CUdeviceptr memory = allocate(4);
    CUdeviceptr pointer = memory;
    unsigned value = 9, n = 1;
    ASSERT_OK(launch(function("fill"), 1, 1, stream[0], {&pointer, &value, &n}));
    ASSERT_OK(cu().cuStreamSynchronize(stream[0]));
    EXPECT_EQ(download<unsigned>(memory, 1), std::vector<unsigned>{9});
}

TEST_F(GreenContextTest, CooperativeGridsMustFitItsMultiprocessors) {
    if (!in_its_process()) return;
    CUdeviceptr out = allocate(1 << 16);
    void* parameters[] = {&out};
    int resident = 0;
    ASSERT_OK(cu().cuOccupancyMaxActiveBlocksPerMultiprocessor(&resident, where, 1024, 0));
    const unsigned int most = parts[0].sm.smCount * static_cast<unsigned>(resident);
    EXPECT_OK(cu().cuLaunchCooperativeKernel(where, most, 1, 1, 1024, 1, 1, 0, stream[0], parameters));
    EXPECT_CU(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
              cu().cuLaunchCooperativeKernel(where, most + 1, 1, 1, 1024, 1, 1, 0, stream[0], parameters));
    EXPECT_OK(cu().cuStreamSynchronize(stream[0]));
}

TEST_F(GreenContextTest, KeepsThePrimaryContextActive) {
    if (!in_its_process()) return;
    unsigned int flags = 0;
    int active = 0;
    ASSERT_OK(cu().cuDevicePrimaryCtxRelease(device));
    EXPECT_OK(cu().cuDevicePrimaryCtxGetState(device, &flags, &active));
    EXPECT_EQ(active, 1);
    EXPECT_OK(cu().cuStreamSynchronize(stream[0]));
    ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&context, device));
}

// What CUDA 13.1 has put into a CUdevResource in place of `sm`, which these headers need not have.
struct Workqueue {
    int device;
    unsigned int concurrency_limit;
    unsigned int sharing_scope;
};
constexpr auto workqueue_config = std::bit_cast<CUdevResourceType>(1000);

Workqueue workqueue_in(const CUdevResource& resource) {
    Workqueue workqueue{};
    std::memcpy(&workqueue, &resource.sm, sizeof workqueue);
    return workqueue;
}

class WorkqueueTest : public DriverTest {
protected:
    static bool in_its_process() { return in_process_of_its_own({"CUPRUM_SIM=cc=9.0,multiprocessors=32,cuda=13.1"}); }
    // A driver before CUDA 13.1 has none.
    bool has_workqueues() {
        int version = 0;
        EXPECT_OK(cu().cuDriverGetVersion(&version));
        if (version >= 13010) return true;
        CUdevResource resource{};
        EXPECT_NE(cu().cuDeviceGetDevResource(device, &resource, workqueue_config), CUDA_SUCCESS);
        return false;
    }
};

TEST_F(WorkqueueTest, AGreenContextHasTheOneThatItWasMadeWith) {
    if (!in_its_process() || !has_workqueues()) return;
    CUdevResource resources[2]{}, found{};
    ASSERT_OK(cu().cuDeviceGetDevResource(device, &resources[0], CU_DEV_RESOURCE_TYPE_SM));
    ASSERT_OK(cu().cuDeviceGetDevResource(device, &resources[1], workqueue_config));
    Workqueue wanted = workqueue_in(resources[1]);
    EXPECT_EQ(wanted.device, device);
    EXPECT_GT(wanted.concurrency_limit, 0u);
    EXPECT_EQ(wanted.sharing_scope, 0u);
    wanted.concurrency_limit = 3;
    wanted.sharing_scope = 1;
    std::memcpy(&resources[1].sm, &wanted, sizeof wanted);
    CUdevResourceDesc description = nullptr;
    CUgreenCtx green = nullptr;
    ASSERT_OK(cu().cuDevResourceGenerateDesc(&description, resources, 2));
    ASSERT_OK(cu().cuGreenCtxCreate(&green, description, device, CU_GREEN_CTX_DEFAULT_STREAM));
    ASSERT_OK(cu().cuGreenCtxGetDevResource(green, &found, workqueue_config));
    EXPECT_EQ(workqueue_in(found).concurrency_limit, 3u);
    EXPECT_EQ(workqueue_in(found).sharing_scope, 1u);
    ASSERT_OK(cu().cuGreenCtxGetDevResource(green, &found, CU_DEV_RESOURCE_TYPE_SM));
    EXPECT_EQ(found.sm.smCount, resources[0].sm.smCount);
    EXPECT_OK(cu().cuGreenCtxDestroy(green));
}

TEST_F(WorkqueueTest, SeveralAreRefused) {
    if (!in_its_process() || !has_workqueues()) return;
    CUdevResource resources[2]{};
    ASSERT_OK(cu().cuDeviceGetDevResource(device, &resources[0], workqueue_config));
    resources[1] = resources[0];
    CUdevResourceDesc description = nullptr;
    EXPECT_NE(cu().cuDevResourceGenerateDesc(&description, resources, 2), CUDA_SUCCESS);
}

TEST_F(WorkqueueTest, OlderDriversHaveNone) {
    if (!in_process_of_its_own({"CUPRUM_SIM=cuda=13.0"})) return;
    has_workqueues();
}

}  // namespace
}  // namespace cuprum::test
