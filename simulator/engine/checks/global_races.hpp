// Races in device memory between the blocks of a launch (Checks::races).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <forward_list>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/execution/execution.hpp"

namespace cuprum::simulator {

// An access of some lanes of a warp to memory that blocks share.
struct GlobalAccess {
    uint32_t lanes = 0;
    uint32_t bytes = 0;  // of each
    bool reads = false, writes = false;
    bool strong = false;    // atomic, volatile, ordered, or past the caches that blocks do not share
    bool releases = false;  // tells what was done before without a fence
    bool has_values = false;
    std::array<uint64_t, lanes_per_warp> addresses;
    std::array<std::array<std::byte, 32>, lanes_per_warp> values;  // of a store
};

// What is known of all blocks of a launch. Finds two accesses to the same bytes of device memory by different clusters
// (blocks, where there are no clusters), one of them a write and not both of them strong, that nothing orders.
//
// Order comes from strong accesses. Each strong write gets a time, by a counter of the launch, and leaves it at its
// address. Another cluster that reads there, strongly, knows all that was told until then. What a strong write
// tells is what its cluster has read before, and what it has written before its last fence. So a write is ordered
// before an access of another cluster if it was followed by a fence, then by a strong write, and the other has since
// heard of that or of something later. This is coarser than the memory model: threads of a cluster count as one, a
// reader needs no fence, and who hears of one cluster's write knows what all others had told by that time. It is so on
// purpose: no report is wrong, not every race is found.
//
// A strong read where no block of the launch has written strongly may hear of anything: of the host, of another kernel,
// of a grid-wide barrier, whose word is not device memory.
//
// Stores of the value that is there already, by a write of this launch, change nothing and race with nothing. Nor do a
// plain read and an atomic: the guess before a loop of compare and swap is such a read, and a wrong one does no harm.
class GlobalRaces {
public:
    explicit GlobalRaces(const Launch& launch);
    ~GlobalRaces();
    GlobalRaces(const GlobalRaces&) = delete;
    GlobalRaces& operator=(const GlobalRaces&) = delete;

private:
    friend class GlobalRaceObserver;

    // A value of the counter of strong writes; 0: never.
    using Time = uint64_t;

    // A part of a cluster's life. Another begins where the cluster tells what it has done, or fences.
    struct Epoch {
        Time ended = 0;  // the first strong write since
        Time told = 0;   // the first since that had a fence before it
    };

    // Of a cluster.
    struct History;

    // The last strong write of a word.
    struct Told {
        Time time = 0;
        const History* by = nullptr;
    };

    // An instruction of a warp in an epoch.
    struct Site {
        const Instruction* at = nullptr;
        const Function* function = nullptr;
        History* history = nullptr;
        Dimensions block;
        uint32_t warp = 0;
        uint32_t epoch = 0;
    };

    // A lane's access to some of a word's four bytes. Packed: there are up to three for each word that a kernel
    // touches, and threads load and store them at once.
    class Record {
    public:
        Record() = default;
        Record(const Site* site, unsigned lane, uint32_t bytes, bool strong)
            : bits_(reinterpret_cast<uint64_t>(site) | uint64_t{lane} << 48 | uint64_t{bytes} << 53 |
                    uint64_t{strong} << 57) {}
        explicit operator bool() const { return bits_ != 0; }
        const Site* site() const { return reinterpret_cast<const Site*>(bits_ & ((uint64_t{1} << 48) - 1)); }
        unsigned lane() const { return bits_ >> 48 & 31; }
        uint32_t bytes() const { return bits_ >> 53 & 15; }  // a bit for each
        bool strong() const { return (bits_ >> 57 & 1) != 0; }
        // Of a write: its value is kept; other clusters have written the same; it has read too.
        bool has_value() const { return (bits_ >> 58 & 1) != 0; }
        bool is_agreed() const { return (bits_ >> 59 & 1) != 0; }
        bool is_atomic() const { return (bits_ >> 60 & 1) != 0; }
        void set_has_value() { bits_ |= uint64_t{1} << 58; }
        void set_agreed() { bits_ |= uint64_t{1} << 59; }
        void set_atomic() { bits_ |= uint64_t{1} << 60; }

    private:
        uint64_t bits_ = 0;
    };

    static constexpr unsigned page_shift = 10;
    static constexpr size_t page_words = (size_t{1} << page_shift) / 4;
    struct Page;
    // What was done to one of the launch's ranges of memory.
    struct Shadow;

    History& begin_cluster();
    Shadow* find_shadow(uint64_t address, uint32_t bytes);
    bool ordered(const Record& earlier, bool wrote, const History& now) const;
    [[noreturn]] void report(const Warp& warp, const Instruction* at, unsigned lane, const GlobalAccess& access,
                             const Record& earlier, bool earlier_wrote, uint64_t word) const;

    const Launch& launch_;
    std::atomic<Time> clock_{0};
    std::mutex mutex_;  // guards what follows
    std::forward_list<History> histories_;
    std::map<uint64_t, std::unique_ptr<Shadow>> shadows_;  // by the range's begin
};

// Watches what the threads of one block do.
class GlobalRaceObserver {
public:
    explicit GlobalRaceObserver(GlobalRaces& races) : races_(races) {}

    // Of a block, which is the first of its cluster or follows `first`.
    void start(const GlobalRaceObserver* first);
    // Throws the fault.
    void access(const Warp& warp, const Instruction* at, const GlobalAccess& access);
    void fence();

private:
    friend class GlobalRaces;
    using History = GlobalRaces::History;
    using Page = GlobalRaces::Page;
    using Record = GlobalRaces::Record;
    using Shadow = GlobalRaces::Shadow;
    using Site = GlobalRaces::Site;
    using Time = GlobalRaces::Time;
    using Told = GlobalRaces::Told;

    class Visit;

    // Of a lane's access.
    struct Place {
        Page* page;
        size_t word;  // the first, of the page
        unsigned lane;
    };
    struct Places;

    const Site* site_of(const Warp& warp, const Instruction* at);
    Shadow* shadow_of(uint64_t address, uint32_t bytes);
    void hear();
    void find_places(const GlobalAccess& access, Places& places);
    void tell(const GlobalAccess& access, const Places& places);
    Time known() const;

    GlobalRaces& races_;
    History* history_ = nullptr;
    std::array<const Site*, 256> sites_{};  // lately used
    std::array<Shadow*, 4> shadows_{};      // lately used
    unsigned oldest_shadow_ = 0;
};

}  // namespace cuprum::simulator
