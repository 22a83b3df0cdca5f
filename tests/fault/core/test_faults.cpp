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
#include <span>
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
        LaunchConfig with_attributes{1, 1};
        with_attributes.priority = 0;
        with_attributes.access_policy_window = {.address = device_x.handle(), .size = size};
        attempt([&] { launch(device.default_stream(), with_attributes, saxpy, 0.0F, device_x, device_y, 0); });
        attempt([&] { device.sync(); });
        outcome_.expect(result == std::vector<float>(n, 10.0F), "the result is wrong");
        pinned_memory(device, stream, device_y);
        regions(device, stream);
        order(stream, device_x);
        contexts(device);
        module(device, code);
        device_pools(device, stream);
        shared_pools(device, stream);
        host_pools(device, stream);
        virtual_memory(device, stream);
    }

    void virtual_memory(const Device& device, const Stream& stream) {
        const VirtualMemoryResource resource =
            attempt([&] { return VirtualMemoryResource(device, VirtualMemoryResourceOptions{}); });
        Buffer buffer = attempt([&] { return resource.allocate(16); });
        attempt([&] { buffer.fill(7, 1, stream); });
        for (const uint64_t units : {2, 4}) {
            attempt([&] { resource.modify_allocation(buffer, units * resource.granularity()); });
            outcome_.expect(buffer.size() == units * resource.granularity(), "the buffer has another size");
        }
        VirtualMemoryResourceOptions options;
        options.self_access = MemoryAccess::read;
        attempt([&] { resource.modify_allocation(buffer, 6 * resource.granularity(), options); });
        std::vector<uint8_t> bytes(16);
        attempt([&] { buffer.copy_to_host(bytes, stream); });
        attempt([&] { stream.sync(); });
        outcome_.expect(bytes == std::vector<uint8_t>(16, 7), "the bytes have gone");
        options.location = MemoryLocation::host();
        const VirtualMemoryResource on_host = attempt([&] { return VirtualMemoryResource(device, options); });
        const Buffer host_buffer = attempt([&] { return on_host.allocate(16); });
        host_buffer.as_span<uint8_t>().front() = 1;
    }

    // Columns 1 to 3 of a matrix of bytes with rows of 16, in two slices that are no multiple of rows apart.
    void regions(const Device& device, const Stream& stream) {
        const Buffer matrix = attempt([&] { return device.allocate(128); });
        const Buffer pinned = attempt([] { return LegacyPinnedMemoryResource().allocate(128); });
        const Region region{.width = 3, .height = 2, .depth = 2, .offset = 1, .row_pitch = 16, .slice_pitch = 40};
        const std::vector<uint8_t> source{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
        std::vector<uint8_t> result(12);
        attempt([&] { matrix.copy_region_from_host(region, std::as_bytes(std::span(source)), region.packed()); });
        attempt([&] { pinned.copy_region_from(region, matrix, region, stream); });
        attempt([&] { matrix.fill_region(region, 0, 1, stream); });
        attempt([&] { matrix.copy_region_from(region, pinned, region, stream); });
        attempt([&] {
            matrix.copy_region_to_host(std::as_writable_bytes(std::span(result)), region.packed(), region, stream);
        });
        attempt([&] { stream.sync(); });
        outcome_.expect(result == source, "a region is wrong");
        const std::array<BufferRef, 2> from{matrix.slice(0, 32), matrix.slice(32, 32)};
        const std::array<BufferRef, 2> to{pinned.slice(64, 32), pinned.slice(0, 32)};
        attempt([&] { copy_batch(stream, from, to); });
        attempt([&] { stream.sync(); });
        outcome_.expect(pinned.as_span<uint8_t>()[65] == 1, "a batch is wrong");
        attempt([&] { static_cast<void>(device.row_pitch(3)); });
    }

    void contexts(const Device& device) {
        const SMResource all = attempt([&] { return SMResource::of(device); });
        const SMResourceSplit split = attempt([&] { return all.split({}); });
        const Context green = attempt([&] { return device.create_context({.resources = split.groups}); });
        outcome_.expect(attempt([&] { return green.sm_resource(); }).sm_count() == split.groups[0].sm_count(),
                        "the context has other multiprocessors");
        const Stream stream = attempt([&] { return green.create_stream(); });
        outcome_.expect(attempt([&] { return stream.context(); }) == green, "the stream is another context's");
        attempt([&] { static_cast<void>(Context::current()); });
        const Event event = attempt([&] { return stream.record({.ipc_enabled = true}); });
        attempt([&] { static_cast<void>(event.ipc_descriptor()); });
        attempt([&] { stream.sync(); });
    }

    // Host functions, and words that are written and waited for.
    void order(const Stream& stream, const BufferRef& words) {
        int calls = 0;
        attempt([&] { stream.launch_host_function([&calls] { ++calls; }); });
        attempt([&] { stream.write_value32(words, 0, 7); });
        attempt([&] { stream.wait_value32(words, 0, 7, WaitCondition::equal); });
        attempt([&] { stream.write_value64(words, 8, 7); });
        attempt([&] { stream.wait_value64(words, 8, 7, WaitCondition::equal); });
        attempt([&] { stream.sync(); });
        outcome_.expect(calls == 1, "the host function was called " + std::to_string(calls) + " times");
    }

    // What is asked of code and kernels, and set.
    void module(const Device& device, const ObjectCode& code) {
        const Kernel saxpy = attempt([&] { return code.get_kernel("saxpy"); });
        const GlobalVariable bias = attempt([&] { return code.get_global(device, "bias"); });
        outcome_.expect(bias.size() == sizeof(float), "the variable has another size");
        attempt([&] { saxpy.set_attribute(device, KernelAttribute::preferred_shared_memory_carveout, 50); });
        outcome_.expect(attempt([&] { return saxpy.attributes(device); }).preferred_shared_memory_carveout == 50,
                        "the attribute was not set");
        const auto best = attempt([&] { return saxpy.max_potential_block_size(device, [](int32_t) { return 16U; }); });
        outcome_.expect(best.max_block_size > 0, "there is no best block size");
        const Kernel taken = attempt([&] { return Kernel::from_handle(saxpy.handle(), code); });
        outcome_.expect(taken.num_arguments() == 4, "the kernel has other arguments");
    }

    // This process stands for the other one too.
    void shared_pools(const Device& device, const Stream& stream) {
        const DeviceMemoryResource pool =
            attempt([&] { return DeviceMemoryResource(device, {.max_size = 1 << 22, .ipc_enabled = true}); });
        const Buffer shared = attempt([&] { return pool.allocate(64, stream); });
        const int file = attempt([&] { return pool.allocation_handle(); });
        const IPCBufferDescriptor descriptor = attempt([&] { return shared.ipc_descriptor(); });
        const DeviceMemoryResource mapped =
            attempt([&] { return DeviceMemoryResource::from_allocation_handle(device, file); });
        close(file);
        attempt([&] { shared.fill(7, 1, stream); });
        const Buffer opened = attempt([&] { return Buffer::from_ipc_descriptor(mapped, descriptor, stream); });
        std::vector<uint8_t> result(64);
        attempt([&] { opened.copy_to_host(result.data(), result.size(), stream); });
        attempt([&] { stream.sync(); });
        outcome_.expect(result == std::vector<uint8_t>(64, 7), "shared memory is wrong");
        shared_host_pools(stream);
    }

    void shared_host_pools(const Stream& stream) {
        const PinnedMemoryResource pool = attempt([] { return PinnedMemoryResource({.ipc_enabled = true}); });
        const Buffer shared = attempt([&] { return pool.allocate(64, stream); });
        const int file = attempt([&] { return pool.allocation_handle(); });
        const PinnedMemoryResource mapped = attempt([&] { return PinnedMemoryResource::from_allocation_handle(file); });
        close(file);
        const Buffer opened =
            attempt([&] { return Buffer::from_ipc_descriptor(mapped, shared.ipc_descriptor(), stream); });
        shared.as_span<uint8_t>().front() = 9;
        outcome_.expect(opened.as_span<uint8_t>().front() == 9, "shared host memory is wrong");
    }

    void device_pools(const Device& device, const Stream& stream) {
        const DeviceMemoryResource pool = attempt([&] { return DeviceMemoryResource(device, {.max_size = 1 << 24}); });
        const DeviceMemoryResource former = attempt([&] { return device.memory_resource(); });
        const Buffer buffer = attempt([&] { return pool.allocate(1024, stream); });
        attempt([&] { pool.set_attribute(MemoryPoolAttribute::release_threshold, 4096); });
        outcome_.expect(attempt([&] { return pool.attribute(MemoryPoolAttribute::release_threshold); }) == 4096,
                        "the threshold is another one");
        attempt([&] { pool.set_peer_accessible_by({}); });
        attempt([&] { static_cast<void>(pool.is_accessible_by(device)); });
        attempt([&] { device.set_memory_resource(pool); });
        const Buffer of_device = attempt([&] { return device.allocate(1024, stream); });
        outcome_.expect(attempt([&] { return of_device.memory_resource(); }) == pool, "it is another pool's memory");
        attempt([&] { device.set_memory_resource(former); });
        Buffer released = attempt([&] { return pool.allocate(16, stream); });
        const DevicePointer address = released.release();
        attempt([&] { pool.deallocate(address, 16, stream); });
        attempt([&] { stream.sync(); });
        attempt([&] { pool.trim_to(0); });
    }

    void host_pools(const Device& device, const Stream& stream) {
        const PinnedMemoryResource drivers = attempt([] { return PinnedMemoryResource(); });
        const PinnedMemoryResource pinned =
            attempt([] { return PinnedMemoryResource(PinnedMemoryResourceOptions{.max_size = 1 << 24}); });
        const Buffer page_locked = attempt([&] { return pinned.allocate(16, stream); });
        const ManagedMemoryResource standard = attempt([] { return ManagedMemoryResource(); });
        const ManagedMemoryResource managed =
            attempt([&] { return ManagedMemoryResource(ManagedMemoryResourceOptions{.preferred_location = device}); });
        const Buffer buffer = attempt([&] { return managed.allocate(4096, stream); });
        std::vector<float> existing(1024);
        const Buffer registered = attempt([&] { return Buffer::register_host_memory(existing); });
        attempt([&] { buffer.prefetch(MemoryLocation::host(), stream); });
        attempt([&] { buffer.set_read_mostly(true); });
        outcome_.expect(attempt([&] { return buffer.is_read_mostly(); }), "the advice is gone");
        attempt([&] { buffer.set_preferred_location(device); });
        outcome_.expect(attempt([&] { return buffer.preferred_location(); }) == MemoryLocation(device),
                        "the location is another one");
        attempt([&] { buffer.set_accessed_by(device, true); });
        outcome_.expect(attempt([&] { return buffer.accessed_by(); }).size() == 1, "nobody accesses the buffer");
        attempt([&] { buffer.discard(stream); });
        attempt([&] { buffer.discard_prefetch(device, stream); });
        attempt([&] { stream.sync(); });
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
        const BufferRef borrowed = attempt([&] { return BufferRef::from_handle(pinned.handle(), pinned.size()); });
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
            const bool is_tried_twice =
                !outcome.errors.empty() && ((struck == "cuMemFreeHost" && create == "cuMemHostAlloc") ||
                                            (struck == "cuMemFreeAsync" && create == "cuMemAllocAsync"));
            const int expected = is_tried_twice ? -1 : 0;
            outcome.expect(live == expected, std::to_string(live) + " left of " + create);
        }
        const size_t reports = outcome.errors.size() + static_cast<size_t>(reports_of_cleanup);
        // A driver without a log is as good as one with: no error.
        const size_t expected = struck.rfind("cuLogs", 0) == 0 ? 0 : 1;
        // A destructor that cannot make the context current tries all the same, which may be a second failure.
        // Addresses cannot be freed while memory is mapped there.
        const bool may_fail_twice = outcome.errors.empty() && (struck.rfind("cuCtx", 0) == 0 || struck == "cuMemUnmap");
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
extern "C" __device__ float bias = 0;
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
