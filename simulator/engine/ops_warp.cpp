// What lanes of a warp tell each other. Source: PTX ISA 9.0, 9.7.9.6 (shfl), 9.7.13.
// operand[5] is the set of lanes, one per lane: tiles of a warp execute one instruction with several sets.
#include "engine/lanes.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

// True when every lane that the running lanes name is here; else the handler must return null.
inline bool synchronised(Warp& warp, const Instruction* at) {
    return warp_synchronised(warp, at, warp.row<uint32_t>(at->operand[5]));
}

enum class Shuffle : uint8_t { up, down, bfly, idx };

// operand: value, in-range predicate, source value, lane or offset, clamp and segment mask, set.
template <Shuffle Mode>
const Instruction* shuffle(Warp& warp, const Instruction* at) {
    if (!synchronised(warp, at)) return nullptr;
    const uint32_t* const a = warp.row<uint32_t>(at->operand[2]);
    const uint32_t* const b = warp.row<uint32_t>(at->operand[3]);
    const uint32_t* const c = warp.row<uint32_t>(at->operand[4]);
    uint32_t* const target = warp.row<uint32_t>(at->operand[0]);
    alignas(64) uint32_t values[lanes_per_warp];
    std::memcpy(values, a, sizeof(values));
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
    if (!synchronised(warp, at)) return nullptr;
    const uint32_t* const members = warp.row<uint32_t>(at->operand[5]);
    const uint32_t predicate = warp.predicate(at->operand[1]) ^ ((at->aux & 1) != 0 ? ~0u : 0u);
    uint32_t result = 0;
    for_each_lane(warp.active, [&](unsigned lane) {
        const uint32_t set = members[lane] & warp.live;
        const uint32_t yes = predicate & set;
        if constexpr (Mode == Vote::ballot) {
            warp.row<uint32_t>(at->operand[0])[lane] = yes;
        } else {
            const bool holds = Mode == Vote::all ? yes == set : Mode == Vote::any ? yes != 0 : yes == 0 || yes == set;
            result |= holds ? lane_bit[lane] : 0;
        }
    });
    if constexpr (Mode != Vote::ballot) set_predicate(warp, at->operand[0], result);
    return at + 1;
}

template <class T, bool All>
const Instruction* match(Warp& warp, const Instruction* at) {
    if (!synchronised(warp, at)) return nullptr;
    const uint32_t* const members = warp.row<uint32_t>(at->operand[5]);
    const T* const a = warp.row<T>(at->operand[2]);
    alignas(64) uint32_t results[lanes_per_warp] = {};
    uint32_t flags = 0;
    for_each_lane(warp.active, [&](unsigned lane) {
        uint32_t equal = 0;
        const uint32_t set = members[lane] & warp.live;
        for_each_lane(set, [&](unsigned other) { equal |= a[other] == a[lane] ? lane_bit[other] : 0; });
        if constexpr (All) {
            results[lane] = equal == set ? members[lane] : 0;
            flags |= equal == set ? lane_bit[lane] : 0;
        } else {
            results[lane] = equal;
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
struct RedMin {
    template <class T>
    static T apply(T a, T b) {
        return b < a ? b : a;
    }
};
struct RedMax {
    template <class T>
    static T apply(T a, T b) {
        return a < b ? b : a;
    }
};
struct RedAnd {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a & b);
    }
};
struct RedOr {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a | b);
    }
};
struct RedXor {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a ^ b);
    }
};

template <class T, class Op>
const Instruction* redux(Warp& warp, const Instruction* at) {
    if (!synchronised(warp, at)) return nullptr;
    const uint32_t* const members = warp.row<uint32_t>(at->operand[5]);
    const T* const a = warp.row<T>(at->operand[1]);
    alignas(64) T results[lanes_per_warp] = {};
    for_each_lane(warp.active, [&](unsigned lane) {
        const uint32_t set = members[lane] & warp.live;
        T value{};
        bool first = true;
        for_each_lane(set, [&](unsigned other) {
            value = first ? a[other] : Op::apply(value, a[other]);
            first = false;
        });
        results[lane] = value;
    });
    for_each_lane(warp.active, [&](unsigned lane) { warp.row<T>(at->operand[0])[lane] = results[lane]; });
    return at + 1;
}

const Instruction* synchronise(Warp& warp, const Instruction* at) {
    if (!synchronised(warp, at)) return nullptr;
    return at + 1;
}

// elect.sync: the lowest lane of the set.
const Instruction* elect(Warp& warp, const Instruction* at) {
    if (!synchronised(warp, at)) return nullptr;
    const uint32_t* const members = warp.row<uint32_t>(at->operand[5]);
    uint32_t chosen = 0;
    for_each_lane(warp.active, [&](unsigned lane) {
        const uint32_t set = members[lane] & warp.live;
        const auto leader = static_cast<uint32_t>(__builtin_ctz(set != 0 ? set : lane_bit[lane]));
        warp.row<uint32_t>(at->operand[0])[lane] = leader;
        chosen |= leader == lane ? lane_bit[lane] : 0;
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
    if (form.take(Modifier::min)) return both(&redux<T, RedMin>);
    if (form.take(Modifier::max)) return both(&redux<T, RedMax>);
    if (form.take(Modifier::and_)) return both(&redux<T, RedAnd>);
    if (form.take(Modifier::or_)) return both(&redux<T, RedOr>);
    if (form.take(Modifier::xor_)) return both(&redux<T, RedXor>);
    return {};
}

}  // namespace

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

}  // namespace cuprum::simulator::CUPRUM_BACKEND
