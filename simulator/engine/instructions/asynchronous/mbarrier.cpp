// mbarrier: barriers in shared memory that count arrivals and bytes. Source: PTX ISA 9.0, 9.7.13.15.
//
// The object's 64 bits are opaque to programs: the arrivals expected in each phase (20 bits) and those still pending in
// this one (20), the bytes still to come (21, signed), the phase's parity, and two bits that tell an object from other
// memory: fresh memory does not look like one.
#include "engine/checks/text.hpp"
#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {
namespace {

constexpr uint32_t most_arrivals = (1u << 20) - 1;
constexpr int64_t most_bytes = (1 << 20) - 1;
constexpr uint64_t marker = 1;

struct Phase {
    uint32_t expected = 0, pending = 0;
    int64_t bytes = 0;
    bool parity = false;

    static Phase unpack(uint64_t bits) {
        Phase phase;
        phase.expected = static_cast<uint32_t>(bits) & most_arrivals;
        phase.pending = static_cast<uint32_t>(bits >> 20) & most_arrivals;
        phase.bytes = static_cast<int64_t>(bits << 3) >> 43;
        phase.parity = (bits >> 61 & 1) != 0;
        return phase;
    }
    uint64_t pack() const {
        return expected | static_cast<uint64_t>(pending) << 20 |
               (static_cast<uint64_t>(bytes) & ((uint64_t{1} << 21) - 1)) << 40 | static_cast<uint64_t>(parity) << 61 |
               marker << 62;
    }
    void complete_if_due() {
        if (pending != 0 || bytes != 0) return;
        pending = expected;
        parity = !parity;
    }
};

// The barrier that one lane names, for one operation on it.
struct Named {
    Warp& warp;
    const Instruction* at;
    unsigned lane;
    std::byte* place;

    [[noreturn]] void fault(const std::string& what) const {
        fault_at(warp, at, lane, Fault::Kind::trap,
                 ("used the mbarrier at offset " + hexadecimal(static_cast<uint64_t>(place - warp.shared)) +
                  " of shared memory, " + what)
                     .c_str());
    }
    // For what orders accesses: of the block's own barriers, their addresses.
    uint64_t object() const { return window::shared + static_cast<uint64_t>(place - warp.shared); }
    uint64_t& bits() const { return *reinterpret_cast<uint64_t*>(place); }
    Phase read() const {
        if (bits() >> 62 != marker) fault("which has not been initialised, or no longer is");
        return Phase::unpack(bits());
    }
    void add_bytes(Phase& phase, int64_t bytes) const {
        phase.bytes += bytes;
        if (phase.bytes > most_bytes || phase.bytes < -most_bytes) fault("which cannot count so many bytes");
    }
};

Named named(Warp& warp, const Instruction* at, unsigned lane) {
    const bool narrow = (at->aux & mbarrier_aux::narrow_address) != 0;
    const bool shared = (at->aux & mbarrier_aux::shared) != 0;
    const uint64_t address = generic_address(warp, at->operand[1], narrow, shared, lane);
    std::byte* const place = resolve_aligned(warp, at, lane, address, 8, 8, Access::atomic);
    if (shared_place(warp, address).block == nullptr) {
        fault_at(warp, at, lane, Fault::Kind::illegal_address,
                 ("used an mbarrier at " + hexadecimal(address) + ", which is not in shared memory").c_str());
    }
    return {warp, at, lane, place};
}

void initialise(const Named& barrier, uint32_t count) {
    if (count == 0 || count > most_arrivals) {
        barrier.fault("to be initialised for " + std::to_string(count) + " arrivals; 1 to 1048575 can be");
    }
    barrier.bits() = Phase{count, count, 0, false}.pack();
}

uint64_t arrive(const Named& barrier, uint32_t aux, uint32_t operand) {
    Phase phase = barrier.read();
    const uint64_t state = phase.pack();
    if ((aux & mbarrier_aux::expects) != 0) barrier.add_bytes(phase, operand);
    const uint32_t count = (aux & mbarrier_aux::counted) != 0 ? operand : 1;
    if (count == 0 || count > phase.pending) {
        barrier.fault("where " + std::to_string(count) + " arrived at once and " + std::to_string(phase.pending) +
                      " were expected");
    }
    phase.pending -= count;
    if ((aux & mbarrier_aux::drops) != 0) {
        if (count > phase.expected) barrier.fault("from which more have dropped than it was initialised for");
        phase.expected -= count;
    }
    if ((aux & mbarrier_aux::incomplete) != 0 && phase.pending == 0) {
        barrier.fault("and completed its phase with .noComplete");
    }
    phase.complete_if_due();
    barrier.bits() = phase.pack();
    return state;
}

// Whether the phase that the lane waits for is over.
bool is_over(const Named& barrier, const Instruction* at) {
    const Phase phase = barrier.read();
    if ((at->aux & mbarrier_aux::parity) != 0) {
        return phase.parity != ((barrier.warp.row<uint32_t>(at->operand[2])[barrier.lane] & 1) != 0);
    }
    const uint64_t state = barrier.warp.row<uint64_t>(at->operand[2])[barrier.lane];
    if (state >> 62 != marker) barrier.fault("with a state that no arrival gave");
    return phase.parity != Phase::unpack(state).parity;
}

const Instruction* wait(Warp& warp, const Instruction* at) {
    uint32_t over = 0;
    for (const bool again : {false, true}) {
        over = 0;
        for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
            const Named barrier = named(warp, at, lane);
            if (!is_over(barrier, at)) continue;
            over |= 1u << lane;
            if (warp.block->races) warp.block->races->acquire(warp.index, barrier.object());
        }
        if (over == warp.active || again || !has_bulk_copies(*warp.block)) break;
        // Copies come as late as they may: when somebody waits for them.
        finish_bulk_copies(*warp.block);
    }
    uint32_t& predicate = warp.predicate(at->operand[0]);
    predicate = (predicate & ~warp.active) | over;
    if (over == warp.active) return at + 1;
    if ((at->aux & mbarrier_aux::suspends) != 0) return yield(warp, at + 1);
    warp.budget -= 64;
    return at + 1;
}

}  // namespace

void complete_bytes(Warp& warp, const Instruction* at, unsigned lane, std::byte* place, uint32_t bytes) {
    const Named barrier{warp, at, lane, place};
    Phase phase = barrier.read();
    barrier.add_bytes(phase, -static_cast<int64_t>(bytes));
    // Who waits for the bytes may read them.
    if (warp.block->races) warp.block->races->release(warp.index, barrier.object());
    phase.complete_if_due();
    barrier.bits() = phase.pack();
}

const Instruction* mbarrier(Warp& warp, const Instruction* at) {
    const uint32_t operation = at->aux & mbarrier_aux::operation_mask;
    if (operation == mbarrier_aux::wait) return wait(warp, at);
    for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (operation == mbarrier_aux::pending) {
            warp.row<uint32_t>(at->operand[0])[lane] = Phase::unpack(warp.row<uint64_t>(at->operand[2])[lane]).pending;
            continue;
        }
        const Named barrier = named(warp, at, lane);
        const uint32_t operand = (at->aux & (mbarrier_aux::counted | mbarrier_aux::expects)) != 0
                                     ? warp.row<uint32_t>(at->operand[2])[lane]
                                     : 0;
        switch (operation) {
            case mbarrier_aux::init:
                initialise(barrier, operand);
                break;
            case mbarrier_aux::inval:
                barrier.read();
                barrier.bits() = ~uint64_t{0};
                break;
            case mbarrier_aux::expect: {
                Phase phase = barrier.read();
                barrier.add_bytes(phase, operand);
                barrier.bits() = phase.pack();
                break;
            }
            case mbarrier_aux::complete:
                complete_bytes(warp, at, lane, barrier.place, operand);
                break;
            default: {
                if (warp.block->races) warp.block->races->release(warp.index, barrier.object());
                const uint64_t state = arrive(barrier, at->aux, operand);
                if ((at->aux & mbarrier_aux::discards) == 0) warp.row<uint64_t>(at->operand[0])[lane] = state;
                break;
            }
        }
    }
    return at + 1;
}

}  // namespace cuprum::simulator
