#include "cuprum/core/event.hpp"

#include <cstring>
#include <utility>

#include "context.hpp"
#include "cuprum/core/device.hpp"
#include "driver_error.hpp"
#include "driver_log.hpp"
#include "require.hpp"

namespace cuprum::core {

EventRef EventRef::from_handle(CUevent handle, std::optional<int32_t> device_id) {
    if (handle == nullptr) {
        throw InvalidArgument("borrowing an event", "", "the handle is null, which is not an event");
    }
    const int32_t id = device_id ? *device_id : Device::current().device_id();
    device_state(id);
    return {handle, id};
}

bool EventRef::is_done() const {
    require_valid(*this, "querying an event");
    const ContextScope scope(*this);
    const CUresult result = driver::cuEventQuery(handle_);
    if (result == CUDA_ERROR_NOT_READY) return false;
    check(result, "cuEventQuery", "querying an event", *this);
    return true;
}

void EventRef::sync() const {
    require_valid(*this, "waiting for an event");
    const ContextScope scope(*this);
    check(driver::cuEventSynchronize(handle_), "cuEventSynchronize", "waiting for an event", *this);
}

Event::Event(const Device& device, const EventOptions& options) : options_(options) {
    if (options.ipc_enabled && options.timing_enabled) {
        throw InvalidArgument("creating an event", describe_device(device.device_id()),
                              "an event that other processes share cannot measure time",
                              "leave out the timing option or the IPC option");
    }
    const ContextScope scope(primary_context(device.device_id()), device.device_id());
    unsigned int flags = CU_EVENT_DEFAULT;
    if (options.ipc_enabled) flags |= CU_EVENT_INTERPROCESS;
    if (!options.timing_enabled) flags |= CU_EVENT_DISABLE_TIMING;
    if (options.blocking_sync) flags |= CU_EVENT_BLOCKING_SYNC;
    CUevent handle = nullptr;
    check(driver::cuEventCreate(&handle, flags), "cuEventCreate", "creating an event",
          [&device] { return describe_device(device.device_id()); });
    handle_ = handle;
    device_id_ = device.device_id();
    live_.count();
}

Event Event::from_ipc_descriptor(const IPCEventDescriptor& descriptor, const Device& device) {
    CUipcEventHandle shared{};
    static_assert(sizeof shared == sizeof descriptor.reserved);
    std::memcpy(&shared, descriptor.reserved.data(), sizeof shared);
    const ContextScope scope(device.device_id());
    CUevent handle = nullptr;
    check(driver::cuIpcOpenEventHandle(&handle, shared), "cuIpcOpenEventHandle", "opening another process's event",
          [&device] { return describe_device(device.device_id()); });
    Event event;
    event.handle_ = handle;
    event.device_id_ = device.device_id();
    event.live_.count();
    event.options_ = {.timing_enabled = false, .blocking_sync = descriptor.is_blocking_sync, .ipc_enabled = true};
    return event;
}

IPCEventDescriptor Event::ipc_descriptor() const {
    constexpr const char* operation = "sharing an event";
    require_valid(*this, operation);
    if (!options_.ipc_enabled) {
        throw InvalidState(operation, describe(*this), "it was made without the IPC option",
                           "make the event with the IPC option enabled");
    }
    const ContextScope scope(device_id());
    CUipcEventHandle shared{};
    check(driver::cuIpcGetEventHandle(&shared, handle()), "cuIpcGetEventHandle", operation, *this);
    IPCEventDescriptor descriptor;
    std::memcpy(descriptor.reserved.data(), &shared, sizeof shared);
    descriptor.is_blocking_sync = options_.blocking_sync;
    return descriptor;
}

Event::Event(Event&& other) noexcept
    : EventRef(std::exchange(static_cast<EventRef&>(other), EventRef())),
      options_(std::exchange(other.options_, EventOptions())),
      live_(std::move(other.live_)) {}

Event& Event::operator=(Event&& other) noexcept {
    if (this != &other) {
        close();
        static_cast<EventRef&>(*this) = std::exchange(static_cast<EventRef&>(other), EventRef());
        options_ = std::exchange(other.options_, EventOptions());
        live_ = std::move(other.live_);
    }
    return *this;
}

Event::~Event() {
    close();
}

CUevent Event::release() {
    options_ = {};
    live_.stop_counting();
    return std::exchange(static_cast<EventRef&>(*this), EventRef()).handle();
}

void Event::close() noexcept {
    if (!is_valid()) return;
    live_.stop_counting();
    const EventRef closing = std::exchange(static_cast<EventRef&>(*this), EventRef());
    // An event brings its context along.
    if (must_leak()) return;
    report_cleanup(driver::cuEventDestroy(closing.handle()), "cuEventDestroy", "destroying an event", closing);
}

float elapsed_time(EventRef start, EventRef end) {
    constexpr const char* operation = "measuring the time between two events";
    require_valid(start, operation);
    require_valid(end, operation);
    const auto both = [&] { return describe(start) + " and " + describe(end); };
    const ContextScope scope(start.device_id());
    float milliseconds = 0;
    const CUresult result = driver::cuEventElapsedTime(&milliseconds, start.handle(), end.handle());
    if (result == CUDA_ERROR_NOT_READY) {
        throw InvalidState(operation, both(), "the work before at least one of the events is not done yet",
                           "call sync() on the later event first");
    }
    if (result == CUDA_ERROR_INVALID_HANDLE) {
        discard_driver_log();
        if (start.device_id() != end.device_id()) {
            throw InvalidArgument(operation, both(), "both must be events of the same device",
                                  "record both in streams of one device");
        }
        throw InvalidState(operation, both(), "at least one of the events was not recorded, or does not measure time",
                           "create both with the timing option enabled, and record both in a stream first");
    }
    check(result, "cuEventElapsedTime", operation, both);
    return milliseconds;
}

}  // namespace cuprum::core
