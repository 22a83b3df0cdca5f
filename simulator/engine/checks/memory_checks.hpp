// What is looked for in memory when the options ask: reads of what nothing has written, and races in shared memory.
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
class RaceDetector {
public:
    RaceDetector(uint32_t warps, uint32_t shared_bytes);
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

// Which bytes of a block's own memory have been written, and what its threads have read of others.
//
// Reading memory that nothing has written is no fault: CUB loads elements behind the end of a tile and does nothing
// with them. The register that is loaded counts as unwritten (unwritten_registers.cpp), as do bytes of the block's or
// the thread's own memory that such a register is stored in. Told is what decides something, or gets into device
// memory; except by an ordered or volatile store, a message to other threads, of which the parts that they use count:
// the bytes are unwritten then, as in the block's own memory. (CUB's last tile tells no one what it has computed of
// nothing.)
struct WrittenBytes {
    struct Read {
        const Instruction* at = nullptr;
        const Function* function = nullptr;
        uint64_t address = 0;
        uint32_t bytes = 0;
    };
    std::vector<uint8_t> shared, local;
    std::vector<Read> reads;              // by thread: the last one of memory that nothing has written
    std::array<uint32_t, 4> unwritten{};  // by element: for which lanes the load that comes next reads such
};

// Instruction::aux of check_access, beside memory_aux's space and narrow address: operand[4] the address. A store's
// operand[k] is the row that says who has written the register of element k, where `tracked` << k is set.
// Instruction::cache: the bytes of an element.
namespace check_aux {
inline constexpr unsigned bytes_shift = 16;  // 8 bits
inline constexpr uint32_t reads = 1u << 24, writes = 1u << 25, strong = 1u << 26, tracked = 1u << 27;
}  // namespace check_aux

// "; the thread has read memory that nothing has written: ...", or nothing.
std::string unwritten_read_text(const Warp& warp, unsigned lane);

}  // namespace cuprum::simulator
