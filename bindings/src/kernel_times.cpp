#include "kernel_times.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cuprum/bindings/driver.hpp"
#include "observation.hpp"

namespace cuprum::bindings::detail {

namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> timed{false};
std::atomic<bool> is_forked{false};

// The driver's own functions, past the trace. Null where the driver lacks one: then nothing is timed.
struct Driver {
    template <class Pointer>
    static Pointer of(const char* name) {
        return reinterpret_cast<Pointer>(driver::library().address_of(name));
    }
    CUresult (*create)(CUevent*, unsigned int) = of<decltype(create)>("cuEventCreate");
    CUresult (*destroy)(CUevent) = of<decltype(destroy)>("cuEventDestroy");
    CUresult (*record)(CUevent, CUstream) = of<decltype(record)>("cuEventRecord");
    CUresult (*query)(CUevent) = of<decltype(query)>("cuEventQuery");
    CUresult (*sync)(CUevent) = of<decltype(sync)>("cuEventSynchronize");
    CUresult (*elapsed)(float*, CUevent, CUevent) = of<decltype(elapsed)>("cuEventElapsedTime");
    CUresult (*capturing)(CUstream, CUstreamCaptureStatus*) = of<decltype(capturing)>("cuStreamIsCapturing");
    CUresult (*context)(CUstream, CUcontext*) = of<decltype(context)>("cuStreamGetCtx");
    CUresult (*push)(CUcontext) = of<decltype(push)>("cuCtxPushCurrent");
    CUresult (*pop)(CUcontext*) = of<decltype(pop)>("cuCtxPopCurrent");
    CUresult (*create_stream)(CUstream*, unsigned int) = of<decltype(create_stream)>("cuStreamCreate");
    CUresult (*destroy_stream)(CUstream) = of<decltype(destroy_stream)>("cuStreamDestroy");
    CUresult (*function_name)(const char**, CUfunction) = of<decltype(function_name)>("cuFuncGetName");
    CUresult (*kernel_name)(const char**, CUkernel) = of<decltype(kernel_name)>("cuKernelGetName");

    bool is_whole() const {
        return create != nullptr && destroy != nullptr && record != nullptr && query != nullptr && sync != nullptr &&
               elapsed != nullptr && capturing != nullptr && context != nullptr && push != nullptr && pop != nullptr &&
               create_stream != nullptr && destroy_stream != nullptr;
    }
};

const Driver& api() {
    static const Driver& instance = *new Driver;
    return instance;
}

// An event that a stream has passed, and the host's time of that moment: what the times of a context are measured from.
struct Anchor {
    CUstream stream = nullptr;
    CUevent event = nullptr;
    Clock::time_point time;
};

struct Pending {
    TimedLaunch launch;
    std::string name;
};

struct KernelTimes {
    std::mutex mutex;
    std::map<CUcontext, Anchor> anchors;
    std::map<CUcontext, std::vector<CUevent>> spare;
    std::deque<Pending> pending;
};

KernelTimes& measured_kernels() {
    static KernelTimes& instance = *new KernelTimes;
    return instance;
}

constexpr std::size_t most_pending = 256;
// The time from one event to another is a float of milliseconds: within a second it is exact to a tenth of a
// microsecond.
constexpr auto longest_from_anchor = std::chrono::seconds(1);

class Current {
public:
    explicit Current(CUcontext context) : pop_(api().pop), is_pushed_(api().push(context) == CUDA_SUCCESS) {}
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
    ~Current() {
        CUcontext popped = nullptr;
        if (is_pushed_) pop_(&popped);
    }
    explicit operator bool() const { return is_pushed_; }

private:
    decltype(Driver::pop) pop_;
    bool is_pushed_;
};

CUevent take_event(KernelTimes& current, CUcontext context) {
    std::vector<CUevent>& spare = current.spare[context];
    CUevent event = nullptr;
    if (!spare.empty()) {
        event = spare.back();
        spare.pop_back();
    } else if (api().create(&event, CU_EVENT_DEFAULT) != CUDA_SUCCESS) {
        return nullptr;
    }
    return event;
}

// In a stream of its own, where there is nothing to wait for. False where there can be none.
bool set_anchor(KernelTimes& current, CUcontext context) {
    Anchor& anchor = current.anchors[context];
    if (anchor.event != nullptr && Clock::now() - anchor.time < longest_from_anchor) return true;
    if (anchor.stream == nullptr && api().create_stream(&anchor.stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS) {
        return false;
    }
    // Launches that wait for their times are measured from the anchor that they began with.
    for (const Pending& each : current.pending) {
        if (each.launch.context == context) return anchor.event != nullptr;
    }
    if (anchor.event == nullptr) anchor.event = take_event(current, context);
    if (anchor.event == nullptr || api().record(anchor.event, anchor.stream) != CUDA_SUCCESS ||
        api().sync(anchor.event) != CUDA_SUCCESS) {
        return false;
    }
    anchor.time = Clock::now();
    return true;
}

bool can_be_timed(CUstream stream) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    return api().capturing(stream, &status) == CUDA_SUCCESS && status == CU_STREAM_CAPTURE_STATUS_NONE;
}

// The function, stream and dimensions of a launch; nothing of another call.
std::optional<TimedLaunch> launch_of(std::string_view name, const void* const* arguments) {
    TimedLaunch launch;
    const auto argument = [&]<class Value>(std::size_t index, Value& value) {
        value = *static_cast<const Value*>(arguments[index]);
    };
    if (name == "cuLaunchKernel" || name == "cuLaunchCooperativeKernel") {
        argument(0, launch.function);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            argument(1 + axis, launch.grid[axis]);
            argument(4 + axis, launch.block[axis]);
        }
        argument(8, launch.stream);
        return launch;
    }
    if (name == "cuLaunchKernelEx") {
        const CUlaunchConfig* config = nullptr;
        argument(0, config);
        argument(1, launch.function);
        if (config == nullptr) return std::nullopt;
        const std::array grid{config->gridDimX, config->gridDimY, config->gridDimZ};
        const std::array block{config->blockDimX, config->blockDimY, config->blockDimZ};
        std::copy(grid.begin(), grid.end(), launch.grid);
        std::copy(block.begin(), block.end(), launch.block);
        launch.stream = config->hStream;
        return launch;
    }
    if (name == "cuGraphLaunch") {
        argument(1, launch.stream);
        return launch;
    }
    return std::nullopt;
}

std::string name_of(const TimedLaunch& launch) {
    if (launch.function == nullptr) return "graph";
    const char* name = nullptr;
    // What a library's kernel is launched as is its CUkernel.
    if ((api().function_name != nullptr && api().function_name(&name, launch.function) == CUDA_SUCCESS) ||
        (api().kernel_name != nullptr &&
         api().kernel_name(&name, reinterpret_cast<CUkernel>(launch.function)) == CUDA_SUCCESS)) {
        return name;
    }
    return "kernel";
}

// With the lock held. False where the device has not passed it yet.
bool write_if_passed(KernelTimes& current, const Pending& each) {
    const TimedLaunch& launch = each.launch;
    const CUresult result = api().query(launch.end);
    if (result == CUDA_ERROR_NOT_READY) return false;
    const Current made_current(launch.context);
    const Anchor& anchor = current.anchors[launch.context];
    float begin = 0, end = 0;
    if (result == CUDA_SUCCESS && api().elapsed(&begin, anchor.event, launch.begin) == CUDA_SUCCESS &&
        api().elapsed(&end, anchor.event, launch.end) == CUDA_SUCCESS) {
        const auto at = [&](float milliseconds) {
            return anchor.time +
                   std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(milliseconds));
        };
        write_kernel_to_trace(
            {each.name, launch.function == nullptr, launch.grid, launch.block, launch.stream, at(begin), at(end)});
    }
    current.spare[launch.context].push_back(launch.begin);
    current.spare[launch.context].push_back(launch.end);
    return true;
}

void write_measured(KernelTimes& current) {
    std::erase_if(current.pending, [&](const Pending& each) { return write_if_passed(current, each); });
}

}  // namespace

bool kernels_are_timed() noexcept {
    return timed.load(std::memory_order_relaxed);
}

void time_kernels(bool enabled) noexcept {
    timed.store(enabled && !is_forked.load());
}

TimedLaunch begin_timing(const Library& library, const Function& function, const void* const* arguments) noexcept {
    try {
        if (&library != &driver::library()) return {};
        std::optional<TimedLaunch> found = launch_of(function.name, arguments);
        if (!found || !api().is_whole() || !can_be_timed(found->stream)) return {};
        TimedLaunch launch = *found;
        if (api().context(launch.stream, &launch.context) != CUDA_SUCCESS) return {};
        const Current made_current(launch.context);
        if (!made_current) return {};
        KernelTimes& current = measured_kernels();
        const std::lock_guard lock(current.mutex);
        if (current.pending.size() >= most_pending) write_measured(current);
        if (!set_anchor(current, launch.context)) return {};
        launch.begin = take_event(current, launch.context);
        launch.end = take_event(current, launch.context);
        if (launch.begin == nullptr || launch.end == nullptr ||
            api().record(launch.begin, launch.stream) != CUDA_SUCCESS) {
            return {};
        }
        return launch;
    } catch (...) {
        return {};  // out of memory: this launch is not timed
    }
}

void end_timing(TimedLaunch& launch, bool launched) noexcept {
    try {
        const Current made_current(launch.context);
        KernelTimes& current = measured_kernels();
        const std::lock_guard lock(current.mutex);
        if (launched && made_current && api().record(launch.end, launch.stream) == CUDA_SUCCESS) {
            current.pending.push_back({launch, name_of(launch)});
        } else {
            current.spare[launch.context].push_back(launch.begin);
            current.spare[launch.context].push_back(launch.end);
        }
    } catch (...) {
        // Out of memory: this launch is not timed.
    }
}

void before_other_call(const Library& library, const Function& function) noexcept {
    if (&library != &driver::library()) return;
    const std::string_view name = function.name;
    if (name != "cuCtxDestroy" && name != "cuDevicePrimaryCtxReset" && name != "cuDevicePrimaryCtxRelease" &&
        name != "cuGreenCtxDestroy") {
        return;
    }
    try {
        KernelTimes& current = measured_kernels();
        const std::lock_guard lock(current.mutex);
        write_measured(current);
        // Which contexts go is not known here: all begin anew.
        for (const Pending& each : current.pending) {
            current.spare[each.launch.context].push_back(each.launch.begin);
            current.spare[each.launch.context].push_back(each.launch.end);
        }
        current.pending.clear();
        for (const auto& [context, events] : current.spare) {
            const Current made_current(context);
            for (CUevent event : events)
                api().destroy(event);
        }
        for (const auto& [context, anchor] : current.anchors) {
            const Current made_current(context);
            if (anchor.event != nullptr) api().destroy(anchor.event);
            if (anchor.stream != nullptr) api().destroy_stream(anchor.stream);
        }
        current.spare.clear();
        current.anchors.clear();
    } catch (...) {
        // Out of memory: what was measured is lost.
    }
}

void write_kernel_times(const Library& library, const Function& function) noexcept {
    if (&library != &driver::library()) return;
    const std::string_view name = function.name;
    if (name.ends_with("Synchronize") || name.starts_with("cuMemcpyDtoH")) write_last_kernel_times();
}

void write_last_kernel_times() noexcept {
    try {
        KernelTimes& current = measured_kernels();
        const std::lock_guard lock(current.mutex);
        write_measured(current);
    } catch (...) {
        // Out of memory: they are lost.
    }
}

void forget_kernel_times() noexcept {
    is_forked.store(true);
    timed.store(false);
}

}  // namespace cuprum::bindings::detail
