// Integer arithmetic. Source: PTX ISA 9.0, 9.7.1 and 9.7.2 (extended precision).
#include "engine/execution/lanes.hpp"
#include "engine/instructions/operators.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

template <class T>
struct Wider;
template <>
struct Wider<uint16_t> {
    using type = uint32_t;
};
template <>
struct Wider<int16_t> {
    using type = int32_t;
};
template <>
struct Wider<uint32_t> {
    using type = uint64_t;
};
template <>
struct Wider<int32_t> {
    using type = int64_t;
};
__extension__ typedef unsigned __int128 Unsigned128;
__extension__ typedef __int128 Signed128;
template <>
struct Wider<uint64_t> {
    using type = Unsigned128;
};
template <>
struct Wider<int64_t> {
    using type = Signed128;
};

struct Sub {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
    }
};
struct MulLo {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
    }
};
struct MulHi {
    template <class T>
    static T apply(T a, T b) {
        using Wide = typename Wider<T>::type;
        return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> (8 * sizeof(T)));
    }
};
struct MulWide {
    template <class T>
    static auto apply(T a, T b) {
        using Wide = typename Wider<T>::type;
        return static_cast<Wide>(static_cast<Wide>(a) * static_cast<Wide>(b));
    }
};
struct MadLo {
    template <class T>
    static T apply(T a, T b, T c) {
        return Add::apply(MulLo::apply(a, b), c);
    }
};
struct MadHi {
    template <class T>
    static T apply(T a, T b, T c) {
        return Add::apply(MulHi::apply(a, b), c);
    }
};
struct MadWide {
    template <class T>
    static auto apply(T a, T b, typename Wider<T>::type c) {
        return Add::apply(MulWide::apply(a, b), c);
    }
};
template <class Product>
struct Mad24 {
    template <class T>
    static T apply(T a, T b, T c) {
        return Add::apply(Product::apply(a, b), c);
    }
};
// mul24 multiplies the low 24 bits; .lo gives bits 31..0 and .hi bits 47..16 of the 48-bit product.
template <class T>
int64_t low_24(T value) {
    if constexpr (std::is_signed_v<T>) {
        return static_cast<int32_t>(static_cast<uint32_t>(value) << 8) >> 8;
    } else {
        return static_cast<int64_t>(value & 0xffffff);
    }
}
struct Mul24Lo {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(low_24(a) * low_24(b));
    }
};
struct Mul24Hi {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>((low_24(a) * low_24(b)) >> 16);
    }
};
struct Mad24HiSat {
    static int32_t apply(int32_t a, int32_t b, int32_t c) {
        const int64_t sum = ((low_24(a) * low_24(b)) >> 16) + c;
        return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : static_cast<int32_t>(sum);
    }
};
struct AddSat {
    static int32_t apply(int32_t a, int32_t b) {
        const int64_t sum = static_cast<int64_t>(a) + b;
        return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : static_cast<int32_t>(sum);
    }
};
struct SubSat {
    static int32_t apply(int32_t a, int32_t b) {
        const int64_t difference = static_cast<int64_t>(a) - b;
        return difference > INT32_MAX   ? INT32_MAX
               : difference < INT32_MIN ? INT32_MIN
                                        : static_cast<int32_t>(difference);
    }
};
struct MadHiSat {
    static int32_t apply(int32_t a, int32_t b, int32_t c) { return AddSat::apply(MulHi::apply(a, b), c); }
};
// Division by zero has no defined result; the hardware gives all ones for the quotient.
struct Div {
    template <class T>
    static T apply(T a, T b) {
        if (b == 0) return static_cast<T>(~T{0});
        if constexpr (std::is_signed_v<T>) {
            if (b == -1) return Sub::apply(T{0}, a);
        }
        return static_cast<T>(a / b);
    }
};
struct Rem {
    template <class T>
    static T apply(T a, T b) {
        if (b == 0) return a;
        if constexpr (std::is_signed_v<T>) {
            if (b == -1) return 0;
        }
        return static_cast<T>(a % b);
    }
};
struct MinRelu {
    template <class T>
    static T apply(T a, T b) {
        return Max::apply(Min::apply(a, b), T{0});
    }
};
struct MaxRelu {
    template <class T>
    static T apply(T a, T b) {
        return Max::apply(Max::apply(a, b), T{0});
    }
};
// The same on both halves of a word.
template <class Op, class T>
struct Pairwise {
    static uint32_t apply(uint32_t a, uint32_t b) {
        const auto half = [&](unsigned shift) {
            const T result = Op::apply(static_cast<T>(a >> shift), static_cast<T>(b >> shift));
            return static_cast<uint32_t>(static_cast<uint16_t>(result)) << shift;
        };
        return half(0) | half(16);
    }
};
struct Abs {
    template <class T>
    static T apply(T a) {
        return a < 0 ? Sub::apply(T{0}, a) : a;
    }
};
struct Neg {
    template <class T>
    static T apply(T a) {
        return Sub::apply(T{0}, a);
    }
};
struct Sad {
    template <class T>
    static T apply(T a, T b, T c) {
        return Add::apply(c, a < b ? Sub::apply(b, a) : Sub::apply(a, b));
    }
};

// Dot products of four bytes, or of two halves with two bytes. A is the type of `a`'s parts, B of `b`'s.
template <class A, class B>
struct Dp4a {
    static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
        for (unsigned byte = 0; byte < 4; ++byte) {
            c += static_cast<uint32_t>(static_cast<int32_t>(static_cast<A>(a >> (8 * byte))) *
                                       static_cast<int32_t>(static_cast<B>(b >> (8 * byte))));
        }
        return c;
    }
};
template <class A, class B, unsigned FirstByte>
struct Dp2a {
    static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
        for (unsigned part = 0; part < 2; ++part) {
            c += static_cast<uint32_t>(static_cast<int32_t>(static_cast<A>(a >> (16 * part))) *
                                       static_cast<int32_t>(static_cast<B>(b >> (8 * (FirstByte + part)))));
        }
        return c;
    }
};

// --- extended precision: the carry flag is one bit per lane of the warp ---

// Subtraction is a + ~b + 1 - borrow; CC.CF holds the borrow then (ISA 9.7.2.3), the inverse of this sum's carry.
template <class T, bool Subtract, bool In, bool Out>
const Instruction* add_carry(Warp& warp, const Instruction* at) {
    T* const target = warp.row<T>(at->operand[0]);
    const T* const a = warp.row<T>(at->operand[1]);
    const T* const b = warp.row<T>(at->operand[2]);
    alignas(64) uint32_t out[lanes_per_warp];
    const uint32_t borrow = Subtract ? ~0u : 0u;
    const uint32_t in = In ? warp.carry ^ borrow : borrow;
    const uint32_t* const mask = warp.mask;
#pragma GCC ivdep
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        const T x = a[lane];
        const T y = Subtract ? static_cast<T>(~b[lane]) : b[lane];
        const T one = (in & lane_bit[lane]) != 0 ? 1 : 0;
        const T partial = x + y;
        const T sum = partial + one;
        out[lane] = ((partial < x) | (sum < partial)) ? ~0u : 0u;
        target[lane] = mask[lane] != 0 ? sum : target[lane];
    }
    if constexpr (Out) warp.carry = (warp.carry & ~warp.active) | ((pack(out) ^ borrow) & warp.active);
    return at + 1;
}

template <class T, bool High, bool In, bool Out>
const Instruction* mad_carry(Warp& warp, const Instruction* at) {
    T* const target = warp.row<T>(at->operand[0]);
    const T* const a = warp.row<T>(at->operand[1]);
    const T* const b = warp.row<T>(at->operand[2]);
    const T* const c = warp.row<T>(at->operand[3]);
    alignas(64) uint32_t out[lanes_per_warp];
    const uint32_t in = In ? warp.carry : 0u;
    const uint32_t* const mask = warp.mask;
    using S = std::make_signed_t<T>;
    const bool is_signed = at->aux != 0;
#pragma GCC ivdep
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        T product;
        if constexpr (High) {
            product = is_signed ? static_cast<T>(MulHi::apply(static_cast<S>(a[lane]), static_cast<S>(b[lane])))
                                : MulHi::apply(a[lane], b[lane]);
        } else {
            product = static_cast<T>(a[lane] * b[lane]);
        }
        const T one = (in & lane_bit[lane]) != 0 ? 1 : 0;
        const T partial = product + c[lane];
        const T sum = partial + one;
        out[lane] = ((partial < product) | (sum < partial)) ? ~0u : 0u;
        target[lane] = mask[lane] != 0 ? sum : target[lane];
    }
    if constexpr (Out) warp.carry = (warp.carry & ~warp.active) | (pack(out) & warp.active);
    return at + 1;
}

template <class T, bool Subtract>
Handlers select_add_carry(bool in, bool out) {
    if (in) return both(out ? &add_carry<T, Subtract, true, true> : &add_carry<T, Subtract, true, false>);
    return both(&add_carry<T, Subtract, false, true>);
}

template <class T, bool High>
Handlers select_mad_carry(bool in, bool out) {
    if (in) return both(out ? &mad_carry<T, High, true, true> : &mad_carry<T, High, true, false>);
    return both(&mad_carry<T, High, false, true>);
}

// --- selection ---

template <class Op, class T>
Handlers pairwise() {
    return make_lanewise<Pairwise<Op, T>, uint32_t, uint32_t, uint32_t>();
}

// Ops whose result does not depend on the sign share the unsigned instantiation.
template <class Op, class... Extra>
Handlers modular(ScalarType type) {
    switch (type) {
        case ScalarType::u16:
        case ScalarType::s16:
            return make_lanewise<Op, uint16_t, uint16_t, uint16_t>();
        case ScalarType::u32:
        case ScalarType::s32:
            return make_lanewise<Op, uint32_t, uint32_t, uint32_t>();
        case ScalarType::u64:
        case ScalarType::s64:
            return make_lanewise<Op, uint64_t, uint64_t, uint64_t>();
        default:
            return {};
    }
}
template <class Op>
Handlers modular_ternary(ScalarType type) {
    switch (type) {
        case ScalarType::u16:
        case ScalarType::s16:
            return make_lanewise<Op, uint16_t, uint16_t, uint16_t, uint16_t>();
        case ScalarType::u32:
        case ScalarType::s32:
            return make_lanewise<Op, uint32_t, uint32_t, uint32_t, uint32_t>();
        case ScalarType::u64:
        case ScalarType::s64:
            return make_lanewise<Op, uint64_t, uint64_t, uint64_t, uint64_t>();
        default:
            return {};
    }
}
template <class Op>
Handlers by_sign(ScalarType type) {
    switch (type) {
        case ScalarType::u16:
            return make_lanewise<Op, uint16_t, uint16_t, uint16_t>();
        case ScalarType::s16:
            return make_lanewise<Op, int16_t, int16_t, int16_t>();
        case ScalarType::u32:
            return make_lanewise<Op, uint32_t, uint32_t, uint32_t>();
        case ScalarType::s32:
            return make_lanewise<Op, int32_t, int32_t, int32_t>();
        case ScalarType::u64:
            return make_lanewise<Op, uint64_t, uint64_t, uint64_t>();
        case ScalarType::s64:
            return make_lanewise<Op, int64_t, int64_t, int64_t>();
        default:
            return {};
    }
}
template <class Op>
Handlers by_sign_ternary(ScalarType type) {
    switch (type) {
        case ScalarType::u16:
            return make_lanewise<Op, uint16_t, uint16_t, uint16_t, uint16_t>();
        case ScalarType::s16:
            return make_lanewise<Op, int16_t, int16_t, int16_t, int16_t>();
        case ScalarType::u32:
            return make_lanewise<Op, uint32_t, uint32_t, uint32_t, uint32_t>();
        case ScalarType::s32:
            return make_lanewise<Op, int32_t, int32_t, int32_t, int32_t>();
        case ScalarType::u64:
            return make_lanewise<Op, uint64_t, uint64_t, uint64_t, uint64_t>();
        case ScalarType::s64:
            return make_lanewise<Op, int64_t, int64_t, int64_t, int64_t>();
        default:
            return {};
    }
}
template <class Op>
Handlers widening(ScalarType type) {
    switch (type) {
        case ScalarType::u16:
            return make_lanewise<Op, uint32_t, uint16_t, uint16_t>();
        case ScalarType::s16:
            return make_lanewise<Op, int32_t, int16_t, int16_t>();
        case ScalarType::u32:
            return make_lanewise<Op, uint64_t, uint32_t, uint32_t>();
        case ScalarType::s32:
            return make_lanewise<Op, int64_t, int32_t, int32_t>();
        default:
            return {};
    }
}
template <class Op>
Handlers widening_mad(ScalarType type) {
    switch (type) {
        case ScalarType::u16:
            return make_lanewise<Op, uint32_t, uint16_t, uint16_t, uint32_t>();
        case ScalarType::s16:
            return make_lanewise<Op, int32_t, int16_t, int16_t, int32_t>();
        case ScalarType::u32:
            return make_lanewise<Op, uint64_t, uint32_t, uint32_t, uint64_t>();
        case ScalarType::s32:
            return make_lanewise<Op, int64_t, int32_t, int32_t, int64_t>();
        default:
            return {};
    }
}
template <class Op>
Handlers signed_unary(ScalarType type) {
    switch (type) {
        case ScalarType::s16:
            return make_lanewise<Op, int16_t, int16_t>();
        case ScalarType::s32:
            return make_lanewise<Op, int32_t, int32_t>();
        case ScalarType::s64:
            return make_lanewise<Op, int64_t, int64_t>();
        default:
            return {};
    }
}

Handlers select_add_sub(Form& form, bool subtract) {
    const bool in = form.opcode == Opcode::addc || form.opcode == Opcode::subc;
    if (!in && !form.has(Modifier::cc) && form.type_count == 0) return {};
    const ScalarType type = form.take_type();
    if (in || form.has(Modifier::cc)) {
        const bool out = form.take(Modifier::cc);
        const bool is64 = type == ScalarType::u64 || type == ScalarType::s64 || type == ScalarType::b64;
        if (!is64 && type != ScalarType::u32 && type != ScalarType::s32 && type != ScalarType::b32) return {};
        if (is64)
            return subtract ? select_add_carry<uint64_t, true>(in, out) : select_add_carry<uint64_t, false>(in, out);
        return subtract ? select_add_carry<uint32_t, true>(in, out) : select_add_carry<uint32_t, false>(in, out);
    }
    if (type == ScalarType::s32 && form.take(Modifier::sat)) {
        return subtract ? make_lanewise<SubSat, int32_t, int32_t, int32_t>()
                        : make_lanewise<AddSat, int32_t, int32_t, int32_t>();
    }
    if (!subtract && (type == ScalarType::u16x2 || type == ScalarType::s16x2)) return pairwise<Add, uint16_t>();
    return subtract ? modular<Sub>(type) : modular<Add>(type);
}

Handlers select_mad(Form& form) {
    const bool in = form.opcode == Opcode::madc;
    const ScalarType type = form.take_type();
    if (in || form.has(Modifier::cc)) {
        const bool out = form.take(Modifier::cc);
        const bool high = form.take(Modifier::hi);
        if (!high && !form.take(Modifier::lo)) return {};
        const bool is64 = type == ScalarType::u64 || type == ScalarType::s64;
        if (!is64 && type != ScalarType::u32 && type != ScalarType::s32) return {};
        if (is64) return high ? select_mad_carry<uint64_t, true>(in, out) : select_mad_carry<uint64_t, false>(in, out);
        return high ? select_mad_carry<uint32_t, true>(in, out) : select_mad_carry<uint32_t, false>(in, out);
    }
    if (form.take(Modifier::lo)) return modular_ternary<MadLo>(type);
    if (form.take(Modifier::wide)) return widening_mad<MadWide>(type);
    if (form.take(Modifier::hi)) {
        if (type == ScalarType::s32 && form.take(Modifier::sat)) {
            return make_lanewise<MadHiSat, int32_t, int32_t, int32_t, int32_t>();
        }
        return by_sign_ternary<MadHi>(type);
    }
    return {};
}

template <bool Least>
Handlers select_min_max(Form& form) {
    using Op = std::conditional_t<Least, Min, Max>;
    using Relu = std::conditional_t<Least, MinRelu, MaxRelu>;
    const ScalarType type = form.take_type();
    if (type == ScalarType::s32 && form.take(Modifier::relu)) return make_lanewise<Relu, int32_t, int32_t, int32_t>();
    if (type == ScalarType::u16x2) return pairwise<Op, uint16_t>();
    if (type == ScalarType::s16x2) {
        return form.take(Modifier::relu) ? pairwise<Relu, int16_t>() : pairwise<Op, int16_t>();
    }
    return by_sign<Op>(type);
}

Handlers select_dp(Form& form) {
    const bool sa = form.type(0) == ScalarType::s32;
    const bool sb = form.type(1) == ScalarType::s32;
    form.take_type();
    form.take_type();
    using U = uint32_t;
    if (form.opcode == Opcode::dp4a) {
        if (sa)
            return sb ? make_lanewise<Dp4a<int8_t, int8_t>, U, U, U, U>()
                      : make_lanewise<Dp4a<int8_t, uint8_t>, U, U, U, U>();
        return sb ? make_lanewise<Dp4a<uint8_t, int8_t>, U, U, U, U>()
                  : make_lanewise<Dp4a<uint8_t, uint8_t>, U, U, U, U>();
    }
    if (form.take(Modifier::lo)) {
        if (sa)
            return sb ? make_lanewise<Dp2a<int16_t, int8_t, 0>, U, U, U, U>()
                      : make_lanewise<Dp2a<int16_t, uint8_t, 0>, U, U, U, U>();
        return sb ? make_lanewise<Dp2a<uint16_t, int8_t, 0>, U, U, U, U>()
                  : make_lanewise<Dp2a<uint16_t, uint8_t, 0>, U, U, U, U>();
    }
    if (form.take(Modifier::hi)) {
        if (sa)
            return sb ? make_lanewise<Dp2a<int16_t, int8_t, 2>, U, U, U, U>()
                      : make_lanewise<Dp2a<int16_t, uint8_t, 2>, U, U, U, U>();
        return sb ? make_lanewise<Dp2a<uint16_t, int8_t, 2>, U, U, U, U>()
                  : make_lanewise<Dp2a<uint16_t, uint8_t, 2>, U, U, U, U>();
    }
    return {};
}

Handlers select_integer(Form& form) {
    if (is_float(form.type(0))) return {};
    switch (form.opcode) {
        case Opcode::add:
        case Opcode::addc:
            return select_add_sub(form, false);
        case Opcode::sub:
        case Opcode::subc:
            return select_add_sub(form, true);
        case Opcode::mul: {
            const ScalarType type = form.take_type();
            if (form.take(Modifier::wide)) return widening<MulWide>(type);
            if (form.take(Modifier::lo)) return modular<MulLo>(type);
            if (form.take(Modifier::hi)) return by_sign<MulHi>(type);
            return {};
        }
        case Opcode::mad:
        case Opcode::madc:
            return select_mad(form);
        case Opcode::mul24:
        case Opcode::mad24: {
            const bool is_signed = form.take_type() == ScalarType::s32;
            const bool high = form.take(Modifier::hi);
            if (!high && !form.take(Modifier::lo)) return {};
            using U = uint32_t;
            using S = int32_t;
            if (form.opcode == Opcode::mul24) {
                if (high) return is_signed ? make_lanewise<Mul24Hi, S, S, S>() : make_lanewise<Mul24Hi, U, U, U>();
                return is_signed ? make_lanewise<Mul24Lo, S, S, S>() : make_lanewise<Mul24Lo, U, U, U>();
            }
            if (high && is_signed && form.take(Modifier::sat)) return make_lanewise<Mad24HiSat, S, S, S, S>();
            if (high) {
                return is_signed ? make_lanewise<Mad24<Mul24Hi>, S, S, S, S>()
                                 : make_lanewise<Mad24<Mul24Hi>, U, U, U, U>();
            }
            return is_signed ? make_lanewise<Mad24<Mul24Lo>, S, S, S, S>()
                             : make_lanewise<Mad24<Mul24Lo>, U, U, U, U>();
        }
        case Opcode::div:
            return by_sign<Div>(form.take_type());
        case Opcode::rem:
            return by_sign<Rem>(form.take_type());
        case Opcode::min:
            return select_min_max<true>(form);
        case Opcode::max:
            return select_min_max<false>(form);
        case Opcode::abs:
            return signed_unary<Abs>(form.take_type());
        case Opcode::neg:
            return signed_unary<Neg>(form.take_type());
        case Opcode::sad:
            return by_sign_ternary<Sad>(form.take_type());
        case Opcode::dp4a:
        case Opcode::dp2a:
            return select_dp(form);
        default:
            return {};
    }
}

}  // namespace

template <>
Operations operations<Family::integer>() {
    return {.of_form = &select_integer};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
