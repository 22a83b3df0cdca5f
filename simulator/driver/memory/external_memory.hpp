// Memory and semaphores of others, by file descriptors. No graphics API is here to make them: what a descriptor stands
// for is what the system's own descriptors can be.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "driver/memory/shared_file.hpp"
#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

class Context;

// Memory behind a descriptor: physical memory that cuMemExportToShareableHandle has exported, or a file in memory or on
// disk.
class ExternalMemory {
public:
    // Owns the descriptor from then on. Throws DriverError where it is not such memory, or is smaller than its size.
    explicit ExternalMemory(const CUDA_EXTERNAL_MEMORY_HANDLE_DESC& description);
    // Part of it as device memory of the context. Throws DriverError.
    uint64_t map(const Context& context, const CUDA_EXTERNAL_MEMORY_BUFFER_DESC& description) const;

private:
    SharedFile file_;
    uint64_t size_ = 0;
};

// A semaphore behind a descriptor: one that is signalled or not (an eventfd), or one with a value that only grows (the
// first 8 bytes of a file in memory).
class ExternalSemaphore {
public:
    explicit ExternalSemaphore(const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC& description);
    ~ExternalSemaphore();
    ExternalSemaphore(const ExternalSemaphore&) = delete;
    ExternalSemaphore& operator=(const ExternalSemaphore&) = delete;

    void signal(uint64_t value) const;
    // Until it is signalled, or has the value; or the context is out of service.
    void wait(const Context& context, uint64_t value) const;

private:
    SharedFile file_;
    std::atomic<uint64_t>* timeline_ = nullptr;  // null: signalled or not
};

}  // namespace cuprum::simulator::libcuda
