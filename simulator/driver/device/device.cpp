#include "driver/device/device.hpp"

#include "driver/context/context.hpp"
#include "driver/device/capability.hpp"
#include "driver/device/device_fault.hpp"
#include "driver/error/driver_error.hpp"
#include "driver/process/driver.hpp"

namespace cuprum::simulator::libcuda {

namespace {

DeviceModel model_from(const Configuration& configuration) {
    DeviceModel model;
    model.compute_capability_major = configuration.capability_major;
    model.compute_capability_minor = configuration.capability_minor;
    model.multiprocessors = configuration.multiprocessors;
    model.worker_threads = configuration.threads;
    model.checks = configuration.checks;
    model.emulates_video = configuration.emulates_video;
    model.kernel_timeout = configuration.timeout;
    model.inspector = configuration.inspector;
    // Which warp comes first somewhere is the same in each run if one thread runs them all.
    if (configuration.breakpoint) model.worker_threads = 1;
    model.max_dynamic_shared_bytes =
        capability_of(configuration.capability_major, configuration.capability_minor).most_shared_bytes_of_a_block();
    return model;
}

}  // namespace

Device::Device(uint32_t ordinal, const Configuration& configuration)
    : ordinal_(ordinal),
      capability_(capability_of(configuration.capability_major, configuration.capability_minor)),
      model_(model_from(configuration)),
      arena_(configuration.memory) {}

Device::~Device() = default;

std::array<char, 16> Device::uuid() const {
    std::array<char, 16> bytes{'c', 'u', 'p', 'r', 'u', 'm', '-', 's', 'i', 'm', 'u', 'l', 'a', 't', 'o', 0};
    bytes[15] = static_cast<char>(ordinal_ + 1);
    return bytes;
}

std::string Device::pci_bus_identifier() const {
    return format("0000:%02x:00.0", ordinal_ + 1);
}

Engine& Device::engine() {
    std::call_once(engine_once_, [&] { engine_ = std::make_unique<Engine>(model_); });
    return *engine_;
}

std::shared_ptr<Context> Device::retain_primary() {
    const std::lock_guard lock(primary_mutex_);
    if (!primary_ || !primary_->active()) require_working_device(ordinal_);
    if (!primary_) {
        primary_ = std::make_shared<Context>(*this, true, primary_flags_, 3020);
        primary_->set_handle(handles().contexts.insert(primary_));
    }
    if (!primary_->active()) {
        primary_->flags = primary_flags_;
        primary_->activate();
    }
    ++primary_retained_;
    return primary_;
}

bool Device::release_primary() {
    const std::lock_guard lock(primary_mutex_);
    if (primary_retained_ == 0) return false;
    if (--primary_retained_ == 0 && primary_->active()) primary_->deactivate();
    return true;
}

void Device::reset_primary() {
    const std::lock_guard lock(primary_mutex_);
    // The references stay; a retain or the context's next use after a retain finds it fresh.
    if (primary_ && primary_->active()) primary_->deactivate();
}

void Device::set_primary_flags(unsigned int flags) {
    const std::lock_guard lock(primary_mutex_);
    primary_flags_ = flags;
    if (primary_ && primary_->active()) primary_->flags = flags;
}

unsigned int Device::primary_flags() const {
    const std::lock_guard lock(primary_mutex_);
    return primary_ && primary_->active() ? primary_->flags.load() : primary_flags_;
}

bool Device::primary_active() const {
    const std::lock_guard lock(primary_mutex_);
    return primary_ && primary_->active();
}

}  // namespace cuprum::simulator::libcuda
