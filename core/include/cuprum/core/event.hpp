#pragma once

#include <cstddef>
#include <cstdint>

#include "cuprum/core/handles.hpp"

namespace cuprum::core {

class Device;

struct EventOptions {
    bool timing_enabled = false;
    bool blocking_sync = false;  // sync() sleeps instead of spinning
};

// An event that somebody else owns.
class EventRef {
public:
    EventRef() = default;  // invalid
    EventRef(std::nullptr_t) = delete;
    EventRef(int) = delete;
    static EventRef from_handle(CUevent handle, int32_t device_id = 0);

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
    explicit Event(const Device& device, const EventOptions& options = {});
    Event(Event&& other) noexcept;
    Event& operator=(Event&& other) noexcept;
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event();

    bool is_timing_enabled() const { return options_.timing_enabled; }
    bool is_blocking_sync() const { return options_.blocking_sync; }
    [[nodiscard]] CUevent release();
    void close() noexcept;  // idempotent

private:
    EventOptions options_;
};

// Milliseconds from `start` to `end`. Both must have timing enabled and have happened: InvalidState otherwise.
float elapsed_time(EventRef start, EventRef end);
inline float operator-(const Event& end, const Event& start) {
    return elapsed_time(start, end);
}

}  // namespace cuprum::core
