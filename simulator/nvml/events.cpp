#include "nvml/events.hpp"

#include <cuda.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "nvml/devices.hpp"

namespace cuprum::simulator::nvml {

// A device has one fault at most in a process: it is out of service from then on.
struct EventSet {
    struct Watched {
        Device* device;
        bool is_over;  // its fault was there before, or has been told
    };
    std::vector<Watched> devices;
};

namespace {

constexpr auto poll_period = std::chrono::milliseconds(2);

// The XIDs under which NVIDIA's driver reports such faults: an MMU fault, or an exception of the engine.
unsigned long long xid_of(uint32_t fault) {
    return fault == CUDA_ERROR_ILLEGAL_ADDRESS ? 31 : fault == CUDA_ERROR_LAUNCH_TIMEOUT ? 8 : 13;
}

struct Sets {
    std::mutex mutex;
    std::vector<std::unique_ptr<EventSet>> all;

    EventSet* find(EventSet* set) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.get() == set; });
        return found == all.end() ? nullptr : set;
    }
};

Sets& sets() {
    static Sets& instance = *new Sets;
    return instance;
}

// With the lock held. Whether there was an event.
bool take_event(EventSet& set, EventData* data) {
    for (EventSet::Watched& watched : set.devices) {
        const uint32_t fault = watched.is_over ? 0 : watched.device->usage().fault;
        if (fault == 0) continue;
        watched.is_over = true;
        *data = {handle_of(*watched.device), event_xid, xid_of(fault), no_instance, no_instance};
        return true;
    }
    return false;
}

}  // namespace

Result create_event_set(EventSet** set) {
    if (devices() == nullptr) return uninitialized;
    if (set == nullptr) return invalid_argument;
    const std::lock_guard lock(sets().mutex);
    sets().all.push_back(std::make_unique<EventSet>());
    *set = sets().all.back().get();
    return success;
}

Result free_event_set(EventSet* set) {
    if (devices() == nullptr) return uninitialized;
    const std::lock_guard lock(sets().mutex);
    return std::erase_if(sets().all, [&](const auto& each) { return each.get() == set; }) == 0 ? invalid_argument
                                                                                               : success;
}

Result register_events(EventSet* set, DeviceHandle* handle, unsigned long long types) {
    Result status = success;
    Device* const device = find(handle, status);
    if (device == nullptr) return status;
    if ((types & ~event_xid) != 0) return not_supported;
    const std::lock_guard lock(sets().mutex);
    if (sets().find(set) == nullptr) return invalid_argument;
    if ((types & event_xid) != 0) set->devices.push_back({device, device->usage().fault != 0});
    return success;
}

Result wait_for_event(EventSet* set, EventData* data, unsigned int milliseconds) {
    if (devices() == nullptr) return uninitialized;
    if (data == nullptr) return invalid_argument;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    for (;;) {
        {
            const std::lock_guard lock(sets().mutex);
            if (sets().find(set) == nullptr) return invalid_argument;
            if (take_event(*set, data)) return success;
        }
        if (std::chrono::steady_clock::now() >= end) return timeout;
        std::this_thread::sleep_for(poll_period);
    }
}

}  // namespace cuprum::simulator::nvml
