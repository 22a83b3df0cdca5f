// What lanes of a warp tell each other. Source: PTX ISA 9.0, 9.7.9.6 (shfl), 9.7.13.
// operand[5] is the set of lanes, one per lane: tiles of a warp execute one instruction with several sets. And lanes of
// one set may come to different instructions that do the same.
#include <algorithm>

#include "engine/execution/lanes.hpp"
#include "engine/instructions/operators.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

// How the running lanes met those that they name.
struct Meeting {
    bool complete = false;  // else the handler must return null
    // What the lanes brought, when they came to different instructions; null: all run this one, and their operands are
    // in the registers.
    const Exchange* apart = nullptr;
    bool one_set = false;  // all of them name the same

    // The lanes that a lane met, itself included: those it names, less those that have exited.
    uint32_t set(const Warp& warp, uint32_t named) const { return apart != nullptr ? apart->lanes : named & warp.live; }
};

// Waits for every lane that the running lanes name. `bring(lane)` is what a lane has for the others.
template <class Bring>
inline __attribute__((always_inline)) Meeting meet(Warp& warp, const Instruction* at, Bring&& bring) {
    if (warp.granted) {
        warp.granted = false;
        if ((at->aux & warp_aux::noted) != 0) note_meeting(warp);
        if (warp.exchange == 0) return {true, nullptr, false};
        Exchange& exchange = warp.exchanges[warp.exchange - 1];
        exchange.unread &= ~warp.active;
        return {true, &exchange, false};
    }
    const uint32_t* const members = warp.row<uint32_t>(at->operand[5]);
    const uint32_t named = members[__builtin_ctz(warp.active)];
    uint32_t different = 0;
    if ((at->aux & warp_aux::literal_set) == 0) {
        const uint32_t* const mask = warp.mask;
        for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
            different |= (members[lane] ^ named) & mask[lane];
    }
    if (different == 0 && (named & warp.live & ~warp.active) == 0) {
        if ((at->aux & warp_aux::noted) != 0) note_meeting(warp);
        return {true, nullptr, true};
    }
    for_each_lane(warp.active, [&](unsigned lane) { warp.brought[lane] = bring(lane); });
    const bool complete = warp_synchronised(warp, at, members);
    if (complete && (at->aux & warp_aux::noted) != 0) note_meeting(warp);
    return {complete, nullptr, different == 0};
}

// Calls visit(lanes, set) for the running lanes, those that met the same set together.
template <class Visit>
inline __attribute__((always_inline)) void for_each_set(const Warp& warp, const Instruction* at, const Meeting& meeting,
                                                        Visit&& visit) {
    const uint32_t* const members = warp.row<uint32_t>(at->operand[5]);
    if (meeting.one_set) {
        visit(warp.active, members[__builtin_ctz(warp.active)] & warp.live);
        return;
    }
    for (uint32_t rest = warp.active; rest != 0;) {
        const uint32_t named = members[__builtin_ctz(rest)];
        uint32_t lanes = 0;
        for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
            lanes |= members[lane] == named ? lane_bit[lane] : 0;
        lanes &= rest;
        visit(lanes, meeting.set(warp, named));
        rest &= ~lanes;
    }
}

enum class Shuffle : uint8_t { up, down, bfly, idx };

// operand: value, in-range predicate, source value, lane or offset, clamp and segment mask, set.
template <Shuffle Mode>
const Instruction* shuffle(Warp& warp, const Instruction* at) {
    const uint32_t* const a = warp.row<uint32_t>(at->operand[2]);
    const Meeting meeting = meet(warp, at, [&](unsigned lane) { return a[lane]; });
    if (!meeting.complete) return nullptr;
    const uint32_t* const b = warp.row<uint32_t>(at->operand[3]);
    const uint32_t* const c = warp.row<uint32_t>(at->operand[4]);
    uint32_t* const target = warp.row<uint32_t>(at->operand[0]);
    alignas(64) uint32_t values[lanes_per_warp];
    std::memcpy(values, a, sizeof(values));
    if (meeting.apart != nullptr) {
        for_each_lane(meeting.apart->lanes,
                      [&](unsigned lane) { values[lane] = static_cast<uint32_t>(meeting.apart->value[lane]); });
    }
    uint32_t in_range = 0;
    const uint32_t* const mask = warp.mask;
    alignas(64) uint32_t inside[lanes_per_warp];
    alignas(64) uint32_t from[lanes_per_warp];
#pragma GCC ivdep
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        const uint32_t amount = b[lane] & 31;
        const uint32_t clamp = c[lane] & 31;
        const uint32_t segment = (c[lane] >> 8) & 31;
        const uint32_t top = (lane & segment) | (clamp & ~segment);
        const uint32_t bottom = lane & segment;
        const auto self = static_cast<int32_t>(lane);
        int32_t j = 0;
        bool ok = false;
        if constexpr (Mode == Shuffle::up) {
            j = self - static_cast<int32_t>(amount);
            ok = j >= static_cast<int32_t>(top);
        } else if constexpr (Mode == Shuffle::down) {
            j = self + static_cast<int32_t>(amount);
            ok = j <= static_cast<int32_t>(top);
        } else if constexpr (Mode == Shuffle::bfly) {
            j = self ^ static_cast<int32_t>(amount);
            ok = j <= static_cast<int32_t>(top);
        } else {
            j = static_cast<int32_t>(bottom | (amount & ~segment));
            ok = j <= static_cast<int32_t>(top);
        }
        from[lane] = ok ? static_cast<uint32_t>(j) & 31 : lane;
        inside[lane] = ok ? ~0u : 0u;
    }
    in_range = pack(inside);
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        target[lane] = mask[lane] != 0 ? values[from[lane]] : target[lane];
    }
    set_predicate(warp, at->operand[1], in_range);
    return at + 1;
}

enum class Vote : uint8_t { all, any, uni, ballot };
template <Vote Mode>
const Instruction* vote(Warp& warp, const Instruction* at) {
    uint32_t predicate = warp.predicate(at->operand[1]) ^ ((at->aux & warp_aux::negated) != 0 ? ~0u : 0u);
    const Meeting meeting = meet(warp, at, [&](unsigned lane) { return predicate >> lane & 1; });
    if (!meeting.complete) return nullptr;
    if (meeting.apart != nullptr) {
        for_each_lane(meeting.apart->lanes, [&](unsigned lane) {
            predicate = (predicate & ~lane_bit[lane]) | (meeting.apart->value[lane] != 0 ? lane_bit[lane] : 0);
        });
    }
    uint32_t result = 0;
    for_each_set(warp, at, meeting, [&](uint32_t lanes, uint32_t set) {
        const uint32_t yes = predicate & set;
        if constexpr (Mode == Vote::ballot) {
            uint32_t* const target = warp.row<uint32_t>(at->operand[0]);
            if (lanes == ~0u) {
                std::fill_n(target, lanes_per_warp, yes);
            } else {
                for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
                    target[lane] = (lanes & lane_bit[lane]) != 0 ? yes : target[lane];
            }
        } else {
            const bool holds = Mode == Vote::all ? yes == set : Mode == Vote::any ? yes != 0 : yes == 0 || yes == set;
            result |= holds ? lanes : 0;
        }
    });
    if constexpr (Mode != Vote::ballot) set_predicate(warp, at->operand[0], result);
    return at + 1;
}

// What each lane brought: `own` for those that run this instruction.
template <class T>
void gather(const Meeting& meeting, const T* own, T (&values)[lanes_per_warp]) {
    std::memcpy(values, own, sizeof(values));
    if (meeting.apart == nullptr) return;
    for_each_lane(meeting.apart->lanes,
                  [&](unsigned lane) { values[lane] = static_cast<T>(meeting.apart->value[lane]); });
}

template <class T, bool All>
const Instruction* match(Warp& warp, const Instruction* at) {
    const T* const a = warp.row<T>(at->operand[2]);
    const Meeting meeting = meet(warp, at, [&](unsigned lane) { return static_cast<uint64_t>(a[lane]); });
    if (!meeting.complete) return nullptr;
    T values[lanes_per_warp];
    gather(meeting, a, values);
    uint32_t results[lanes_per_warp] = {};
    uint32_t flags = 0;
    for_each_set(warp, at, meeting, [&](uint32_t lanes, uint32_t set) {
        for (uint32_t rest = lanes; rest != 0;) {
            const T wanted = values[__builtin_ctz(rest)];
            uint32_t equal = 0;
            for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
                equal |= values[lane] == wanted ? lane_bit[lane] : 0;
            for_each_lane(equal & rest, [&](unsigned lane) {
                results[lane] = !All ? equal & set : (equal & set) == set ? set : 0;
            });
            if (All && (equal & set) == set) flags |= equal & rest;
            rest &= ~equal;
        }
    });
    for_each_lane(warp.active, [&](unsigned lane) { warp.row<uint32_t>(at->operand[0])[lane] = results[lane]; });
    if constexpr (All) set_predicate(warp, at->operand[1], flags);
    return at + 1;
}

struct RedAdd {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
    }
};

template <class T, class Op>
const Instruction* redux(Warp& warp, const Instruction* at) {
    const T* const a = warp.row<T>(at->operand[1]);
    const Meeting meeting = meet(warp, at, [&](unsigned lane) { return static_cast<uint64_t>(a[lane]); });
    if (!meeting.complete) return nullptr;
    T values[lanes_per_warp];
    gather(meeting, a, values);
    T* const target = warp.row<T>(at->operand[0]);
    for_each_set(warp, at, meeting, [&](uint32_t lanes, uint32_t set) {
        T value{};
        bool first = true;
        for_each_lane(set, [&](unsigned lane) {
            value = first ? values[lane] : Op::apply(value, values[lane]);
            first = false;
        });
        for_each_lane(lanes, [&](unsigned lane) { target[lane] = value; });
    });
    return at + 1;
}

const Instruction* synchronise(Warp& warp, const Instruction* at) {
    const Meeting meeting = meet(warp, at, [](unsigned) { return uint64_t{0}; });
    return meeting.complete ? at + 1 : nullptr;
}

// elect.sync: the lowest lane of the set.
const Instruction* elect(Warp& warp, const Instruction* at) {
    const Meeting meeting = meet(warp, at, [](unsigned) { return uint64_t{0}; });
    if (!meeting.complete) return nullptr;
    uint32_t* const target = warp.row<uint32_t>(at->operand[0]);
    uint32_t chosen = 0;
    for_each_set(warp, at, meeting, [&](uint32_t lanes, uint32_t set) {
        const auto leader = static_cast<unsigned>(__builtin_ctz(set != 0 ? set : lanes));
        for_each_lane(lanes, [&](unsigned lane) { target[lane] = leader; });
        chosen |= lanes & lane_bit[leader];
    });
    set_predicate(warp, at->operand[1], chosen);
    return at + 1;
}

const Instruction* active_lanes(Warp& warp, const Instruction* at) {
    for_each_lane(warp.active, [&](unsigned lane) { warp.row<uint32_t>(at->operand[0])[lane] = warp.active; });
    return at + 1;
}

template <class T>
Handlers select_redux(Form& form) {
    if (form.take(Modifier::add)) return both(&redux<T, RedAdd>);
    if (form.take(Modifier::min)) return both(&redux<T, Min>);
    if (form.take(Modifier::max)) return both(&redux<T, Max>);
    if (form.take(Modifier::and_)) return both(&redux<T, And>);
    if (form.take(Modifier::or_)) return both(&redux<T, Or>);
    if (form.take(Modifier::xor_)) return both(&redux<T, Xor>);
    return {};
}

Handlers select_warp(Form& form) {
    form.take(Modifier::sync);
    switch (form.opcode) {
        case Opcode::activemask:
            form.take_type();
            return both(&active_lanes);
        case Opcode::bar:
        case Opcode::barrier:
            return form.take(Modifier::warp) ? both(&synchronise) : Handlers{};
        case Opcode::shfl:
            form.take_type();
            if (form.take(Modifier::up)) return both(&shuffle<Shuffle::up>);
            if (form.take(Modifier::down)) return both(&shuffle<Shuffle::down>);
            if (form.take(Modifier::bfly)) return both(&shuffle<Shuffle::bfly>);
            return form.take(Modifier::idx) ? both(&shuffle<Shuffle::idx>) : Handlers{};
        case Opcode::vote:
            form.take_type();
            if (form.take(Modifier::all)) return both(&vote<Vote::all>);
            if (form.take(Modifier::any)) return both(&vote<Vote::any>);
            if (form.take(Modifier::uni)) return both(&vote<Vote::uni>);
            return form.take(Modifier::ballot) ? both(&vote<Vote::ballot>) : Handlers{};
        case Opcode::match: {
            const bool is64 = form.take_type() == ScalarType::b64;
            if (form.take(Modifier::all)) return is64 ? both(&match<uint64_t, true>) : both(&match<uint32_t, true>);
            if (form.take(Modifier::any)) return is64 ? both(&match<uint64_t, false>) : both(&match<uint32_t, false>);
            return {};
        }
        case Opcode::redux:
            return form.take_type() == ScalarType::s32 ? select_redux<int32_t>(form) : select_redux<uint32_t>(form);
        case Opcode::elect:
            return both(&elect);
        default:
            return {};
    }
}

}  // namespace

template <>
Operations operations<Family::warp>() {
    return {.of_form = &select_warp};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
