// Multicast objects: addresses of theirs stand for memory of each of their devices, and are for the instruction
// multimem alone. Here an object has one device.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

class Device;
class PhysicalMemory;

// What cuMulticastCreate makes. Thread-safe, but for `bindings`.
class MulticastObject {
public:
    explicit MulticastObject(uint64_t size) : size_(size) {}

    uint64_t size() const { return size_; }
    // Throws DriverError(CUDA_ERROR_INVALID_VALUE) if it has its device already.
    void add_device(Device& device);
    // Waits for it, as binding and mapping do.
    Device& device() const;

    // Bytes of the object that memory is bound to, by where they begin. VirtualMemory's, which shows them where the
    // object is mapped.
    struct Binding {
        uint64_t size = 0;
        std::shared_ptr<PhysicalMemory> memory;
        uint64_t memory_offset = 0;
    };
    std::map<uint64_t, Binding> bindings;

private:
    const uint64_t size_;
    mutable std::mutex mutex_;
    mutable std::condition_variable added_;
    Device* device_ = nullptr;
};

}  // namespace cuprum::simulator::libcuda
