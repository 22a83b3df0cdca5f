// One call of an algorithm over host memory on several devices, each with pieces, copies and a thread of its own.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "piece_call.hpp"

namespace cuprum::parallel::out_of_core {

// At least one device, none of them twice, and resources that have memory of their device. Throws InvalidArgument.
void check_devices(const char* operation, const std::vector<DeviceMemory>& memory);

// A plan for each device that takes part: pieces of one size, which all of them have room for. One device alone where
// that has all elements in one piece.
class Plans {
public:
    // `needs`: of one of the devices.
    Plans(const std::vector<DeviceMemory>& memory, const std::function<Needs(size_t device)>& needs, uint64_t count,
          const PieceSizes& sizes);

    size_t devices() const { return plans_.size(); }
    const Plan& operator[](size_t device) const { return plans_[device]; }
    const Plan* operator->() const { return &plans_.front(); }

private:
    std::vector<Plan> plans_;
};

// The pieces are dealt to the devices in turn: each of `n` devices has every nth piece.
class DeviceCalls {
public:
    DeviceCalls(const std::vector<DeviceMemory>& memory, const Plans& plans);
    // What one device works on, others may be reading: all have stopped before anything is freed.
    ~DeviceCalls();
    DeviceCalls(const DeviceCalls&) = delete;
    DeviceCalls& operator=(const DeviceCalls&) = delete;

    size_t size() const { return calls_.size(); }
    PieceCall& operator[](size_t device) const { return *calls_[device]; }

    // Of all pieces, with the stages of each device; and then `after(device)`, if there is that. A thread for each
    // device, which also makes its stages; returns when all results have arrived. The first device's error is thrown,
    // after the others have stopped before their next piece.
    void run(uint64_t pieces, const std::function<Stages(size_t device)>& stages,
             const std::function<void(size_t device)>& after = {});

    // In a stage: work() of one piece after that of the piece before it, whichever device has that.
    template <class Work>
    void in_turn(uint64_t piece, const Work& work) {
        std::unique_lock lock(mutex_);
        wait_for_turn(lock, piece);
        work();
        next_piece_ = piece + 1;
        turn_.notify_all();
    }

    void finish();

private:
    void wait_for_turn(std::unique_lock<std::mutex>& lock, uint64_t piece);
    void stop();
    void check_stopped();
    void run_on(size_t device, uint64_t pieces, const std::function<Stages(size_t device)>& stages,
                const std::function<void(size_t device)>& after);

    std::vector<std::unique_ptr<PieceCall>> calls_;
    std::mutex mutex_;
    std::condition_variable turn_;
    uint64_t next_piece_ = 0;
    bool is_stopped_ = false;  // a device has failed
};

}  // namespace cuprum::parallel::out_of_core
