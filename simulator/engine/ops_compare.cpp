// setp, set and testp. Source: PTX ISA 9.0, 9.7.6 (comparison) and 9.7.3 (testp).
#include <cmath>

#include "engine/half.hpp"
#include "engine/lanes.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

enum class Test : uint8_t { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

template <Test T, class V>
inline bool holds(V a, V b) {
    if constexpr (T == Test::eq)
        return a == b;
    else if constexpr (T == Test::ne)
        return std::is_floating_point_v<V> ? (a < b) | (a > b) : a != b;
    else if constexpr (T == Test::lt)
        return a < b;
    else if constexpr (T == Test::le)
        return a <= b;
    else if constexpr (T == Test::gt)
        return a > b;
    else if constexpr (T == Test::ge)
        return a >= b;
    else if constexpr (T == Test::equ)
        return !((a < b) | (a > b));
    else if constexpr (T == Test::neu)
        return !(a == b);
    else if constexpr (T == Test::ltu)
        return !(a >= b);
    else if constexpr (T == Test::leu)
        return !(a > b);
    else if constexpr (T == Test::gtu)
        return !(a <= b);
    else if constexpr (T == Test::geu)
        return !(a < b);
    else if constexpr (T == Test::num)
        return (a == a) & (b == b);
    else
        return (a != a) | (b != b);
}

inline float flush(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    bits = (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
    std::memcpy(&value, &bits, 4);
    return value;
}

// How an operand is read: integers and floats as they are, halves through float.
template <class T>
struct Reader {
    using Value = T;
    static Value read(Element<T> element) { return static_cast<T>(element); }
};
struct FlushedFloat {};
struct Half {};
struct Bfloat {};
template <>
struct Reader<FlushedFloat> {
    using Value = float;
    static float read(float element) { return flush(element); }
};
template <>
struct Reader<Half> {
    using Value = float;
    static float read(uint32_t element) { return half_to_float(static_cast<uint16_t>(element)); }
};
template <>
struct Reader<Bfloat> {
    using Value = float;
    static float read(uint32_t element) { return bfloat_to_float(static_cast<uint16_t>(element)); }
};
template <class T>
struct CellOf {
    using type = Element<T>;
};
template <>
struct CellOf<FlushedFloat> {
    using type = float;
};
template <>
struct CellOf<Half> {
    using type = uint32_t;
};
template <>
struct CellOf<Bfloat> {
    using type = uint32_t;
};

template <Test T, class K>
inline __attribute__((always_inline)) uint32_t compare_lanes(Warp& warp, uint32_t first, uint32_t second) {
    using Cell = typename CellOf<K>::type;
    const Cell* const a = warp.row<Cell>(first);
    const Cell* const b = warp.row<Cell>(second);
    alignas(64) uint32_t lanes[lanes_per_warp];
#pragma GCC ivdep
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        lanes[lane] = holds<T>(Reader<K>::read(a[lane]), Reader<K>::read(b[lane])) ? ~0u : 0u;
    }
    return pack(lanes);
}

// aux: bits 0-1 the boolean operation with operand[4] (0 none, 1 and, 2 or, 3 xor); bit 2: operand[4] is inverted;
// bit 3: there is a second result, operand[1], of the inverse comparison.
template <Test T, class K>
const Instruction* setp(Warp& warp, const Instruction* at) {
    uint32_t result = compare_lanes<T, K>(warp, at->operand[2], at->operand[3]);
    uint32_t inverse = ~result;
    if ((at->aux & 3) != 0) {
        const uint32_t other = warp.predicate(at->operand[4]) ^ ((at->aux & 4) != 0 ? ~0u : 0u);
        switch (at->aux & 3) {
            case 1:
                result &= other;
                inverse &= other;
                break;
            case 2:
                result |= other;
                inverse |= other;
                break;
            default:
                result ^= other;
                inverse ^= other;
                break;
        }
    }
    set_predicate(warp, at->operand[0], result);
    if ((at->aux & 8) != 0) set_predicate(warp, at->operand[1], inverse);
    return at + 1;
}

// set writes all ones (or 1.0) where the comparison holds: `immediate` is that value; aux as for setp; operand[1]
// unused.
template <Test T, class K>
const Instruction* set(Warp& warp, const Instruction* at) {
    uint32_t result = compare_lanes<T, K>(warp, at->operand[2], at->operand[3]);
    if ((at->aux & 3) != 0) {
        const uint32_t other = warp.predicate(at->operand[4]) ^ ((at->aux & 4) != 0 ? ~0u : 0u);
        result = (at->aux & 3) == 1 ? (result & other) : (at->aux & 3) == 2 ? (result | other) : (result ^ other);
    }
    uint32_t* const target = warp.row<uint32_t>(at->operand[0]);
    for_each_lane(warp.active, [&](unsigned lane) {
        target[lane] = (result & lane_bit[lane]) != 0 ? static_cast<uint32_t>(at->immediate) : 0u;
    });
    return at + 1;
}

template <bool Set, Test T, class K>
Handler pick() {
    if constexpr (Set)
        return &set<T, K>;
    else
        return &setp<T, K>;
}

template <bool Set, class K>
Handler pick_float(Form& form) {
    if (form.take(Modifier::eq)) return pick<Set, Test::eq, K>();
    if (form.take(Modifier::ne)) return pick<Set, Test::ne, K>();
    if (form.take(Modifier::lt)) return pick<Set, Test::lt, K>();
    if (form.take(Modifier::le)) return pick<Set, Test::le, K>();
    if (form.take(Modifier::gt)) return pick<Set, Test::gt, K>();
    if (form.take(Modifier::ge)) return pick<Set, Test::ge, K>();
    if (form.take(Modifier::equ)) return pick<Set, Test::equ, K>();
    if (form.take(Modifier::neu)) return pick<Set, Test::neu, K>();
    if (form.take(Modifier::ltu)) return pick<Set, Test::ltu, K>();
    if (form.take(Modifier::leu)) return pick<Set, Test::leu, K>();
    if (form.take(Modifier::gtu)) return pick<Set, Test::gtu, K>();
    if (form.take(Modifier::geu)) return pick<Set, Test::geu, K>();
    if (form.take(Modifier::num)) return pick<Set, Test::num, K>();
    if (form.take(Modifier::nan_)) return pick<Set, Test::nan, K>();
    return nullptr;
}

template <bool Set, class K>
Handler pick_integer(Form& form) {
    if (form.take(Modifier::eq)) return pick<Set, Test::eq, K>();
    if (form.take(Modifier::ne)) return pick<Set, Test::ne, K>();
    if (form.take(Modifier::lt) || form.take(Modifier::lo)) return pick<Set, Test::lt, K>();
    if (form.take(Modifier::le) || form.take(Modifier::ls)) return pick<Set, Test::le, K>();
    if (form.take(Modifier::gt) || form.take(Modifier::hi)) return pick<Set, Test::gt, K>();
    if (form.take(Modifier::ge) || form.take(Modifier::hs)) return pick<Set, Test::ge, K>();
    return nullptr;
}

template <bool Set>
Handler pick_by_type(Form& form, ScalarType type) {
    switch (type) {
        case ScalarType::b16:
        case ScalarType::u16:
            return pick_integer<Set, uint16_t>(form);
        case ScalarType::s16:
            return pick_integer<Set, int16_t>(form);
        case ScalarType::b32:
        case ScalarType::u32:
            return pick_integer<Set, uint32_t>(form);
        case ScalarType::s32:
            return pick_integer<Set, int32_t>(form);
        case ScalarType::b64:
        case ScalarType::u64:
            return pick_integer<Set, uint64_t>(form);
        case ScalarType::s64:
            return pick_integer<Set, int64_t>(form);
        case ScalarType::f32:
            return form.take(Modifier::ftz) ? pick_float<Set, FlushedFloat>(form) : pick_float<Set, float>(form);
        case ScalarType::f64:
            return pick_float<Set, double>(form);
        case ScalarType::f16:
            return form.has(Modifier::ftz) ? nullptr : pick_float<Set, Half>(form);
        case ScalarType::bf16:
            return pick_float<Set, Bfloat>(form);
        default:
            return nullptr;
    }
}

// testp
template <class T, class Test>
const Instruction* testp(Warp& warp, const Instruction* at) {
    const T* const a = warp.row<T>(at->operand[1]);
    uint32_t result = 0;
    for_each_lane(warp.active, [&](unsigned lane) { result |= Test::apply(a[lane]) ? lane_bit[lane] : 0u; });
    set_predicate(warp, at->operand[0], result);
    return at + 1;
}
struct IsFinite {
    template <class T>
    static bool apply(T a) {
        return std::fpclassify(a) != FP_NAN && std::fpclassify(a) != FP_INFINITE;
    }
};
struct IsInfinite {
    template <class T>
    static bool apply(T a) {
        return std::fpclassify(a) == FP_INFINITE;
    }
};
struct IsNumber {
    template <class T>
    static bool apply(T a) {
        return a == a;
    }
};
struct IsNotANumber {
    template <class T>
    static bool apply(T a) {
        return a != a;
    }
};
struct IsNormal {
    template <class T>
    static bool apply(T a) {
        return std::fpclassify(a) == FP_NORMAL;
    }
};
struct IsSubnormal {
    template <class T>
    static bool apply(T a) {
        return std::fpclassify(a) == FP_SUBNORMAL;
    }
};

template <class T>
Handlers select_testp(Form& form) {
    if (form.take(Modifier::finite)) return both(&testp<T, IsFinite>);
    if (form.take(Modifier::infinite)) return both(&testp<T, IsInfinite>);
    if (form.take(Modifier::number)) return both(&testp<T, IsNumber>);
    if (form.take(Modifier::notanumber)) return both(&testp<T, IsNotANumber>);
    if (form.take(Modifier::normal)) return both(&testp<T, IsNormal>);
    if (form.take(Modifier::subnormal)) return both(&testp<T, IsSubnormal>);
    return {};
}

}  // namespace

Handlers select_compare(Form& form) {
    switch (form.opcode) {
        case Opcode::setp: {
            const Handler handler = pick_by_type<false>(form, form.take_type());
            return handler == nullptr ? Handlers{} : both(handler);
        }
        case Opcode::set: {
            form.take_type();  // the result's type: the decoder puts the value for it in `immediate`
            const Handler handler = pick_by_type<true>(form, form.take_type());
            return handler == nullptr ? Handlers{} : both(handler);
        }
        case Opcode::testp:
            switch (form.take_type()) {
                case ScalarType::f32:
                    return select_testp<float>(form);
                case ScalarType::f64:
                    return select_testp<double>(form);
                default:
                    return {};
            }
        default:
            return {};
    }
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
