// Races in a block's shared memory (Checks::races).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/execution/execution.hpp"

namespace cuprum::simulator {

// Finds two accesses to the same byte of shared memory, one of them a write, that nothing orders. What orders them:
// barriers of the block, mbarriers, barriers and .sync instructions of the warp for its lanes, and flags: an atomic,
// volatile or ordered write and a read of the same address. Where that is not exact it errs on the side of order: no
// report is wrong, not every race is found. Two writes of one instruction by a warp are left alone. Two writes that
// nothing orders are told to whoever reads the byte next: where nobody does (CUB's warps put what they have no place
// for into one word), neither value counts.
//
// What an asynchronous copy writes is in flight from its start to its thread's wait (or its mbarrier's): whoever
// touches it in between races with it, the thread itself too (PTX ISA 9.0, 9.7.9.25: nothing orders a copy before its
// wait). From then on it is a write of that thread at the time of the wait.
//
// Each warp has a vector clock: which point of every other warp's life it knows to be past.
class SharedRaces {
public:
    SharedRaces(uint32_t warps, uint32_t shared_bytes);
    void start();  // of a block

    struct Access {
        bool reads = false, writes = false;
        bool strong = false;  // atomic, volatile or ordered
    };
    // Throws the fault.
    void access(const Warp& warp, const Instruction* at, unsigned lane, uint64_t offset, uint32_t bytes, Access access);
    void next_instruction() { ++instant_; }
    // An asynchronous copy to [offset, offset + bytes) starts, or is complete.
    void start_copy(const Warp& warp, const Instruction* at, unsigned lane, uint64_t offset, uint32_t bytes);
    void finish_copy(uint32_t warp, unsigned lane, uint64_t offset, uint32_t bytes);

    // What others may learn about `warp` through the object, or what it learns. Objects are barriers of the block
    // (their numbers), mbarriers and flags (their addresses).
    void release(uint32_t warp, uint64_t object);
    void acquire(uint32_t warp, uint64_t object);
    void forget(uint64_t object) { objects_.erase(object); }
    // The lanes of the warp have met.
    void warp_met(uint32_t warp) { ++clocks_[warp].meetings; }

private:
    using Clock = std::vector<uint32_t>;  // by warp
    struct WarpClock {
        Clock known;
        uint32_t meetings = 0;
    };
    struct Stamp {
        const Instruction* at = nullptr;
        const Function* function = nullptr;
        uint32_t block = 0;  // which of those that this object has seen
        uint32_t clock = 0, meetings = 0, instant = 0;
        uint16_t thread = 0;
        bool strong = false;
        bool in_flight = false;  // written by an asynchronous copy that nobody has waited for
    };
    struct Cell {
        Stamp write;
        Stamp rival;                 // a write of this block that nothing orders with `write`, or none
        std::array<Stamp, 2> reads;  // the latest, of different warps
    };

    bool ordered(const Stamp& earlier, const Warp& warp, unsigned lane, bool strong) const;
    void write(Cell& cell, const Warp& warp, unsigned lane, uint64_t byte, const Stamp& stamp);
    [[noreturn]] void report(const Warp& warp, const Instruction* at, unsigned lane, uint64_t offset, bool writes,
                             const Stamp& earlier, bool earlier_wrote) const;
    [[noreturn]] void report_rivals(const Warp& warp, const Instruction* at, unsigned lane, uint64_t offset,
                                    const Cell& cell) const;
    std::string thread_text(const Warp& warp, const Stamp& earlier) const;

    std::vector<WarpClock> clocks_;
    std::vector<Cell> cells_;  // by byte
    std::unordered_map<uint64_t, Clock> objects_;
    uint32_t block_ = 0;
    uint32_t instant_ = 0;
};

}  // namespace cuprum::simulator
