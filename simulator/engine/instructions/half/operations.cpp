// f16, bf16 and their pairs. Source: PTX ISA 9.0, 9.7.4.
//
// Sums, differences and products of two halves are exact in double precision, and so is the fused sum of a product
// except for what lies more than 53 bits apart, which cannot change a rounding to 11 or 8 bits but by a tie; the sticky
// bit (rounding to odd) keeps that right too.
#include <cmath>

#include "engine/execution/lanes.hpp"
#include "engine/instructions/floating_point/floating.hpp"
#include "engine/memory/tensor_map.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

struct Half {
    static double read(uint16_t bits) { return half_to_float(bits); }
    static uint16_t write(double value) { return double_to_half(value); }
    static constexpr uint16_t infinity = 0x7c00, smallest_normal = 0x0400;
};
struct Bfloat {
    static double read(uint16_t bits) { return bfloat_to_float(bits); }
    static uint16_t write(double value) { return double_to_bfloat(value); }
    static constexpr uint16_t infinity = 0x7f80, smallest_normal = 0x0080;
};

// a * b + c with one rounding to 16 bits: the double result, with its last bit set if anything was lost.
inline double fused(double a, double b, double c) {
    const double product = a * b;  // exact: at most 22 bits
    const double sum = product + c;
    if (!(std::fabs(sum) <= 0x1.fffffffffffffp1023)) return sum;
    // Two-sum: the error of the addition, exactly (Knuth).
    const double back = sum - product;
    const double error = (product - (sum - back)) + (c - back);
    if (error == 0) return sum;
    const uint64_t bits = double_bits(sum);
    if ((bits & 1) != 0) return sum;
    // The true value lies between `sum` and its neighbour on the error's side: take the odd one of the two.
    const bool outwards = (error > 0) == (sum > 0);
    return bits_double(outwards ? bits | 1 : bits - 1);
}

enum class Op : uint8_t { add, sub, mul, fma, min, max, min_xorsign, max_xorsign, neg, abs };

template <class F, Op O>
inline double compute(double a, double b, double c, bool nan_wins) {
    switch (O) {
        case Op::add:
            return a + b;
        case Op::sub:
            return a - b;
        case Op::mul:
            return a * b;
        case Op::fma:
            return fused(a, b, c);
        // The sign of the product, the magnitude of the smaller or larger operand.
        case Op::min_xorsign:
        case Op::max_xorsign: {
            constexpr Op plain = O == Op::min_xorsign ? Op::min : Op::max;
            const double magnitude = compute<F, plain>(std::fabs(a), std::fabs(b), c, nan_wins);
            return std::signbit(a) != std::signbit(b) ? -magnitude : magnitude;
        }
        case Op::min:
        case Op::max: {
            if (a != a || b != b) {
                if (nan_wins || (a != a && b != b)) return quiet_nan<double>();
                return a != a ? b : a;
            }
            if (a == b) return (O == Op::min) == std::signbit(a) ? a : b;
            return (O == Op::min) == (a < b) ? a : b;
        }
        default:
            return a;
    }
}

// Instruction::aux, set by flags_of: what happens to operands and result.
struct Flags {
    bool flush, saturate, relu, nan_wins, out_of_bounds;
};

template <class F, Op O, class... S>
inline uint16_t one(const Flags& flags, uint16_t a, uint16_t b, uint16_t c) {
    if constexpr (O == Op::neg || O == Op::abs) {
        if ((a & 0x7fff) > F::infinity) return 0x7fff;
        const bool small = flags.flush && (a & 0x7fff) < F::smallest_normal;
        const auto kept = static_cast<uint16_t>(small ? a & 0x8000 : a);
        return static_cast<uint16_t>(O == Op::neg ? kept ^ 0x8000 : kept & 0x7fff);
    }
    const auto in = [&](uint16_t bits) {
        if (flags.flush && (bits & 0x7fff) < F::smallest_normal) bits &= 0x8000;
        return F::read(bits);
    };
    // .oob: a factor that lay outside a tensor makes the result zero, not only the product. With either sign, as on an
    // H100.
    const auto lay_outside = [](uint16_t bits) { return (bits & 0x7fff) == out_of_bounds_nan; };
    if (flags.out_of_bounds && (lay_outside(a) || lay_outside(b))) return 0;
    double value = compute<F, O>(in(a), in(b), in(c), flags.nan_wins);
    if (flags.saturate) value = value > 0 ? (value < 1 ? value : 1.0) : 0.0;
    if (flags.relu) value = value > 0 || value != value ? value : 0.0;
    uint16_t bits = F::write(value);
    if (flags.flush && (bits & 0x7fff) < F::smallest_normal) bits &= 0x8000;
    return bits;
}

template <class F, Op O, unsigned Sources, bool Pair, bool Flush, bool Saturate, bool Relu, bool NanWins,
          bool OutOfBounds = false>
const Instruction* half_operation(Warp& warp, const Instruction* at) {
    constexpr Flags flags{Flush, Saturate, Relu, NanWins, OutOfBounds};
    uint32_t* const target = warp.row<uint32_t>(at->operand[0]);
    const uint32_t* const a = warp.row<uint32_t>(at->operand[1]);
    const uint32_t* const b = Sources > 1 ? warp.row<uint32_t>(at->operand[2]) : a;
    const uint32_t* const c = Sources > 2 ? warp.row<uint32_t>(at->operand[3]) : a;
    for_each_lane(warp.active, [&](unsigned lane) {
        uint32_t result = one<F, O>(flags, static_cast<uint16_t>(a[lane]), static_cast<uint16_t>(b[lane]),
                                    static_cast<uint16_t>(c[lane]));
        if constexpr (Pair) {
            const uint32_t high = one<F, O>(flags, static_cast<uint16_t>(a[lane] >> 16),
                                            static_cast<uint16_t>(b[lane] >> 16), static_cast<uint16_t>(c[lane] >> 16));
            result |= high << 16;
        }
        target[lane] = result;
    });
    return at + 1;
}

template <class F, Op O, unsigned Sources, bool Pair>
Handlers with_flags(Form& form) {
    const bool flush = form.take(Modifier::ftz);
    if constexpr (O == Op::neg || O == Op::abs) {
        return flush ? both(&half_operation<F, O, Sources, Pair, true, false, false, false>)
                     : both(&half_operation<F, O, Sources, Pair, false, false, false, false>);
    } else if constexpr (O == Op::min || O == Op::max || O == Op::min_xorsign || O == Op::max_xorsign) {
        const bool nan = form.take(Modifier::nan_);
        if (flush)
            return nan ? both(&half_operation<F, O, Sources, Pair, true, false, false, true>)
                       : both(&half_operation<F, O, Sources, Pair, true, false, false, false>);
        return nan ? both(&half_operation<F, O, Sources, Pair, false, false, false, true>)
                   : both(&half_operation<F, O, Sources, Pair, false, false, false, false>);
    } else {
        form.take(Modifier::rn);
        if (form.take(Modifier::relu)) {
            if constexpr (O != Op::fma) return {};
            return flush ? both(&half_operation<F, O, Sources, Pair, true, false, true, false>)
                         : both(&half_operation<F, O, Sources, Pair, false, false, true, false>);
        }
        if (form.take(Modifier::sat)) {
            return flush ? both(&half_operation<F, O, Sources, Pair, true, true, false, false>)
                         : both(&half_operation<F, O, Sources, Pair, false, true, false, false>);
        }
        return flush ? both(&half_operation<F, O, Sources, Pair, true, false, false, false>)
                     : both(&half_operation<F, O, Sources, Pair, false, false, false, false>);
    }
}

// fma.oob
template <class F, bool Pair>
Handlers fma_within_bounds(Form& form) {
    form.take(Modifier::rn);
    if (form.take(Modifier::relu)) return both(&half_operation<F, Op::fma, 3, Pair, false, false, true, false, true>);
    if (form.take(Modifier::sat)) return both(&half_operation<F, Op::fma, 3, Pair, false, true, false, false, true>);
    return both(&half_operation<F, Op::fma, 3, Pair, false, false, false, false, true>);
}

template <class F, bool Pair>
Handlers select_for(Form& form) {
    switch (form.opcode) {
        case Opcode::add:
            return with_flags<F, Op::add, 2, Pair>(form);
        case Opcode::sub:
            return with_flags<F, Op::sub, 2, Pair>(form);
        case Opcode::mul:
            return with_flags<F, Op::mul, 2, Pair>(form);
        case Opcode::fma:
            if (form.take(Modifier::oob)) return fma_within_bounds<F, Pair>(form);
            return form.has(Modifier::rn) ? with_flags<F, Op::fma, 3, Pair>(form) : Handlers{};
        case Opcode::min:
            if (form.take(Modifier::xorsign) && form.take(Modifier::abs_)) {
                return with_flags<F, Op::min_xorsign, 2, Pair>(form);
            }
            return with_flags<F, Op::min, 2, Pair>(form);
        case Opcode::max:
            if (form.take(Modifier::xorsign) && form.take(Modifier::abs_)) {
                return with_flags<F, Op::max_xorsign, 2, Pair>(form);
            }
            return with_flags<F, Op::max, 2, Pair>(form);
        case Opcode::neg:
            return with_flags<F, Op::neg, 1, Pair>(form);
        case Opcode::abs:
            return with_flags<F, Op::abs, 1, Pair>(form);
        default:
            return {};
    }
}

// ex2.approx and tanh.approx of 16 bits.
enum class Named : uint8_t { tanh, ex2, ex2_flushed };
template <class F, Named N>
struct Function {
    static uint32_t apply(uint32_t a) {
        const double x = F::read(static_cast<uint16_t>(a));
        // An H200 cuts 2^x off to the bits of f16, and rounds it to those of bf16.
        const double result = N == Named::tanh ? std::tanh(x) : std::exp2(x);
        const bool cut = N != Named::tanh && std::is_same_v<F, Half> && result < 0x1p16;
        const uint32_t bits = cut ? double_to_half(result, Rounding::zero) : F::write(result);
        return N == Named::ex2_flushed && (bits & 0x7fff) < F::smallest_normal ? bits & 0x8000 : bits;
    }
};
template <class F, Named N>
struct FunctionPair {
    static uint32_t apply(uint32_t a) {
        return Function<F, N>::apply(a & 0xffff) | Function<F, N>::apply(a >> 16) << 16;
    }
};
template <class F, Named N, bool Pair>
Handlers named() {
    return Pair ? make_lanewise<FunctionPair<F, N>, uint32_t, uint32_t>()
                : make_lanewise<Function<F, N>, uint32_t, uint32_t>();
}
template <class F, bool Pair>
Handlers select_function(Form& form) {
    if (!form.take(Modifier::approx)) return {};
    if (form.opcode == Opcode::tanh) return named<F, Named::tanh, Pair>();
    // A subnormal operand gives 1 whether it is flushed or not.
    return form.take(Modifier::ftz) ? named<F, Named::ex2_flushed, Pair>() : named<F, Named::ex2, Pair>();
}

Handlers select_half(Form& form) {
    const bool function = form.opcode == Opcode::ex2 || form.opcode == Opcode::tanh;
    switch (form.take_type()) {
        case ScalarType::f16:
            return function ? select_function<Half, false>(form) : select_for<Half, false>(form);
        case ScalarType::f16x2:
            return function ? select_function<Half, true>(form) : select_for<Half, true>(form);
        case ScalarType::bf16:
            return function ? select_function<Bfloat, false>(form) : select_for<Bfloat, false>(form);
        case ScalarType::bf16x2:
            return function ? select_function<Bfloat, true>(form) : select_for<Bfloat, true>(form);
        default:
            return {};
    }
}

}  // namespace

template <>
Operations operations<Family::half>() {
    return {.of_form = &select_half};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
