#include "cuprum/core/stream.hpp"

#include <utility>

#include "captured_streams.hpp"
#include "context.hpp"
#include "cuprum/core/device.hpp"
#include "device_of_context.hpp"
#include "driver_error.hpp"
#include "driver_log.hpp"
#include "left_to_destroy.hpp"
#include "require.hpp"
#include "stream_state.hpp"

namespace cuprum::core {

namespace {

// The ordinal of the device that a stream made elsewhere belongs to.
int32_t device_of(CUstream handle) {
    const auto stream = [handle] { return "stream " + hexadecimal(reinterpret_cast<uintptr_t>(handle)); };
    constexpr const char* operation = "borrowing a stream";
    CUcontext context = nullptr;
    check(driver::cuStreamGetCtx(handle, &context), "cuStreamGetCtx", operation, stream);
    return device_of_context(context, operation, stream);
}

}  // namespace

StreamRef StreamRef::from_handle(CUstream handle, std::optional<int32_t> device_id) {
    if (is_default_stream(handle)) {
        const int32_t id = device_id ? *device_id : Device::current().device_id();
        device_state(id);
        return {handle, id, true};
    }
    initialize_driver();
    return {handle, device_of(handle), false};
}

Device StreamRef::device() const {
    require_valid(*this, "asking for a stream's device");
    return Device(device_id_);
}

bool StreamRef::is_nonblocking() const {
    constexpr const char* operation = "asking whether a stream is nonblocking";
    require_valid(*this, operation);
    const ContextScope scope(device_id_);
    unsigned int flags = 0;
    check(driver::cuStreamGetFlags(handle_, &flags), "cuStreamGetFlags", operation, *this);
    return (flags & CU_STREAM_NON_BLOCKING) != 0;
}

int32_t StreamRef::priority() const {
    constexpr const char* operation = "asking for a stream's priority";
    require_valid(*this, operation);
    const ContextScope scope(device_id_);
    int priority = 0;
    check(driver::cuStreamGetPriority(handle_, &priority), "cuStreamGetPriority", operation, *this);
    return priority;
}

bool StreamRef::is_done() const {
    constexpr const char* operation = "asking whether a stream's work is done";
    require_valid(*this, operation);
    const ContextScope scope(*this);
    const CUresult result = driver::cuStreamQuery(handle_);
    if (result == CUDA_ERROR_NOT_READY) return false;
    check(result, "cuStreamQuery", operation, *this);
    return true;
}

bool StreamRef::is_capturing() const {
    constexpr const char* operation = "asking whether a stream is capturing";
    require_valid(*this, operation);
    const ContextScope scope(*this);
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    check(driver::cuStreamIsCapturing(handle_, &status), "cuStreamIsCapturing", operation, *this);
    return status != CU_STREAM_CAPTURE_STATUS_NONE;
}

void StreamRef::sync() const {
    constexpr const char* operation = "waiting for a stream";
    require_valid(*this, operation);
    const ContextScope scope(*this);
    check(driver::cuStreamSynchronize(handle_), "cuStreamSynchronize", operation, *this);
    destroy_what_is_left();
}

Event StreamRef::record(const EventOptions& options) const {
    require_valid(*this, "recording an event");
    Event event(Device(device_id_), options);
    record(event);
    return event;
}

void StreamRef::record(EventRef event) const {
    constexpr const char* operation = "recording an event";
    require_valid(*this, operation);
    require_valid(event, operation);
    const ContextScope scope(*this);
    const CUresult result = driver::cuEventRecord(event.handle(), handle_);
    const auto both = [&] { return describe(event) + " in " + describe(*this); };
    if (result == CUDA_ERROR_INVALID_HANDLE && event.device_id() != device_id_) {
        discard_driver_log();
        throw InvalidArgument(operation, both(), "a stream records events of its own device",
                              "create the event on " + describe_device(device_id_));
    }
    check(result, "cuEventRecord", operation, both);
}

void StreamRef::wait(EventRef event) const {
    constexpr const char* operation = "making a stream wait for an event";
    require_valid(*this, operation);
    require_valid(event, operation);
    const ContextScope scope(*this);
    check(driver::cuStreamWaitEvent(handle_, event.handle(), CU_EVENT_WAIT_DEFAULT), "cuStreamWaitEvent", operation,
          [&] { return describe(*this) + ", " + describe(event); });
}

void StreamRef::wait(StreamRef other) const {
    constexpr const char* operation = "making a stream wait for another";
    require_valid(*this, operation);
    require_valid(other, operation);
    // The driver keeps the event until the stream has passed it: destroying it here is fine (cuEventDestroy).
    wait(other.record());
}

Stream::State::~State() {
    if (!owned) return;
    forget_stream(known);
    // A stream brings its context along.
    if (must_leak() || is_context_reset(device_id)) return;
    report_cleanup(driver::cuStreamDestroy(handle), "cuStreamDestroy", "destroying a stream",
                   [this] { return "stream " + hexadecimal(reinterpret_cast<uintptr_t>(handle)); });
}

void Stream::State::own(const std::shared_ptr<State>& state) noexcept {
    state->owned = true;
    state->live.count();
    state->known.stream = state->handle;
    state->known.device_id = state->device_id;
    state->known.owner = state;
    remember_stream(state->known);
}

void Stream::State::disown() noexcept {
    owned = false;
    live.stop_counting();
    forget_stream(known);
}

Stream::Stream(const Device& device, const StreamOptions& options)
    : Stream(primary_context(device.device_id()), device.device_id(), options) {}

Stream::Stream(CUcontext context, int32_t device_id, const StreamOptions& options) {
    // Before the driver's stream exists, so that no failure can leave it without an owner.
    auto state = std::make_shared<State>();
    state->device_id = device_id;
    refuse_unusable_context(device_id);
    const ContextScope scope(context, device_id);
    const unsigned int flags = options.nonblocking ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT;
    check(driver::cuStreamCreateWithPriority(&state->handle, flags, options.priority), "cuStreamCreateWithPriority",
          "creating a stream", [device_id] { return describe_device(device_id); });
    State::own(state);
    handle_ = state->handle;
    device_id_ = state->device_id;
    valid_ = true;
    is_of_primary_context_ = context == primary_context(device_id);
    state_ = std::move(state);
}

Stream::Stream(std::shared_ptr<const void> context_owner, CUgreenCtx context, int32_t device_id,
               const StreamOptions& options) {
    constexpr const char* operation = "creating a stream";
    const auto object = [device_id] { return "a green context of " + describe_device(device_id); };
    if (!options.nonblocking) {
        throw InvalidArgument(operation, object(), "a green context has only nonblocking streams",
                              "ask for a nonblocking stream");
    }
    auto state = std::make_shared<State>();
    state->device_id = device_id;
    state->context_owner = std::move(context_owner);
    check(driver::cuGreenCtxStreamCreate(&state->handle, context, CU_STREAM_NON_BLOCKING, options.priority),
          "cuGreenCtxStreamCreate", operation, object);
    State::own(state);
    handle_ = state->handle;
    device_id_ = device_id;
    valid_ = true;
    state_ = std::move(state);
}

Stream::Stream(Stream&& other) noexcept
    : StreamRef(std::exchange(static_cast<StreamRef&>(other), StreamRef())), state_(std::move(other.state_)) {}

Stream& Stream::operator=(Stream&& other) noexcept {
    if (this != &other) {
        close();
        static_cast<StreamRef&>(*this) = std::exchange(static_cast<StreamRef&>(other), StreamRef());
        state_ = std::move(other.state_);
    }
    return *this;
}

Stream::~Stream() {
    close();
}

CUstream Stream::release() {
    require_valid(*this, "releasing a stream");
    state_->disown();
    state_.reset();
    return std::exchange(static_cast<StreamRef&>(*this), StreamRef()).handle();
}

void Stream::close() noexcept {
    static_cast<StreamRef&>(*this) = StreamRef();
    state_.reset();
}

}  // namespace cuprum::core
