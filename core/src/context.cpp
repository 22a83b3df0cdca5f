#include "context.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "cleanup.hpp"
#include "driver_error.hpp"
#include "driver_log.hpp"

namespace cuprum::core {

namespace {

std::atomic<bool> process_is_exiting = false;
std::atomic<bool> is_forked_child = false;

struct DriverState {
    std::mutex mutex;
    int32_t device_count = 0;
    std::unique_ptr<DeviceState[]> devices;
};

// Set once, complete, by initialize_driver(). Leaked on purpose: see DeviceState.
std::atomic<DriverState*> driver_state = nullptr;
std::mutex initialization_mutex;

void refuse_forked_child() {
    if (is_forked_child.load(std::memory_order_relaxed)) [[unlikely]]
        throw_forked_child("using the CUDA driver", "process " + std::to_string(getpid()));
}

std::unique_ptr<DriverState> start_driver() {
    const CUresult started = driver::cuInit(0);
    // A driver that is there and does not start may have said why. Where it is not there, the bindings know more.
    const bool is_missing = started == CUDA_ERROR_SHARED_OBJECT_INIT_FAILED || started == CUDA_ERROR_NOT_FOUND;
    if (started != CUDA_SUCCESS && !is_missing) read_driver_log_from_beginning();
    check(started, "cuInit", "initialising the CUDA driver", "");
    start_driver_log();
    int count = 0;
    check(driver::cuDeviceGetCount(&count), "cuDeviceGetCount", "counting the CUDA devices", "");
    auto state = std::make_unique<DriverState>();
    state->device_count = count;
    state->devices = std::make_unique<DeviceState[]>(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) {
        check(driver::cuDeviceGet(&state->devices[static_cast<size_t>(i)].device, i), "cuDeviceGet", "opening a device",
              [i] { return describe_device(i); });
    }
    return state;
}

// The driver's own function, past the bindings: a question of ours shows in no trace, and no injected fault answers it.
// Null where the driver has none (before CUDA 12.0).
using GetContextId = CUresult (*)(CUcontext, unsigned long long*);
GetContextId find_context_id_function() noexcept {
    try {
        return reinterpret_cast<GetContextId>(dlsym(driver::library().load().handle, "cuCtxGetId"));
    } catch (const Error&) {
        return nullptr;
    }
}

GetContextId get_context_id() noexcept {
    static const GetContextId function = find_context_id_function();
    return function;
}

// After the driver's own start: handlers run in reverse order, so ours runs before the driver takes itself down.
void watch_process_end() {
    static const bool watching = [] {
        std::atexit([] { process_is_exiting.store(true); });
        pthread_atfork(nullptr, nullptr, [] { is_forked_child.store(true); });
        return true;
    }();
    static_cast<void>(watching);
}

DriverState& initialized_driver() {
    refuse_forked_child();
    if (DriverState* const state = driver_state.load(std::memory_order_acquire)) return *state;
    const std::lock_guard lock(initialization_mutex);
    if (DriverState* const state = driver_state.load(std::memory_order_acquire)) return *state;
    std::unique_ptr<DriverState> state = start_driver();
    watch_process_end();
    driver_state.store(state.get(), std::memory_order_release);
    return *state.release();
}

}  // namespace

bool is_forked() noexcept {
    return is_forked_child.load(std::memory_order_relaxed);
}

void throw_forked_child(std::string operation, std::string object) {
    throw InvalidState(
        std::move(operation), std::move(object),
        "this process was forked after its parent had initialised CUDA, which a CUDA driver does not survive",
        "use CUDA only in the child, or start the child anew (exec; in Python the 'spawn' start method)");
}

int32_t initialize_driver() {
    return initialized_driver().device_count;
}

DeviceState& device_state(int32_t device_id) {
    DriverState& state = initialized_driver();
    if (device_id < 0 || device_id >= state.device_count) {
        const std::string devices =
            state.device_count == 1 ? "there is only device 0"
                                    : "there are " + std::to_string(state.device_count) + " devices, counted from 0";
        throw InvalidArgument("opening a device", describe_device(device_id), devices);
    }
    return state.devices[static_cast<size_t>(device_id)];
}

CUcontext primary_context(int32_t device_id) {
    DeviceState& state = device_state(device_id);
    if (const CUcontext context = state.context.load(std::memory_order_acquire)) return context;
    const std::lock_guard lock(state.mutex);
    if (const CUcontext context = state.context.load(std::memory_order_acquire)) return context;
    CUcontext context = nullptr;
    check(driver::cuDevicePrimaryCtxRetain(&context, state.device), "cuDevicePrimaryCtxRetain",
          "retaining the primary context", [device_id] { return describe_device(device_id); });
    // Unique in the process, for each time that a primary context begins anew as well.
    unsigned long long id = 0;
    if (const GetContextId get = get_context_id(); get != nullptr && get(context, &id) == CUDA_SUCCESS)
        state.context_id = id;
    state.context.store(context, std::memory_order_release);
    return context;
}

int32_t initialized_device_count() noexcept {
    const DriverState* const state = driver_state.load(std::memory_order_acquire);
    return state == nullptr ? 0 : state->device_count;
}

bool has_primary_context(int32_t device_id) noexcept {
    const DriverState* const state = driver_state.load(std::memory_order_acquire);
    return state != nullptr &&
           state->devices[static_cast<size_t>(device_id)].context.load(std::memory_order_acquire) != nullptr;
}

namespace {

// Of a clock that is read in a few nanoseconds; always 0 where there is none.
uint64_t ticks() noexcept {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

// 20 to 50 microseconds.
constexpr uint64_t ticks_between_questions = 100'000;

bool ask_whether_context_is_reset(int32_t device_id) noexcept {
    const DriverState* const state = driver_state.load(std::memory_order_acquire);
    if (state == nullptr || device_id < 0 || device_id >= state->device_count) return false;
    const DeviceState& device = state->devices[static_cast<size_t>(device_id)];
    const CUcontext context = device.context.load(std::memory_order_acquire);
    if (context == nullptr || device.context_id == 0) return false;
    unsigned long long id = 0;
    const CUresult result = get_context_id()(context, &id);
    return result == CUDA_SUCCESS ? id != device.context_id : result == CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

}  // namespace

bool is_context_reset(int32_t device_id) noexcept {
    // Of this thread's last question that was answered with no.
    thread_local int32_t asked_device = -1;
    thread_local uint64_t asked_at = 0;
    const uint64_t now = ticks();
    if (asked_device == device_id && now - asked_at < ticks_between_questions && now != 0) [[likely]]
        return false;
    if (ask_whether_context_is_reset(device_id)) return true;
    asked_device = device_id;
    asked_at = now;
    return false;
}

void refuse_reset_context(int32_t device_id) {
    if (!is_context_reset(device_id)) [[likely]]
        return;
    throw_driver_error(CUDA_ERROR_CONTEXT_IS_DESTROYED, "cuCtxGetId", "using a device's context",
                       describe_device(device_id));
}

int32_t device_with_context() {
    const DriverState& state = initialized_driver();
    for (int32_t i = 0; i < state.device_count; ++i) {
        if (state.devices[static_cast<size_t>(i)].context.load(std::memory_order_acquire) != nullptr) return i;
    }
    return 0;
}

bool must_leak() noexcept {
    return process_is_exiting.load() || is_forked_child.load();
}

ContextScope::ContextScope(int32_t device_id) {
    const CUcontext context = primary_context(device_id);
    refuse_reset_context(device_id);
    push(context, device_id);
}

ContextScope::ContextScope(CUcontext context, int32_t device_id) {
    refuse_forked_child();
    push(context, device_id);
}

ContextScope::ContextScope(const StreamRef& stream) {
    refuse_forked_child();
    refuse_reset_context(stream.device_id());
    if (is_default_stream(stream.handle())) push(primary_context(stream.device_id()), stream.device_id());
}

ContextScope::ContextScope(const EventRef& /*event*/) {
    refuse_forked_child();
}

ContextScope::ContextScope(const StreamRef& stream, int32_t memory_device_id) {
    const int32_t device_id = is_default_stream(stream.handle()) ? stream.device_id() : memory_device_id;
    const CUcontext context = primary_context(device_id);
    refuse_reset_context(stream.device_id());
    push(context, device_id);
}

void ContextScope::push(CUcontext wanted, int32_t device_id) {
    const auto device = [device_id] { return describe_device(device_id); };
    CUcontext current = nullptr;
    check(driver::cuCtxGetCurrent(&current), "cuCtxGetCurrent", "asking for the current context", device);
    if (current == wanted) return;
    check(driver::cuCtxPushCurrent(wanted), "cuCtxPushCurrent", "making a context current", device);
    pushed_ = true;
}

void ContextScope::pop() noexcept {
    CUcontext popped = nullptr;
    report_cleanup(driver::cuCtxPopCurrent(&popped), "cuCtxPopCurrent", "putting the caller's context back", "");
}

}  // namespace cuprum::core
