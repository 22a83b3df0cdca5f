// Races in memory between kernels, copies and fills that no stream, event or graph orders (Checks::races).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/checks/vector_clock.hpp"
#include "engine/engine.hpp"

namespace cuprum::simulator {

class StreamRaces;

// A kernel, a copy, or other work in a stream or a graph, from its beginning on. Thread-safe.
class StreamOperation {
public:
    struct Place {
        std::string stream;      // "stream 3"
        uint64_t graph_run = 0;  // the launch of a graph that it is part of; 0: none
    };

    // Takes a strand whose last operation has happened before this one. Where there are too many strands it gets none,
    // and its accesses are not looked at.
    StreamOperation(StreamRaces& races, SharedClock before, Place place);
    ~StreamOperation() { finish(); }
    StreamOperation(const StreamOperation&) = delete;
    StreamOperation& operator=(const StreamOperation&) = delete;
    // It makes no more accesses.
    void finish();

    // What it is: "kernel 'scale'", "a copy". To be set before its first access.
    void set_description(std::string description) { description_ = std::move(description); }
    const std::string& description() const { return description_; }
    const Place& place() const { return place_; }
    const Epoch& epoch() const { return epoch_; }
    bool is_watched() const { return epoch_.strand != Epoch::no_strand; }
    bool is_finished() const { return finished_.load(std::memory_order_acquire); }
    StreamRaces& races() const { return races_; }

    // What has happened before it, as far as is known by now.
    SharedClock before() const;
    // The same, and itself.
    SharedClock after() const;
    // It has been told of this while it runs.
    void hear(const SharedClock& clock);
    // Goes up with what it hears.
    uint32_t version() const { return version_.load(std::memory_order_acquire); }

private:
    friend class StreamRaces;
    friend class StreamRaceObserver;

    // A plain read of what another operation updates atomically. If this one does so too, it was a first guess.
    struct Guess {
        uint64_t address;
        Fault fault;
    };

    StreamRaces& races_;
    const Place place_;
    const Epoch epoch_;
    std::string description_ = "an operation";
    std::atomic<uint32_t> version_{1};
    std::atomic<bool> finished_{false};
    std::atomic<uint32_t> told_host_{0};  // the version that the host has been told of
    mutable std::mutex mutex_;            // guards what follows
    SharedClock before_;
    std::vector<Guess> guesses_;
};

// Finds two accesses to the same bytes by operations that nothing orders, one of them a write and not both of them
// strong.
//
// What is in order is known by vector clocks. An operation begins with the clock of what it must wait for; those who
// wait for it get its clock and itself. Operations that run at once can order each other, by flags: a strong write
// tells all that its operation knows, and itself, to who reads strongly in the same KiB. The host is one party: what
// any of its threads has waited for, or could have read in memory that it shares with devices, all work that is
// submitted later knows. This is coarser than the memory model. It is so on purpose: no report is wrong, not every race
// is found.
//
// Of each KiB the last operations are kept, with the bytes that they have touched. When another comes, those bytes are
// forgotten that an operation has touched which came after.
class StreamRaces {
public:
    StreamRaces();
    ~StreamRaces();

    enum class Access : uint8_t { read, write, strong_read, strong_write };

    struct Race {
        uint64_t address = 0;  // of the first byte
        std::string report;    // "a copy in stream 3 wrote byte ..."
    };
    // An access of an operation that is no kernel.
    std::optional<Race> access(const std::shared_ptr<StreamOperation>& operation, uint64_t address, uint64_t bytes,
                               Access access);
    // The operation has waited for a value at that address, which somebody must have written.
    void hear_writers(StreamOperation& operation, uint64_t address, uint64_t bytes);
    // Of a kernel that has ended well: a guess that was none.
    std::optional<Fault> finish_kernel(StreamOperation& operation);
    // The memory is new, or gone.
    void forget(uint64_t begin, uint64_t size);

    SharedClock host() const;
    void host_learns(const SharedClock& clock);
    // The operation writes where the host reads, or the host learns of it in another way.
    void tell_host(StreamOperation& operation);

private:
    friend class StreamOperation;
    friend class StreamRaceObserver;

    static constexpr unsigned page_shift = 10;
    static constexpr uint64_t page_bytes = uint64_t{1} << page_shift;
    using Bits = std::array<uint64_t, page_bytes / 64>;  // one for each byte
    struct Footprint;
    struct Touched;
    struct Page;
    class Pages;
    class Cursor;

    // What an access races with.
    struct Conflict {
        std::shared_ptr<StreamOperation> earlier;
        uint64_t bytes = 0;  // of the word of 64
        bool earlier_wrote = false;
        bool is_guess = false;
    };
    std::optional<Conflict> touch(Page& page, const std::shared_ptr<StreamOperation>& operation, Access access,
                                  size_t word, uint64_t mask) const;
    // "in stream 3 read byte ..."
    static std::string report(const StreamOperation& later, bool writes, const Conflict& conflict, uint64_t address);

    Epoch begin_strand(const SharedClock& before);
    void end_strand(const Epoch& last);

    const std::unique_ptr<Pages> pages_;
    mutable std::mutex mutex_;  // guards what follows
    SharedClock host_;
    std::vector<Epoch> free_strands_;  // each with its last operation
    uint32_t strands_ = 0;
};

struct GlobalAccess;
struct Instruction;
struct Warp;

// Watches what the threads of one block of a kernel do.
class StreamRaceObserver {
public:
    StreamRaceObserver(std::shared_ptr<StreamOperation> operation, const MemorySnapshot& memory);
    ~StreamRaceObserver() { hear(); }
    StreamRaceObserver(const StreamRaceObserver&) = delete;
    StreamRaceObserver& operator=(const StreamRaceObserver&) = delete;
    // Throws the fault.
    void access(const Warp& warp, const Instruction* at, const GlobalAccess& access);

private:
    // A check comes before its access. So what a strong read has heard is looked up at the block's next check.
    void hear();
    const MemoryRange* range_of(uint64_t address, uint32_t bytes);

    const std::shared_ptr<StreamOperation> operation_;
    StreamRaces& races_;
    const MemorySnapshot& memory_;
    const MemoryRange* range_ = nullptr;  // lately used
    std::vector<uint64_t> listened_;      // pages of strong reads that have not been looked at yet
    bool listened_to_host_ = false;
};

}  // namespace cuprum::simulator
