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

constinit std::atomic<DeviceState*> known_devices = nullptr;
constinit thread_local ContextAnswer last_answer;

namespace {

// Of the devices that `known_devices` points to, set before it.
int32_t device_count = 0;
std::mutex initialization_mutex;

void refuse_forked_child() {
    if (holds(Circumstance::forked)) [[unlikely]]
        throw_forked_child("using the CUDA driver", "process " + std::to_string(getpid()));
}

// Leaked on purpose: see DeviceState.
DeviceState* start_driver() {
    const CUresult started = driver::cuInit(0);
    // A driver that is there and does not start may have said why. Where it is not there, the bindings know more.
    const bool is_missing = started == CUDA_ERROR_SHARED_OBJECT_INIT_FAILED || started == CUDA_ERROR_NOT_FOUND;
    if (started != CUDA_SUCCESS && !is_missing) read_driver_log_from_beginning();
    check(started, "cuInit", "initialising the CUDA driver", "");
    start_driver_log();
    int count = 0;
    check(driver::cuDeviceGetCount(&count), "cuDeviceGetCount", "counting the CUDA devices", "");
    auto devices = std::make_unique<DeviceState[]>(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) {
        check(driver::cuDeviceGet(&devices[static_cast<size_t>(i)].device, i), "cuDeviceGet", "opening a device",
              [i] { return describe_device(i); });
    }
    device_count = count;
    return devices.release();
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
        std::atexit([] { set(Circumstance::exiting, true); });
        pthread_atfork(nullptr, nullptr, [] {
            set(Circumstance::forked, true);
            last_answer = {};
        });
        return true;
    }();
    static_cast<void>(watching);
}

DeviceState* initialized_driver() {
    refuse_forked_child();
    if (DeviceState* const devices = known_devices.load(std::memory_order_acquire)) return devices;
    const std::lock_guard lock(initialization_mutex);
    if (DeviceState* const devices = known_devices.load(std::memory_order_acquire)) return devices;
    DeviceState* const devices = start_driver();
    watch_process_end();
    known_devices.store(devices, std::memory_order_release);
    return devices;
}

}  // namespace

void throw_forked_child(std::string operation, std::string object) {
    throw InvalidState(
        std::move(operation), std::move(object),
        "this process was forked after its parent had initialised CUDA, which a CUDA driver does not survive",
        "use CUDA only in the child, or start the child anew (exec; in Python the 'spawn' start method)");
}

int32_t initialize_driver() {
    initialized_driver();
    return device_count;
}

DeviceState& device_state(int32_t device_id) {
    DeviceState* const devices = initialized_driver();
    if (device_id < 0 || device_id >= device_count) {
        throw InvalidArgument("opening a device", describe_device(device_id),
                              device_count == 1
                                  ? "there is only device 0"
                                  : "there are " + std::to_string(device_count) + " devices, counted from 0");
    }
    return devices[device_id];
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
    return known_devices.load(std::memory_order_acquire) == nullptr ? 0 : device_count;
}

bool has_primary_context(int32_t device_id) noexcept {
    const DeviceState* const devices = known_devices.load(std::memory_order_acquire);
    return devices != nullptr && devices[device_id].context.load(std::memory_order_acquire) != nullptr;
}

bool is_context_reset_now(int32_t device_id) noexcept {
    const DeviceState* const devices = known_devices.load(std::memory_order_acquire);
    if (devices == nullptr || device_id < 0 || device_id >= device_count || is_forked()) return false;
    const DeviceState& device = devices[device_id];
    const CUcontext context = device.context.load(std::memory_order_acquire);
    if (context == nullptr || device.context_id == 0) return false;
    unsigned long long id = 0;
    const CUresult result = get_context_id()(context, &id);
    const bool is_reset = result == CUDA_SUCCESS ? id != device.context_id : result == CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (!is_reset) last_answer = {device_id, ticks()};
    return is_reset;
}

void refuse_unusable_context_now(int32_t device_id) {
    refuse_forked_child();
    if (!is_context_reset_now(device_id)) [[likely]]
        return;
    throw_driver_error(CUDA_ERROR_CONTEXT_IS_DESTROYED, "cuCtxGetId", "using a device's context",
                       describe_device(device_id));
}

int32_t device_with_context() {
    const DeviceState* const devices = initialized_driver();
    for (int32_t i = 0; i < device_count; ++i) {
        if (devices[i].context.load(std::memory_order_acquire) != nullptr) return i;
    }
    return 0;
}

ContextScope::ContextScope(int32_t device_id) {
    const CUcontext context = primary_context(device_id);
    refuse_unusable_context(device_id);
    push(context, device_id);
}

ContextScope::ContextScope(CUcontext context, int32_t device_id) {
    refuse_forked_child();
    push(context, device_id);
}

ContextScope::ContextScope(const EventRef& /*event*/) {
    refuse_forked_child();
}

ContextScope::ContextScope(const StreamRef& stream, int32_t memory_device_id) {
    const int32_t device_id = is_default_stream(stream.handle()) ? stream.device_id() : memory_device_id;
    const CUcontext context = primary_context(device_id);
    refuse_unusable_context(stream.device_id());
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
