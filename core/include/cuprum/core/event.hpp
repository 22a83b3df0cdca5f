#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "cuprum/core/handles.hpp"
#include "cuprum/core/live_objects.hpp"

namespace cuprum::core {

class Device;

struct EventOptions {
    bool timing_enabled = false;
    bool blocking_sync = false;  // sync() sleeps instead of spinning
    bool ipc_enabled = false;    // can be shared with other processes; not together with timing_enabled
};

// An event for another process: copied there as bytes.
struct IPCEventDescriptor {
    std::array<std::byte, 64> reserved{};  // the driver's CUipcEventHandle
    bool is_blocking_sync = false;
    friend bool operator==(const IPCEventDescriptor&, const IPCEventDescriptor&) = default;
};

// An event that somebody else owns.
class EventRef {
public:
    EventRef() = default;  // invalid
    EventRef(std::nullptr_t) = delete;
    EventRef(int) = delete;
    // Without a device: that of the context that is current on the calling thread.
    static EventRef from_handle(CUevent handle, std::optional<int32_t> device_id = {});

    bool is_valid() const { return handle_ != nullptr; }
    CUevent handle() const { return handle_; }
    int32_t device_id() const { return device_id_; }

    bool is_done() const;
    void sync() const;

    friend bool operator==(const EventRef&, const EventRef&) = default;

protected:
    EventRef(CUevent handle, int32_t device_id) : handle_(handle), device_id_(device_id) {}
    CUevent handle_ = nullptr;
    int32_t device_id_ = 0;
};

// Owns an event.
class Event : public EventRef {
public:
    Event() = default;  // invalid
    // Throws InvalidArgument for an event that is to measure time and be shared.
    explicit Event(const Device& device, const EventOptions& options = {});
    // The event that another process shares, opened for work of this device. It stays valid after its creator has
    // destroyed it. Throws DriverError for an invalid descriptor, or one that this process itself has made.
    static Event from_ipc_descriptor(const IPCEventDescriptor& descriptor, const Device& device);
    Event(Event&& other) noexcept;
    Event& operator=(Event&& other) noexcept;
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event();

    bool is_timing_enabled() const { return options_.timing_enabled; }
    bool is_blocking_sync() const { return options_.blocking_sync; }
    bool is_ipc_enabled() const { return options_.ipc_enabled; }
    // Throws InvalidState where the event was made without ipc_enabled.
    IPCEventDescriptor ipc_descriptor() const;
    [[nodiscard]] CUevent release();
    void close() noexcept;  // idempotent

private:
    EventOptions options_;
    detail::LiveCount<ObjectKind::event> live_;
};

// Milliseconds from `start` to `end`. Both must have timing enabled and have happened: InvalidState otherwise.
float elapsed_time(EventRef start, EventRef end);
inline float operator-(const Event& end, const Event& start) {
    return elapsed_time(start, end);
}

}  // namespace cuprum::core
