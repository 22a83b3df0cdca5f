// Memory pools: stream-ordered allocation.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "driver/memory/shared_file.hpp"
#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

class Device;
struct MemoryAccess;

// Counts what its allocations use. The device's memory is taken and given back one allocation at a time, so that freed
// memory is recognised; what a pool would keep for reuse is therefore an amount that it reports, no memory.
// Thread-safe.
class MemoryPool {
public:
    enum class Memory { device, pinned_host, managed };

    // `max_size` 0: no limit. A pool of host memory belongs to a device too, in name only.
    MemoryPool(Device& device, size_t max_size, bool is_default, Memory memory = Memory::device);

    Device& device() const { return device_; }
    Memory memory() const { return memory_; }
    bool is_default() const { return is_default_; }
    // Which devices reach its memory: shared with all of it, but for managed memory, which all devices reach always.
    const std::shared_ptr<MemoryAccess>& access() const { return access_; }

    // What other processes know the pool by, where it was created to be shared, or imported: a file with a
    // SharedHeader.
    void set_file(SharedFile file, bool imported) {
        file_ = std::move(file);
        imported_ = imported;
    }
    bool shareable() const { return file_.exists() && !imported_; }
    bool imported() const { return imported_; }
    // Whether a handle of it was given out, before which its memory is not shared.
    void set_exported() { exported_ = true; }
    bool exported() const { return exported_; }
    const SharedFile& file() const { return file_; }

    // False if that goes beyond the pool's largest size.
    bool take(size_t bytes);
    void give_back(size_t bytes);
    // At a synchronisation: what is reserved beyond the release threshold goes back.
    void trim_to(size_t bytes_to_keep);
    void trim_to_threshold();

    // Throw DriverError for an unknown attribute, or a value that it cannot have.
    void get(CUmemPool_attribute attribute, void* value) const;
    void set(CUmemPool_attribute attribute, const void* value);

private:
    Device& device_;
    const size_t max_size_;
    const bool is_default_;
    const Memory memory_;
    const std::shared_ptr<MemoryAccess> access_;
    SharedFile file_;
    bool imported_ = false;
    std::atomic<bool> exported_ = false;
    mutable std::mutex mutex_;
    int follow_event_dependencies_ = 1;
    int allow_opportunistic_ = 1;
    int allow_internal_dependencies_ = 1;
    uint64_t release_threshold_ = 0;
    uint64_t used_ = 0, used_high_ = 0;
    uint64_t reserved_ = 0, reserved_high_ = 0;
};

}  // namespace cuprum::simulator::libcuda
