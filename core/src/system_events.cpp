#include <unistd.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cuprum/core/live_objects.hpp"
#include "cuprum/core/system.hpp"
#include "nvml_call.hpp"

namespace cuprum::core::system {

struct DeviceEvents::State {
    detail::Alive<ObjectKind::system_events> alive;
    nvmlEventSet_t set = nullptr;
    pid_t process = getpid();  // a fork of it has no NVML of its own

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (set != nullptr && process == getpid()) nvml::nvmlEventSetFree(set);
    }
};

DeviceEvents Device::register_events(EventType types) const {
    constexpr const char* operation = "registering for the events of a GPU";
    const auto object = [this] { return "system device " + std::to_string(index_); };
    DeviceEvents events;
    events.state_ = std::make_shared<DeviceEvents::State>();
    nvmlEventSet_t& set = events.state_->set;
    check_nvml(nvml::nvmlEventSetCreate(&set), "nvmlEventSetCreate", operation, object);
    check_nvml(
        nvml::nvmlDeviceRegisterEvents(static_cast<nvmlDevice_t>(handle_), static_cast<unsigned long long>(types), set),
        "nvmlDeviceRegisterEvents", operation, object);
    return events;
}

std::optional<DeviceEvents::Event> DeviceEvents::wait(std::chrono::milliseconds timeout) const {
    constexpr const char* operation = "waiting for an event of a GPU";
    const std::shared_ptr<State> state = state_;
    if (state == nullptr) {
        throw InvalidState(operation, "events of a GPU", "there are none: no device was asked for them",
                           "get them from register_events");
    }
    if (state->process != getpid()) {
        throw InvalidState(operation, "events of a GPU",
                           "this process was forked from the one that registered for them",
                           "register for events in the process that waits for them");
    }
    constexpr int64_t most = std::numeric_limits<unsigned int>::max();
    const auto milliseconds = static_cast<unsigned int>(std::clamp<int64_t>(timeout.count(), 0, most));
    nvmlEventData_t data{};
    const nvmlReturn_t result = nvml::nvmlEventSetWait_v2(state->set, &data, milliseconds);
    if (result == NVML_ERROR_TIMEOUT) return std::nullopt;
    check_nvml(result, "nvmlEventSetWait", operation, "events of a GPU");
    unsigned int index = 0;
    check_nvml(nvml::nvmlDeviceGetIndex(data.device, &index), "nvmlDeviceGetIndex", operation, "events of a GPU");
    return Event{static_cast<int32_t>(index), static_cast<EventType>(data.eventType), data.eventData};
}

}  // namespace cuprum::core::system
