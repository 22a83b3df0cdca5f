// Kernels that do not end, and what the process's own end makes of its kernels.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "driver_log.hpp"

namespace cuprum::test {
namespace {

// The first warp of a block reads over and over, the others wait for it at a barrier; `fault` stops.
const char* const kernels = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry spin(.param .u64 p)
{
    .reg .b64 %d;
    .reg .b32 %r<3>;
    .reg .pred %p<2>;
    .loc 1 3 5
    ld.param.u64 %d, [p];
    mov.u32 %r1, %tid.x;
    setp.ge.u32 %p1, %r1, 32;
    @%p1 bra together;
again:
    .loc 1 4 9
    ld.volatile.global.u32 %r2, [%d];
    setp.eq.u32 %p0, %r2, 0;
    @%p0 bra again;
together:
    .loc 1 6 5
    bar.sync 0;
    ret;
}
.visible .entry fault()
{
    trap;
}
    .file 1 "spin.cu"
)";

struct Device {
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUdeviceptr zero = 0;

    Device() {
        EXPECT_OK(cu().cuDevicePrimaryCtxRetain(&context, 0));
        EXPECT_OK(cu().cuCtxSetCurrent(context));
        EXPECT_OK(cu().cuModuleLoadData(&module, kernels));
        EXPECT_OK(cu().cuMemAlloc(&zero, 4));
        EXPECT_OK(cu().cuMemsetD8(zero, 0, 4));
    }
    CUresult launch(const char* name, unsigned int blocks = 1, unsigned int threads = 1, CUstream stream = nullptr) {
        CUfunction function = nullptr;
        EXPECT_OK(cu().cuModuleGetFunction(&function, module, name));
        void* parameters[] = {&zero};
        return cu().cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, parameters, nullptr);
    }
};

// How a process ended that ran the current test anew.
struct Ended {
    bool by_itself = false;
    int code = -1;
    std::string errors;  // what it wrote to standard error
    double seconds = 0;
};

bool is_the_other_process() {
    return std::getenv("CUPRUM_TEST_ALONE") != nullptr;
}

Ended run_alone(const std::string& options = "") {
    constexpr double longest = 30;  // seconds
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string filter = std::string("--gtest_filter=") + test->test_suite_name() + "." + test->name();
    std::string program = "program", marker = "CUPRUM_TEST_ALONE=1", sim = "CUPRUM_SIM=" + options;
    std::vector<char*> variables{marker.data(), sim.data()};
    for (char** variable = environ; *variable != nullptr; ++variable)
        variables.push_back(*variable);
    variables.push_back(nullptr);
    char* const arguments[] = {program.data(), filter.data(), nullptr};
    std::array<int, 2> pipe_ends{};
    EXPECT_EQ(::pipe2(pipe_ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 2);
    std::array<char, 4096> self{};
    EXPECT_GT(::readlink("/proc/self/exe", self.data(), self.size() - 1), 0);
    const auto begin = std::chrono::steady_clock::now();
    pid_t child = 0;
    EXPECT_EQ(::posix_spawn(&child, self.data(), &actions, nullptr, arguments, variables.data()), 0);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pipe_ends[1]);
    Ended ended;
    int status = 0;
    const auto read_errors = [&] {
        std::array<char, 4096> text{};
        for (ssize_t count = 0; (count = ::read(pipe_ends[0], text.data(), text.size())) > 0;)
            ended.errors.append(text.data(), static_cast<size_t>(count));
    };
    while (::waitpid(child, &status, WNOHANG) == 0) {
        ended.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (ended.seconds > longest) ::kill(child, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        read_errors();
    }
    read_errors();
    ::close(pipe_ends[0]);
    ended.by_itself = WIFEXITED(status);
    ended.code = ended.by_itself ? WEXITSTATUS(status) : -1;
    EXPECT_TRUE(ended.by_itself) << "ended by signal " << WTERMSIG(status) << " after " << ended.seconds << " s";
    return ended;
}

size_t count_of(const std::string& part, const std::string& text) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++count;
    return count;
}

TEST(TimeoutTest, EndsAKernelAndSaysWhereItsWarpsWere) {
    if (!in_process_of_its_own({"CUPRUM_SIM=timeout=300ms"})) return;
    Device device;
    const std::string text = log_of([&] {
        EXPECT_OK(device.launch("spin", 1, 96));
        EXPECT_CU(CUDA_ERROR_LAUNCH_TIMEOUT, cu().cuCtxSynchronize());
    });
    EXPECT_TRUE(says(text, {"kernel 'spin' had not ended after 300 ms (CUPRUM_SIM=timeout=300ms)",
                            "of its 1 block 0 had ended, 1 had begun, 0 had not", "1 warp running at PTX line",
                            "source spin.cu:4: block (0, 0, 0) warp 0",
                            "2 warps waiting at barrier 0, where 64 threads have arrived, at PTX line",
                            "source spin.cu:6: block (0, 0, 0) warps 1-2"}));
    // As every fault.
    CUdeviceptr memory = 0;
    EXPECT_CU(CUDA_ERROR_LAUNCH_TIMEOUT, cu().cuMemAlloc(&memory, 4));
    EXPECT_CU(CUDA_ERROR_LAUNCH_TIMEOUT, cu().cuStreamSynchronize(nullptr));
}

TEST(TimeoutTest, TheReportOfManyBlocksIsShort) {
    if (!in_process_of_its_own({"CUPRUM_SIM=timeout=500ms,threads=4,multiprocessors=64"})) return;
    Device device;
    CUfunction spin = nullptr;
    ASSERT_OK(cu().cuModuleGetFunction(&spin, device.module, "spin"));
    void* parameters[] = {&device.zero};
    const std::string text = log_of([&] {
        // All of a cooperative launch's blocks are resident.
        ASSERT_OK(cu().cuLaunchCooperativeKernel(spin, 64, 1, 1, 1024, 1, 1, 0, nullptr, parameters));
        EXPECT_CU(CUDA_ERROR_LAUNCH_TIMEOUT, cu().cuCtxSynchronize());
    });
    EXPECT_TRUE(says(text, {"kernel 'spin' had not ended", "more block"}));
    EXPECT_LT(text.size(), 4000u) << text;
}

TEST(TimeoutTest, EndsAKernelOfAGraph) {
    if (!in_process_of_its_own({"CUPRUM_SIM=timeout=200ms"})) return;
    Device device;
    CUstream stream = nullptr;
    CUgraph graph = nullptr;
    CUgraphExec execution = nullptr;
    ASSERT_OK(cu().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    ASSERT_OK(cu().cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    ASSERT_OK(device.launch("spin", 1, 32, stream));
    ASSERT_OK(cu().cuStreamEndCapture(stream, &graph));
    ASSERT_OK(cu().cuGraphInstantiate(&execution, graph, 0));
    ASSERT_OK(cu().cuGraphLaunch(execution, stream));
    EXPECT_CU(CUDA_ERROR_LAUNCH_TIMEOUT, cu().cuStreamSynchronize(stream));
}

TEST(TimeoutTest, LeavesKernelsAloneThatEndInTime) {
    if (!in_process_of_its_own({"CUPRUM_SIM=timeout=20s"})) return;
    Device device;
    const uint32_t one = 1;
    ASSERT_OK(cu().cuMemcpyHtoD(device.zero, &one, sizeof one));
    ASSERT_OK(device.launch("spin", 100, 64));
    EXPECT_OK(cu().cuCtxSynchronize());
}

TEST(ProcessEndTest, AnEndlessKernelDoesNotKeepTheProcess) {
    if (!is_the_other_process()) {
        const Ended ended = run_alone();
        EXPECT_EQ(ended.code, 0);
        EXPECT_LT(ended.seconds, 10);
        EXPECT_EQ(ended.errors, "");
        return;
    }
    Device device;
    ASSERT_OK(device.launch("spin", 8, 64));
}

TEST(ProcessEndTest, NorDoesOneWhoseProgramCallsExit) {
    if (!is_the_other_process()) {
        const Ended ended = run_alone();
        EXPECT_EQ(ended.code, 7);
        EXPECT_LT(ended.seconds, 10);
        return;
    }
    Device device;
    ASSERT_OK(device.launch("spin", 8, 64));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::exit(7);
}

TEST(ProcessEndTest, AFaultThatNobodyWaitedForIsReported) {
    if (!is_the_other_process()) {
        const Ended ended = run_alone();
        EXPECT_EQ(ended.code, 0);
        EXPECT_TRUE(says(ended.errors, {"Cuprum simulator: CUDA_ERROR_LAUNCH_FAILED: kernel 'fault', block (0, 0, 0), "
                                        "thread (0, 0, 0), at PTX line",
                                        "executed trap", "No call has returned this error"}));
        EXPECT_EQ(count_of("executed trap", ended.errors), 1u) << ended.errors;
        return;
    }
    Device device;
    ASSERT_OK(device.launch("fault"));
}

// Nobody sees an error in a destructor.
TEST(ProcessEndTest, AFaultThatOnlyReleasesReturnedIsReported) {
    if (!is_the_other_process()) {
        EXPECT_TRUE(says(run_alone().errors, {"kernel 'fault'"}));
        return;
    }
    Device device;
    // Made before the launch: a stream that is made later may be what returns the fault.
    std::vector<CUstream> streams(2000);
    for (CUstream& stream : streams)
        ASSERT_OK(cu().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    ASSERT_OK(device.launch("fault", 1, 1, streams.front()));
    size_t destroyed = 0;
    while (destroyed < streams.size() && cu().cuStreamDestroy(streams[destroyed]) == CUDA_SUCCESS) {
        ++destroyed;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ASSERT_LT(destroyed, streams.size());
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuMemFree(device.zero));
}

TEST(ProcessEndTest, AFaultThatACallReturnedIsNotReportedAgain) {
    if (!is_the_other_process()) {
        EXPECT_EQ(run_alone().errors, "");
        return;
    }
    Device device;
    ASSERT_OK(device.launch("fault"));
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuCtxSynchronize());
}

TEST(ProcessEndTest, NorIsOneThatACallbackWasGiven) {
    if (!is_the_other_process()) {
        EXPECT_EQ(run_alone().errors, "");
        return;
    }
    Device device;
    CUstream stream = nullptr;
    ASSERT_OK(cu().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    static std::atomic<int> given{CUDA_SUCCESS};
    ASSERT_OK(device.launch("fault", 1, 1, stream));
    ASSERT_OK(cu().cuStreamAddCallback(stream, [](CUstream, CUresult status, void*) { given = status; }, nullptr, 0));
    while (given == CUDA_SUCCESS)
        std::this_thread::yield();
    EXPECT_EQ(given, CUDA_ERROR_LAUNCH_FAILED);
}

TEST(ProcessEndTest, HostFunctionsAreNotCalledAnyMore) {
    if (!is_the_other_process()) {
        const Ended ended = run_alone();
        EXPECT_EQ(ended.code, 0);
        EXPECT_EQ(ended.errors, "");
        return;
    }
    Device device;
    // A while longer than main runs, and not as long as the end of the process waits.
    ASSERT_OK(cu().cuLaunchHostFunc(
        nullptr, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(200)); }, nullptr));
    ASSERT_OK(cu().cuLaunchHostFunc(
        nullptr,
        [](void*) {
            std::fputs("called after main\n", stderr);
            std::_Exit(1);
        },
        nullptr));
}

TEST(HandlesTest, ThereIsALimitAndItIsNamed) {
    if (!in_process_of_its_own()) return;
    const Device device;
    constexpr size_t limit = 1 << 20;
    std::vector<CUevent> events;
    CUevent event = nullptr;
    CUresult result = CUDA_SUCCESS;
    const std::string text = log_of([&] {
        while ((result = cu().cuEventCreate(&event, 0)) == CUDA_SUCCESS && events.size() <= limit)
            events.push_back(event);
    });
    EXPECT_EQ(result, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(events.size(), limit);
    EXPECT_TRUE(says(text, {"1048576 objects of kind event are alive"}));
    for (const CUevent each : events)
        ASSERT_OK(cu().cuEventDestroy(each));
    EXPECT_OK(cu().cuEventCreate(&event, 0));
}

}  // namespace
}  // namespace cuprum::test
