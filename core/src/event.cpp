#include "cuprum/core/event.hpp"

#include <utility>

#include "context.hpp"
#include "cuprum/core/device.hpp"
#include "driver_error.hpp"
#include "driver_log.hpp"
#include "require.hpp"

namespace cuprum::core {

EventRef EventRef::from_handle(CUevent handle, int32_t device_id) {
    if (handle == nullptr) {
        throw InvalidArgument("borrowing an event", "", "the handle is null, which is not an event");
    }
    device_state(device_id);
    return {handle, device_id};
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
    const ContextScope scope(device.device_id());
    unsigned int flags = CU_EVENT_DEFAULT;
    if (!options.timing_enabled) flags |= CU_EVENT_DISABLE_TIMING;
    if (options.blocking_sync) flags |= CU_EVENT_BLOCKING_SYNC;
    CUevent handle = nullptr;
    check(driver::cuEventCreate(&handle, flags), "cuEventCreate", "creating an event",
          [&device] { return describe_device(device.device_id()); });
    handle_ = handle;
    device_id_ = device.device_id();
}

Event::Event(Event&& other) noexcept
    : EventRef(std::exchange(static_cast<EventRef&>(other), EventRef())),
      options_(std::exchange(other.options_, EventOptions())) {}

Event& Event::operator=(Event&& other) noexcept {
    if (this != &other) {
        close();
        static_cast<EventRef&>(*this) = std::exchange(static_cast<EventRef&>(other), EventRef());
        options_ = std::exchange(other.options_, EventOptions());
    }
    return *this;
}

Event::~Event() {
    close();
}

CUevent Event::release() {
    options_ = {};
    return std::exchange(static_cast<EventRef&>(*this), EventRef()).handle();
}

void Event::close() noexcept {
    if (!is_valid()) return;
    const EventRef closing = std::exchange(static_cast<EventRef&>(*this), EventRef());
    clean_up(closing.device_id(), [&closing] {
        report_cleanup(driver::cuEventDestroy(closing.handle()), "cuEventDestroy", "destroying an event", closing);
    });
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
        throw InvalidState(operation, both(), "at least one of the events was not recorded, or does not measure time",
                           "create both with the timing option enabled, and record both in a stream first");
    }
    check(result, "cuEventElapsedTime", operation, both);
    return milliseconds;
}

}  // namespace cuprum::core
