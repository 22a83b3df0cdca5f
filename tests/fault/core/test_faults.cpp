// Every driver call of a saxpy program fails once. Each time: one error of the right kind, at the call that failed or,
// in a destructor, through the handler; the same call then succeeds on the same objects; the result is right; nothing
// is left behind; the caller's context is what it was.
//
// Each fault runs in a process of its own, forked before the driver is started, so that every run makes the same calls:
// also those that core makes only once.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "fault_plan.hpp"

namespace cuprum::core {
namespace {

using test::FaultPlan;

int reports_of_cleanup = 0;

struct Outcome {
    std::vector<std::string> errors;  // of calls
    std::string problem;              // what is wrong; empty if nothing is

    void expect(bool condition, const std::string& text) {
        if (!condition && problem.empty()) problem = text;
    }
};

bool is_right_kind(const Error& error, CUresult injected) {
    if (error.code() != injected) return false;
    switch (injected) {
        case CUDA_ERROR_OUT_OF_MEMORY:
            return dynamic_cast<const OutOfMemory*>(&error) != nullptr;
        case CUDA_ERROR_ILLEGAL_ADDRESS:
            return dynamic_cast<const DeviceFault*>(&error) != nullptr;
        default:
            return dynamic_cast<const DriverError*>(&error) != nullptr &&
                   dynamic_cast<const DeviceFault*>(&error) == nullptr;
    }
}

// Saxpy through every part of core. A call that fails is made once more.
class Scenario {
public:
    Scenario(FaultPlan& plan, CUresult injected, Outcome& outcome)
        : plan_(plan), injected_(injected), outcome_(outcome) {}

    void run(const ObjectCode& code) {
        constexpr int n = 1000;
        constexpr uint64_t size = n * sizeof(float);
        std::vector<float> x(n, 3.0F);
        std::vector<float> y(n, 4.0F);
        std::vector<float> result(n, 0.0F);

        const Device device = attempt([] { return Device(0); });
        // Linked for the architecture of the device, which the driver is asked for.
        const Linker linker({code});
        const ObjectCode linked = attempt([&] { return linker.link(); });
        const Kernel saxpy = attempt([&] { return linked.get_kernel("saxpy"); });
        const Stream stream = attempt([&] { return device.create_stream(); });
        const Stream second = attempt([&] { return device.create_stream(); });
        const Buffer device_x = attempt([&] { return device.allocate(size); });
        const Buffer device_y = attempt([&] { return device.allocate(size, stream); });
        attempt([&] { device_x.copy_from_host(x.data(), size); });
        attempt([&] { device_y.copy_from_host(y.data(), size, stream); });
        const Event start = attempt([&] { return stream.record({.timing_enabled = true}); });
        attempt([&] { launch(stream, {4, 256}, saxpy, 2.0F, device_x, device_y, n); });
        const Event end = attempt([&] { return stream.record({.timing_enabled = true}); });
        attempt([&] { second.wait(stream); });
        attempt([&] { device_y.copy_to_host(result.data(), size, second); });
        attempt([&] { second.sync(); });
        attempt([&] { static_cast<void>(end - start); });
        attempt([&] { launch(device.default_stream(), {1, 1}, saxpy, 0.0F, device_x, device_y, 0); });
        attempt([&] { device.sync(); });
        outcome_.expect(result == std::vector<float>(n, 10.0F), "the result is wrong");
        pinned_memory(device, stream, device_y);
    }

    void pinned_memory(const Device& device, const Stream& stream, const BufferRef& device_y) {
        const LegacyPinnedMemoryResource resource;
        const Buffer pinned = attempt([&] { return resource.allocate(device_y.size(), stream); });
        const Buffer copy = attempt([&] { return resource.allocate(device_y.size()); });
        attempt([&] { pinned.copy_from(device_y, stream); });
        attempt([&] { stream.sync(); });
        const std::vector<float> expected(device_y.size() / sizeof(float), 10.0F);
        std::vector<float> back(expected.size());
        attempt([&] { copy.copy_from_host(pinned.as_span<float>()); });
        attempt([&] { copy.copy_to_host(back); });
        const BufferRef borrowed = BufferRef::from_handle(pinned.handle(), pinned.size());
        outcome_.expect(attempt([&] { return borrowed.is_host_accessible(); }), "the host cannot use host memory");
        Buffer given_up = attempt([&] { return device.allocate(16); });
        given_up.set_deallocation_stream(stream);
        Buffer released = attempt([&] { return resource.allocate(16); });
        const DevicePointer address = released.release();
        attempt([&] { resource.deallocate(address, 16, stream); });
        outcome_.expect(back == expected, "the copy by way of host memory is wrong");
    }

private:
    template <class Action>
    auto attempt(const Action& action) -> decltype(action()) {
        try {
            return action();
        } catch (const Error& error) {
            outcome_.errors.push_back(error.what());
            outcome_.expect(is_right_kind(error, injected_),
                            std::string("an error of the wrong kind: ") + error.what());
            outcome_.expect(!error.operation().empty(), "the error does not say what was being done");
        }
        check_context();
        return action();
    }

    void check_context() {
        CUcontext current = nullptr;
        plan_.disarm();
        outcome_.expect(bindings::driver::cuCtxGetCurrent(&current) != CUDA_SUCCESS || current == nullptr,
                        "the caller's context was changed");
    }

    FaultPlan& plan_;
    CUresult injected_;
    Outcome& outcome_;
};

// In the child: the text for the parent. First line "end" if no call was struck, else "ok" or what is wrong.
std::string run_with_fault(int call, CUresult injected, const ObjectCode& code) {
    Outcome outcome;
    std::string struck;
    try {
        set_cleanup_error_handler([](const Error&) noexcept { ++reports_of_cleanup; });
        FaultPlan plan;
        plan.strike(call, injected);
        {
            // A copy of its own, which is unloaded at the end of the scenario.
            const ObjectCode own = ObjectCode::from_ptx(code.code());
            Scenario(plan, injected, outcome).run(own);
        }
        struck = plan.struck();
        if (struck.empty()) return "end";
        plan.disarm();
        for (const auto& [create, live] : plan.live()) {
            // Memory that was given up is freed by a call, which is made again: that is one try more.
            const bool is_tried_twice = struck == "cuMemFreeHost" && !outcome.errors.empty();
            const int expected = is_tried_twice && create == "cuMemHostAlloc" ? -1 : 0;
            outcome.expect(live == expected, std::to_string(live) + " left of " + create);
        }
        const size_t reports = outcome.errors.size() + static_cast<size_t>(reports_of_cleanup);
        // A driver without a log is as good as one with: no error.
        const size_t expected = struck.rfind("cuLogs", 0) == 0 ? 0 : 1;
        // A destructor that cannot make the context current tries all the same, which may be a second failure.
        const bool may_fail_twice = outcome.errors.empty() && struck.rfind("cuCtx", 0) == 0;
        outcome.expect(reports == expected || (may_fail_twice && reports == 2),
                       std::to_string(reports) + " reports instead of " + std::to_string(expected));
    } catch (const std::exception& error) {
        outcome.expect(false, std::string("the call failed again: ") + error.what());
        struck = FaultPlan::instance().struck();
    }
    return outcome.problem.empty() ? "ok " + struck : struck + ": " + outcome.problem;
}

// Runs it in a child, and gives the text that it returned.
std::string in_child(int call, CUresult injected, const ObjectCode& code) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
        const std::string text = run_with_fault(call, injected, code);
        const ssize_t written = write(ends[1], text.data(), text.size());
        _exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    close(ends[1]);
    std::string text;
    std::array<char, 4096> part{};
    for (ssize_t length = 0; (length = read(ends[0], part.data(), part.size())) > 0;) {
        text.append(part.data(), static_cast<size_t>(length));
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return "the child crashed (status " + std::to_string(status) + ")";
    return text;
}

constexpr const char* source = R"(
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
)";

TEST(Faults, OfEveryDriverCallAreReportedAndLeaveNothingBehind) {
    // PTX for an old architecture runs everywhere, and compiling it needs no driver: this process starts none.
    ProgramOptions options;
    options.arch = "compute_75";
    const ObjectCode code = Program(source, SourceType::cxx, options).compile(CodeType::ptx);

    constexpr std::array codes{CUDA_ERROR_UNKNOWN, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_ILLEGAL_ADDRESS};
    int call = 1;
    for (; call < 1000; ++call) {
        const std::string outcome = in_child(call, codes[static_cast<size_t>(call) % codes.size()], code);
        if (outcome == "end") break;
        EXPECT_EQ(outcome.rfind("ok ", 0), 0U) << "call " << call << ", " << outcome;
    }
    EXPECT_LT(call, 1000) << "the scenario does not end";
    EXPECT_GT(call, 80) << "the scenario makes more calls than that";
}

}  // namespace
}  // namespace cuprum::core
