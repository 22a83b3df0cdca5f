// setp, set and testp; selp and slct: operations_selection.cpp. Source: PTX ISA 9.0, 9.7.6 (comparison) and 9.7.3
// (testp).
#include <array>
#include <cmath>

#include "engine/instructions/comparison/wide_comparison.hpp"
#include "engine/instructions/half/half.hpp"
#include "engine/instructions/operators.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
// operations_selection.cpp
Handlers select_selection(Form& form);

namespace {

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
struct FlushedHalf {};
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
struct Reader<FlushedHalf> {
    using Value = float;
    static float read(uint32_t element) {
        const uint32_t bits = element & 0xffff;
        return half_to_float(static_cast<uint16_t>((bits & 0x7c00) == 0 ? bits & 0x8000 : bits));
    }
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
struct CellOf<FlushedHalf> {
    using type = uint32_t;
};
template <>
struct CellOf<Bfloat> {
    using type = uint32_t;
};

// Shift: where the operand's bits begin in its element; 16 for the upper one of a pair.
template <Test T, class K, unsigned Shift = 0>
inline __attribute__((always_inline)) uint32_t compare_lanes(Warp& warp, uint32_t first, uint32_t second) {
    using Cell = typename CellOf<K>::type;
    const Cell* const a = warp.row<Cell>(first);
    const Cell* const b = warp.row<Cell>(second);
    if constexpr (has_wide_comparison<K>) {
        return compare_wide<T>(a, b);
    } else {
        alignas(64) uint32_t lanes[lanes_per_warp];
#pragma GCC ivdep
        for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
            if constexpr (Shift != 0) {
                lanes[lane] = holds<T>(Reader<K>::read(a[lane] >> Shift), Reader<K>::read(b[lane] >> Shift)) ? ~0u : 0u;
            } else {
                lanes[lane] = holds<T>(Reader<K>::read(a[lane]), Reader<K>::read(b[lane])) ? ~0u : 0u;
            }
        }
        return pack(lanes);
    }
}

// The results with the boolean operation of `aux` applied.
inline uint32_t combined(Warp& warp, const Instruction* at, uint32_t result) {
    const uint32_t other = (at->aux & 3) != 0 ? warp.predicate(at->operand[4]) ^ ((at->aux & 4) != 0 ? ~0u : 0u) : 0;
    switch (at->aux & 3) {
        case 0:
            return result;
        case 1:
            return result & other;
        case 2:
            return result | other;
        default:
            return result ^ other;
    }
}

// aux: bits 0-1 the boolean operation with operand[4] (0 none, 1 and, 2 or, 3 xor); bit 2: operand[4] is inverted;
// bit 3: there is a second result, operand[1], of the inverse comparison.
template <Test T, class K>
const Instruction* setp(Warp& warp, const Instruction* at) {
    const uint32_t result = compare_lanes<T, K>(warp, at->operand[2], at->operand[3]);
    // Both are computed before one is written: the operation's other operand may be a result.
    const uint32_t first = combined(warp, at, result), second = combined(warp, at, ~result);
    set_predicate(warp, at->operand[0], first);
    if ((at->aux & 8) != 0) set_predicate(warp, at->operand[1], second);
    return at + 1;
}

// setp with one result and no boolean operation, by a warp whose lanes are together, and the branch behind it that
// looks at the result: what most loops end with. The branch is where it was, for those that jump to it.
inline __attribute__((always_inline)) const Instruction* branch_on(Warp& warp, const Instruction* at, uint32_t result) {
    warp.predicate(at->operand[0]) = result;  // that of lanes which have exited matters to nobody
    const Instruction* const branch = at + 1;
    const uint32_t taken = warp.active & (result ^ ((branch->aux & 1) != 0 ? ~0u : 0u));
    if (taken == 0) return branch + 1;
    if (taken != warp.active) return branch->body[0](warp, branch);
    if (branch->displacement <= 0 && --warp.budget < 0) return yield(warp, branch + branch->displacement);
    return branch + branch->displacement;
}

template <Test T, class K>
const Instruction* setp_and_branch(Warp& warp, const Instruction* at) {
    return branch_on(warp, at, compare_lanes<T, K>(warp, at->operand[2], at->operand[3]));
}

// The step of a loop before that: the comparison's first operand is the step's result, its second is not.
template <class Op, Test T, class K>
const Instruction* step_and_branch(Warp& warp, const Instruction* at) {
    const Instruction* const compare = at + 1;
    K* const target = warp.row<K>(at->operand[0]);
    const uint32_t* const a = warp.row<uint32_t>(at->operand[1]);
    const uint32_t* const b = warp.row<uint32_t>(at->operand[2]);
    const K* const limit = warp.row<K>(compare->operand[3]);
    alignas(64) uint32_t lanes[lanes_per_warp];
#pragma GCC ivdep
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        const auto value = static_cast<K>(Op::apply(a[lane], b[lane]));
        target[lane] = value;
        lanes[lane] = holds<T>(value, limit[lane]) ? ~0u : 0u;
    }
    return branch_on(warp, compare, pack(lanes));
}

struct WithBranch {
    Handler alone, joined;
    Handler added, shifted_left, shifted_right;  // with a step before it; null: there is none
};
template <Test T, class K>
constexpr WithBranch with_branch() {
    if constexpr (sizeof(K) == 4) {
        return {&setp<T, K>, &setp_and_branch<T, K>, &step_and_branch<Add, T, K>, &step_and_branch<Shl, T, K>,
                &step_and_branch<Shr, T, K>};
    } else {
        return {&setp<T, K>, &setp_and_branch<T, K>, nullptr, nullptr, nullptr};
    }
}
template <Test... T>
constexpr auto with_branches() {
    return std::array{with_branch<T, int32_t>()..., with_branch<T, uint32_t>()..., with_branch<T, int64_t>()...,
                      with_branch<T, uint64_t>()...};
}

// Of pairs: one result for the lower halves, one for the upper ones.
template <Test T, class K>
const Instruction* setp_pair(Warp& warp, const Instruction* at) {
    const uint32_t lower = combined(warp, at, compare_lanes<T, K>(warp, at->operand[2], at->operand[3]));
    const uint32_t upper = combined(warp, at, compare_lanes<T, K, 16>(warp, at->operand[2], at->operand[3]));
    set_predicate(warp, at->operand[0], lower);
    set_predicate(warp, at->operand[1], upper);
    return at + 1;
}

// set writes all ones (or 1.0) where the comparison holds: `immediate` is that value; aux as for setp; operand[1]
// unused.
template <Test T, class K>
const Instruction* set(Warp& warp, const Instruction* at) {
    const uint32_t result = combined(warp, at, compare_lanes<T, K>(warp, at->operand[2], at->operand[3]));
    uint32_t* const target = warp.row<uint32_t>(at->operand[0]);
    for_each_lane(warp.active, [&](unsigned lane) {
        target[lane] = (result & lane_bit[lane]) != 0 ? static_cast<uint32_t>(at->immediate) : 0u;
    });
    return at + 1;
}

// Of pairs, each half gets the lower half of the value.
template <Test T, class K>
const Instruction* set_pair(Warp& warp, const Instruction* at) {
    const uint32_t lower = combined(warp, at, compare_lanes<T, K>(warp, at->operand[2], at->operand[3]));
    const uint32_t upper = combined(warp, at, compare_lanes<T, K, 16>(warp, at->operand[2], at->operand[3]));
    uint32_t* const target = warp.row<uint32_t>(at->operand[0]);
    const uint32_t half = static_cast<uint32_t>(at->immediate) & 0xffff;
    for_each_lane(warp.active, [&](unsigned lane) {
        target[lane] = ((lower & lane_bit[lane]) != 0 ? half : 0u) | ((upper & lane_bit[lane]) != 0 ? half << 16 : 0u);
    });
    return at + 1;
}

enum class Kind : uint8_t { setp, set, setp_pair, set_pair };
template <Kind F, Test T, class K>
Handler pick() {
    if constexpr (F == Kind::set)
        return &set<T, K>;
    else if constexpr (F == Kind::setp)
        return &setp<T, K>;
    else if constexpr (F == Kind::setp_pair)
        return &setp_pair<T, K>;
    else
        return &set_pair<T, K>;
}

template <Kind F, class K>
Handler pick_float(Form& form) {
    if (form.take(Modifier::eq)) return pick<F, Test::eq, K>();
    if (form.take(Modifier::ne)) return pick<F, Test::ne, K>();
    if (form.take(Modifier::lt)) return pick<F, Test::lt, K>();
    if (form.take(Modifier::le)) return pick<F, Test::le, K>();
    if (form.take(Modifier::gt)) return pick<F, Test::gt, K>();
    if (form.take(Modifier::ge)) return pick<F, Test::ge, K>();
    if (form.take(Modifier::equ)) return pick<F, Test::equ, K>();
    if (form.take(Modifier::neu)) return pick<F, Test::neu, K>();
    if (form.take(Modifier::ltu)) return pick<F, Test::ltu, K>();
    if (form.take(Modifier::leu)) return pick<F, Test::leu, K>();
    if (form.take(Modifier::gtu)) return pick<F, Test::gtu, K>();
    if (form.take(Modifier::geu)) return pick<F, Test::geu, K>();
    if (form.take(Modifier::num)) return pick<F, Test::num, K>();
    if (form.take(Modifier::unordered)) return pick<F, Test::nan, K>();
    return nullptr;
}

template <Kind F, class K>
Handler pick_integer(Form& form) {
    if (form.take(Modifier::eq)) return pick<F, Test::eq, K>();
    if (form.take(Modifier::ne)) return pick<F, Test::ne, K>();
    if (form.take(Modifier::lt) || form.take(Modifier::lo)) return pick<F, Test::lt, K>();
    if (form.take(Modifier::le) || form.take(Modifier::ls)) return pick<F, Test::le, K>();
    if (form.take(Modifier::gt) || form.take(Modifier::hi)) return pick<F, Test::gt, K>();
    if (form.take(Modifier::ge) || form.take(Modifier::hs)) return pick<F, Test::ge, K>();
    return nullptr;
}

template <bool Set>
Handler pick_by_type(Form& form, ScalarType type) {
    constexpr Kind one = Set ? Kind::set : Kind::setp;
    constexpr Kind pair = Set ? Kind::set_pair : Kind::setp_pair;
    switch (type) {
        case ScalarType::b16:
        case ScalarType::u16:
            return pick_integer<one, uint16_t>(form);
        case ScalarType::s16:
            return pick_integer<one, int16_t>(form);
        case ScalarType::b32:
        case ScalarType::u32:
            return pick_integer<one, uint32_t>(form);
        case ScalarType::s32:
            return pick_integer<one, int32_t>(form);
        case ScalarType::b64:
        case ScalarType::u64:
            return pick_integer<one, uint64_t>(form);
        case ScalarType::s64:
            return pick_integer<one, int64_t>(form);
        case ScalarType::f32:
            return form.take(Modifier::ftz) ? pick_float<one, FlushedFloat>(form) : pick_float<one, float>(form);
        case ScalarType::f64:
            return pick_float<one, double>(form);
        case ScalarType::f16:
            return form.take(Modifier::ftz) ? pick_float<one, FlushedHalf>(form) : pick_float<one, Half>(form);
        case ScalarType::f16x2:
            return form.take(Modifier::ftz) ? pick_float<pair, FlushedHalf>(form) : pick_float<pair, Half>(form);
        case ScalarType::bf16x2:
            return pick_float<pair, Bfloat>(form);
        case ScalarType::bf16:
            return pick_float<one, Bfloat>(form);
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
// Zeros count as normal (ISA 9.7.3.1).
struct IsNormal {
    template <class T>
    static bool apply(T a) {
        return std::fpclassify(a) == FP_NORMAL || a == T{0};
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

Handlers select_comparison(Form& form) {
    return first_of(form, {&select_compare, &select_selection});
}

}  // namespace

Handler joined_with_branch(const Instruction* at) {
    static constexpr auto all = with_branches<Test::eq, Test::ne, Test::lt, Test::le, Test::gt, Test::ge>();
    if (at->aux != 0) return nullptr;
    const Instruction& next = at[1];
    for (const WithBranch& one : all) {
        if (one.joined != next.body[0]) continue;
        if (at->operand[0] != next.operand[2] || at->operand[0] == next.operand[3]) return nullptr;
        if (at->body[0] == &lanewise<false, Add, uint32_t, uint32_t, uint32_t>) return one.added;
        if (at->body[0] == &lanewise<false, Shl, uint32_t, uint32_t, uint32_t>) return one.shifted_left;
        if (at->body[0] == &lanewise<false, Shr, uint32_t, uint32_t, uint32_t>) return one.shifted_right;
        return nullptr;
    }
    for (const WithBranch& one : all) {
        if (one.alone == at->body[0]) return one.joined;
    }
    return nullptr;
}

template <>
Operations operations<Family::comparison>() {
    return {.of_form = &select_comparison};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
