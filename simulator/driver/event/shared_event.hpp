// Events that processes share.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "driver/memory/shared_file.hpp"

namespace cuprum::simulator::libcuda {

// The recordings of one event in all its processes: each has a number, counted up from 1, and comes to pass by itself.
// Thread-safe, and between processes.
class SharedEvent {
public:
    // Of a file that create() or another process made; throws DriverError.
    explicit SharedEvent(SharedFile file);
    static std::shared_ptr<SharedEvent> create();
    ~SharedEvent();
    SharedEvent(const SharedEvent&) = delete;
    SharedEvent& operator=(const SharedEvent&) = delete;

    static constexpr uint64_t file_bytes = 4096;
    const SharedFile& file() const { return file_; }

    uint32_t begin_recording();
    // 0 if there was none.
    uint32_t last_recording() const;
    void complete(uint32_t recording);
    bool completed(uint32_t recording) const;
    void wait(uint32_t recording) const;

private:
    // Recordings that are under way at once and more than this apart could be taken for one another.
    static constexpr uint32_t slots = 256;
    struct State {
        std::atomic<uint32_t> recorded;
        std::atomic<uint32_t> changes;      // waited on by futex
        std::atomic<uint32_t> done[slots];  // the last recording of each slot that came to pass
    };
    static_assert(sizeof(State) <= file_bytes && std::atomic<uint32_t>::is_always_lock_free);

    SharedFile file_;
    State* state_ = nullptr;
};

}  // namespace cuprum::simulator::libcuda
