#include "driver/memory/multicast.hpp"

#include "driver/error/driver_error.hpp"

namespace cuprum::simulator::libcuda {

void MulticastObject::add_device(Device& device) {
    {
        const std::lock_guard lock(mutex_);
        if (device_ != nullptr)
            throw DriverError(
                CUDA_ERROR_INVALID_VALUE,
                "the multicast object already has all the devices that it was created for (prop.numDevices)");
        device_ = &device;
    }
    added_.notify_all();
}

Device& MulticastObject::device() const {
    std::unique_lock lock(mutex_);
    added_.wait(lock, [this] { return device_ != nullptr; });
    return *device_;
}

}  // namespace cuprum::simulator::libcuda
