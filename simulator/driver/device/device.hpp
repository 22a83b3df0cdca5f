// One simulated device.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "driver/device/capability.hpp"
#include "driver/device/kernel_clock.hpp"
#include "driver/memory/device_arena.hpp"
#include "driver/process/configuration.hpp"
#include "driver/process/cuda_api.hpp"
#include "engine/engine.hpp"

namespace cuprum::simulator::libcuda {

class Context;
class MemoryPool;

// Limits that the driver checks itself; all as on an A100 unless the model says otherwise.
struct DeviceLimits {
    static constexpr uint32_t threads_per_block = 1024;
    static constexpr std::array<uint32_t, 3> block = {1024, 1024, 64};
    static constexpr std::array<uint32_t, 3> grid = {2147483647, 65535, 65535};
    static constexpr uint32_t registers_per_multiprocessor = 65536;
    static constexpr uint32_t warp_size = 32;
    static constexpr uint32_t most_multiprocessors = 256;
    static constexpr int memory_domains = 4;
    static constexpr int least_priority = 0;
    static constexpr int greatest_priority = -5;
};

// Thread-safe.
class Device {
public:
    Device(uint32_t ordinal, const Configuration& configuration);
    ~Device();

    uint32_t ordinal() const { return ordinal_; }
    const DeviceModel& model() const { return model_; }
    const Capability& capability() const { return capability_; }
    std::string name() const { return "Cuprum simulator (no GPU)"; }
    std::array<char, 16> uuid() const;
    std::string pci_bus_identifier() const;  // "0000:01:00.0"
    // Throws DriverError(CUDA_ERROR_INVALID_VALUE) for a value that is no attribute.
    int attribute(CUdevice_attribute attribute) const;
    CUdevprop properties() const;

    // Of its kernels; see KernelClock.
    KernelClock& kernel_clock() { return kernel_clock_; }

    DeviceArena& arena() { return arena_; }
    Engine& engine();

    // The primary context. Retaining makes it active and creates it the first time; the last release deactivates it.
    std::shared_ptr<Context> retain_primary();
    // False if it is not retained.
    bool release_primary();
    void reset_primary();
    void set_primary_flags(unsigned int flags);
    unsigned int primary_flags() const;
    bool primary_active() const;

    CUmemoryPool default_pool() const { return default_pool_; }
    void set_default_pool(CUmemoryPool pool) { default_pool_ = pool; }
    CUmemoryPool current_pool() const { return current_pool_; }
    void set_current_pool(CUmemoryPool pool) { current_pool_ = pool; }

private:
    const uint32_t ordinal_;
    Capability capability_;
    DeviceModel model_;
    KernelClock kernel_clock_;
    DeviceArena arena_;
    std::once_flag engine_once_;
    std::unique_ptr<Engine> engine_;

    mutable std::mutex primary_mutex_;
    std::shared_ptr<Context> primary_;
    uint32_t primary_retained_ = 0;
    unsigned int primary_flags_ = 0;

    CUmemoryPool default_pool_ = nullptr;
    std::atomic<CUmemoryPool> current_pool_{nullptr};
};

}  // namespace cuprum::simulator::libcuda
