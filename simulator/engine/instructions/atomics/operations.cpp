// atom and red. Source: PTX ISA 9.0, 9.7.13.5 and 9.7.13.6.
//
// operand[0] the old value, [1] and [2] the operands, [4] the address. Lanes go in order, each one host atomic
// operation with the strongest order, which serves every order and scope that can be asked for. Shared memory belongs
// to one thread of the host at a time, so there the operation is plain.
#include <cmath>

#include "engine/instructions/floating_point/floating.hpp"
#include "engine/instructions/memory/addressing.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

struct AtomicAdd {
    template <class T>
    static T apply(T old, T b, T) {
        return static_cast<T>(old + b);
    }
};
struct AtomicMin {
    template <class T>
    static T apply(T old, T b, T) {
        return b < old ? b : old;
    }
};
struct AtomicMax {
    template <class T>
    static T apply(T old, T b, T) {
        return old < b ? b : old;
    }
};
struct AtomicAnd {
    template <class T>
    static T apply(T old, T b, T) {
        return static_cast<T>(old & b);
    }
};
struct AtomicOr {
    template <class T>
    static T apply(T old, T b, T) {
        return static_cast<T>(old | b);
    }
};
struct AtomicXor {
    template <class T>
    static T apply(T old, T b, T) {
        return static_cast<T>(old ^ b);
    }
};
struct AtomicExchange {
    template <class T>
    static T apply(T, T b, T) {
        return b;
    }
};
struct AtomicCompareSwap {
    template <class T>
    static T apply(T old, T b, T c) {
        return old == b ? c : old;
    }
};
struct AtomicIncrement {
    template <class T>
    static T apply(T old, T b, T) {
        return old >= b ? T{0} : static_cast<T>(old + 1);
    }
};
struct AtomicDecrement {
    template <class T>
    static T apply(T old, T b, T) {
        return old == 0 || old > b ? b : static_cast<T>(old - 1);
    }
};
// Single-precision addition flushes subnormal inputs and results to zeros of their sign in global memory, and does not
// in shared memory (ISA 9.7.13.5, atom.add.f32).
struct AtomicAddFloat {
    static uint32_t apply(uint32_t old, uint32_t b, uint32_t) {
        const float sum = bits_float(old) + bits_float(b);
        return sum != sum ? 0x7fffffffu : float_bits(sum);
    }
    static uint32_t flushed(uint32_t bits) { return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits; }
    static uint32_t apply_in_global_memory(uint32_t old, uint32_t b, uint32_t) {
        return flushed(apply(flushed(old), flushed(b), 0));
    }
};
// A NaN comes out as it went in, not quieted, the operand's before the memory's; in shared memory, where hardware adds
// in a loop of compare and swap, it is an addition's. Both as on an H200.
struct AtomicAddDouble {
    static uint64_t apply(uint64_t old, uint64_t b, uint64_t) {
        const double x = bits_double(old), y = bits_double(b);
        return double_bits(nan_of(x + y, x, y));
    }
    static uint64_t apply_in_global_memory(uint64_t old, uint64_t b, uint64_t) {
        const double x = bits_double(old), y = bits_double(b);
        return y != y ? b : x != x ? old : double_bits(x + y);
    }
};
struct AtomicAddHalf {
    static uint16_t apply(uint16_t old, uint16_t b, uint16_t) {
        return double_to_half(static_cast<double>(half_to_float(old)) + half_to_float(b));
    }
};
struct AtomicAddBfloat {
    static uint16_t apply(uint16_t old, uint16_t b, uint16_t) {
        return double_to_bfloat(static_cast<double>(bfloat_to_float(old)) + bfloat_to_float(b));
    }
};
// The smaller (larger) of two halves by their values, a number before a NaN, -0 before +0.
template <bool Larger, float (*ToFloat)(uint16_t)>
struct AtomicSelectHalf {
    static uint16_t apply(uint16_t old, uint16_t b, uint16_t) {
        const float x = ToFloat(old), y = ToFloat(b);
        if (x != x) return y != y ? uint16_t{0x7fff} : b;
        if (y != y) return old;
        const bool b_is_smaller = x == y ? (b & 0x8000) != 0 : y < x;
        return b_is_smaller != Larger ? b : old;
    }
};
template <class Half>
struct AtomicPair {
    static uint32_t apply(uint32_t old, uint32_t b, uint32_t) {
        const uint16_t low = Half::apply(static_cast<uint16_t>(old), static_cast<uint16_t>(b), 0);
        const uint16_t high = Half::apply(static_cast<uint16_t>(old >> 16), static_cast<uint16_t>(b >> 16), 0);
        return static_cast<uint32_t>(high) << 16 | low;
    }
};

// T: what memory holds; U: the same bits unsigned, for the compare-exchange.
template <class T, class Op, bool Shared>
const Instruction* atomic(Warp& warp, const Instruction* at) {
    using U = std::make_unsigned_t<T>;
    using Cell = Element<U>;
    Cell* const target = warp.row<Cell>(at->operand[0]);
    const Cell* const b = warp.row<Cell>(at->operand[1]);
    const Cell* const c = warp.row<Cell>(at->operand[2]);
    constexpr bool has_c = std::is_same_v<Op, AtomicCompareSwap>;
    const uint64_t alignment = uint64_t{1} << (at->aux >> memory_aux::alignment_shift & memory_aux::alignment_mask);
    alignas(64) uint64_t addresses[lanes_per_warp];
    const auto offset = static_cast<uint64_t>(at->immediate);
    if ((at->aux & memory_aux::narrow_address) != 0) {
        const uint32_t* const base = warp.row<uint32_t>(at->operand[4]);
        for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
            addresses[lane] = Shared ? static_cast<uint32_t>(base[lane] + offset) : base[lane] + offset;
    } else {
        const uint64_t* const base = warp.row<uint64_t>(at->operand[4]);
        for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
            addresses[lane] = base[lane] + offset;
    }
    for_each_lane(warp.active, [&](unsigned lane) {
        const uint64_t address = addresses[lane];
        if ((address & (alignment - 1)) != 0) {
            fault_misaligned(warp, at, lane, address, static_cast<uint32_t>(alignment));
        }
        const T operand = static_cast<T>(static_cast<U>(b[lane]));
        const T other = has_c ? static_cast<T>(static_cast<U>(c[lane])) : T{};
        if constexpr (Shared) {
            U* const place = reinterpret_cast<U*>(shared_pointer<Access::write>(warp, at, lane, address, sizeof(U)));
            const U old = *place;
            *place = static_cast<U>(Op::apply(static_cast<T>(old), operand, other));
            target[lane] = old;
        } else {
            U* const place = reinterpret_cast<U*>(global_pointer<Access::atomic>(warp, at, lane, address, sizeof(U)));
            U old = __atomic_load_n(place, __ATOMIC_RELAXED);
            U next;
            do {
                if constexpr (requires { &Op::apply_in_global_memory; }) {
                    // A generic address may be one of shared memory.
                    next = address < window::first ? Op::apply_in_global_memory(old, operand, other)
                                                   : Op::apply(old, operand, other);
                } else {
                    next = static_cast<U>(Op::apply(static_cast<T>(old), operand, other));
                }
            } while (!__atomic_compare_exchange_n(place, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
            target[lane] = old;
        }
    });
    warp.budget -= 16;  // a spinning reader gives way sooner
    return at + 1;
}

#if defined(__x86_64__)
__extension__ typedef unsigned __int128 Wide;

// CMPXCHG16B: true if `place` held `old`, which is what it held in any case.
inline bool compare_exchange(Wide* place, Wide& old, Wide next) {
    auto low = static_cast<uint64_t>(old), high = static_cast<uint64_t>(old >> 64);
    bool done = false;
    __asm__ __volatile__("lock cmpxchg16b %1"
                         : "=@ccz"(done), "+m"(*place), "+a"(low), "+d"(high)
                         : "b"(static_cast<uint64_t>(next)), "c"(static_cast<uint64_t>(next >> 64))
                         : "memory");
    old = static_cast<Wide>(high) << 64 | low;
    return done;
}

template <class Op>
const Instruction* wide_atomic(Warp& warp, const Instruction* at) {
    constexpr bool has_c = std::is_same_v<Op, AtomicCompareSwap>;
    for_each_lane(warp.active, [&](unsigned lane) {
        const uint64_t address = lane_address(warp, at, lane, at->operand[4]);
        const Wide b = warp.row<Wide>(at->operand[1])[lane];
        const Wide c = has_c ? warp.row<Wide>(at->operand[2])[lane] : Wide{0};
        auto* const place = reinterpret_cast<Wide*>(any_pointer<Access::atomic>(warp, at, lane, address, 16));
        Wide old = 0;
        while (!compare_exchange(place, old, Op::apply(old, b, c))) {}
        warp.row<Wide>(at->operand[0])[lane] = old;
    });
    warp.budget -= 16;
    return at + 1;
}
#endif

template <class T, class Op>
Handlers in_space(bool shared) {
    return shared ? both(&atomic<T, Op, true>) : both(&atomic<T, Op, false>);
}

template <class T>
Handlers bitwise(Form& form, bool shared) {
    if (form.take(Modifier::and_)) return in_space<T, AtomicAnd>(shared);
    if (form.take(Modifier::or_)) return in_space<T, AtomicOr>(shared);
    if (form.take(Modifier::xor_)) return in_space<T, AtomicXor>(shared);
    if (form.take(Modifier::exch)) return in_space<T, AtomicExchange>(shared);
    if (form.take(Modifier::cas)) return in_space<T, AtomicCompareSwap>(shared);
    return {};
}

template <class T>
Handlers arithmetic(Form& form, bool shared) {
    if (form.take(Modifier::add)) return in_space<std::make_unsigned_t<T>, AtomicAdd>(shared);
    if (form.take(Modifier::min)) return in_space<T, AtomicMin>(shared);
    if (form.take(Modifier::max)) return in_space<T, AtomicMax>(shared);
    if constexpr (std::is_same_v<T, uint32_t>) {
        if (form.take(Modifier::inc)) return in_space<T, AtomicIncrement>(shared);
        if (form.take(Modifier::dec)) return in_space<T, AtomicDecrement>(shared);
    }
    return bitwise<std::make_unsigned_t<T>>(form, shared);
}

template <class T, float (*ToFloat)(uint16_t)>
Handlers select_half(bool larger, bool shared) {
    using Least = AtomicSelectHalf<false, ToFloat>;
    using Greatest = AtomicSelectHalf<true, ToFloat>;
    if constexpr (sizeof(T) == 2) {
        return larger ? in_space<T, Greatest>(shared) : in_space<T, Least>(shared);
    } else {
        return larger ? in_space<T, AtomicPair<Greatest>>(shared) : in_space<T, AtomicPair<Least>>(shared);
    }
}

Handlers select_atomic(Form& form) {
    if (form.opcode != Opcode::atom && form.opcode != Opcode::red) return {};
    bool shared = form.take(Modifier::shared);
    shared |= form.take(Modifier::shared_cta);
    form.take(Modifier::global);
    form.take(Modifier::shared_cluster);
    // One order serves all; every scope here is the whole device.
    for (const Modifier weaker :
         {Modifier::relaxed, Modifier::acquire, Modifier::release, Modifier::acq_rel, Modifier::cta, Modifier::cluster,
          Modifier::gpu, Modifier::sys, Modifier::cache_hint}) {
        form.take(weaker);
    }
    const ScalarType type = form.take_type();
    switch (type) {
        case ScalarType::u32:
            return arithmetic<uint32_t>(form, shared);
        case ScalarType::s32:
            return arithmetic<int32_t>(form, shared);
        case ScalarType::u64:
            return arithmetic<uint64_t>(form, shared);
        case ScalarType::s64:
            return arithmetic<int64_t>(form, shared);
        case ScalarType::b16:
            return bitwise<uint16_t>(form, shared);
        case ScalarType::b32:
            return bitwise<uint32_t>(form, shared);
        case ScalarType::b64:
            return bitwise<uint64_t>(form, shared);
        case ScalarType::f32:
            return form.take(Modifier::add) ? in_space<uint32_t, AtomicAddFloat>(shared) : Handlers{};
        case ScalarType::f64:
            return form.take(Modifier::add) ? in_space<uint64_t, AtomicAddDouble>(shared) : Handlers{};
#if defined(__x86_64__)
        case ScalarType::b128:
            if (form.take(Modifier::exch)) return both(&wide_atomic<AtomicExchange>);
            return form.take(Modifier::cas) ? both(&wide_atomic<AtomicCompareSwap>) : Handlers{};
#endif
        default:
            break;
    }
    if (!form.take(Modifier::noftz)) return {};
    const bool smaller = form.take(Modifier::min), larger = form.take(Modifier::max);
    if (smaller || larger) {
        switch (type) {
            case ScalarType::f16:
                return select_half<uint16_t, half_to_float>(larger, shared);
            case ScalarType::bf16:
                return select_half<uint16_t, bfloat_to_float>(larger, shared);
            case ScalarType::f16x2:
                return select_half<uint32_t, half_to_float>(larger, shared);
            case ScalarType::bf16x2:
                return select_half<uint32_t, bfloat_to_float>(larger, shared);
            default:
                return {};
        }
    }
    if (!form.take(Modifier::add)) return {};
    switch (type) {
        case ScalarType::f16:
            return in_space<uint16_t, AtomicAddHalf>(shared);
        case ScalarType::bf16:
            return in_space<uint16_t, AtomicAddBfloat>(shared);
        case ScalarType::f16x2:
            return in_space<uint32_t, AtomicPair<AtomicAddHalf>>(shared);
        case ScalarType::bf16x2:
            return in_space<uint32_t, AtomicPair<AtomicAddBfloat>>(shared);
        default:
            return {};
    }
}

}  // namespace

template <>
Operations operations<Family::atomics>() {
    return {.of_form = &select_atomic};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
