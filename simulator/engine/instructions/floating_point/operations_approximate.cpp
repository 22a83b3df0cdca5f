// Approximate functions. Source: PTX ISA 9.0, 9.7.3 (each instruction's table of special values and its error bound).
//
// Every result here is at least as near to the true value as the ISA asks for; it need not have the same bits as the
// hardware's. Single precision is computed in double precision and rounded once.
#include <cmath>

#include "engine/execution/lanes.hpp"
#include "engine/instructions/floating_point/floating.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

template <bool Ftz>
struct Reciprocal {
    static float apply(float a) { return finish<Ftz, false>(1.0f / flushed<Ftz>(a)); }
};
template <bool Ftz>
struct ReciprocalRoot {
    static float apply(float a) {
        // -0 gives -infinity, a subnormal without .ftz is not flushed.
        return finish<Ftz, false>(static_cast<float>(1.0 / std::sqrt(static_cast<double>(flushed<Ftz>(a)))));
    }
};
template <bool Ftz>
struct Root {
    static float apply(float a) { return finish<Ftz, false>(std::sqrt(flushed<Ftz>(a))); }
};
// The angle that an H200 looks up: the angle times 1/(2 pi), cut off to a float, and then to 25 bits after the point.
// Measured over all magnitudes: sine and cosine of it are within 2^-21.5 of the hardware's, where the ISA bounds the
// error within [-2 pi, 2 pi] alone. In radians again, within one turn.
template <bool Ftz>
inline double looked_up_angle(float angle) {
    constexpr double steps = 0x1p25;
    constexpr uint64_t below_float = (uint64_t{1} << 29) - 1;  // bits of a double that a float has not
    const double product = static_cast<double>(flushed<Ftz>(angle)) * static_cast<double>(0.15915494f);
    const double turns = bits_double(double_bits(product) & ~below_float);
    const double cut = std::trunc(turns * steps) / steps;
    return std::copysign(6.283185307179586 * (cut - std::trunc(cut)), turns);
}
template <bool Ftz>
struct Sine {
    static float apply(float a) {
        const float result = finish<Ftz, false>(static_cast<float>(std::sin(looked_up_angle<Ftz>(a))));
        return std::fabs(a) <= 0x1.fffffep127f ? result : quiet_nan<float>();
    }
};
template <bool Ftz>
struct Cosine {
    static float apply(float a) {
        const float result = finish<Ftz, false>(static_cast<float>(std::cos(looked_up_angle<Ftz>(a))));
        return std::fabs(a) <= 0x1.fffffep127f ? result : quiet_nan<float>();
    }
};
template <bool Ftz>
struct Logarithm2 {
    static float apply(float a) {
        return finish<Ftz, false>(static_cast<float>(std::log2(static_cast<double>(flushed<Ftz>(a)))));
    }
};
// 2^x for |x| up to what a float's exponent holds: an integer part for the exponent, and a polynomial of degree 7 on
// [-0.5, 0.5], whose error (2e-10 relative) is far below half an ulp of single precision.
template <bool Ftz>
struct Exponential2 {
    static float apply(float argument) {
        const float a = flushed<Ftz>(argument);
        const double clamped = a < -200.0f ? -200.0 : a > 200.0f ? 200.0 : static_cast<double>(a);
        const double whole = (clamped + 0x1.8p52) - 0x1.8p52;
        const double t = clamped - whole;
        double p = 1.525273380405984e-05;
        p = p * t + 1.5403530393381608e-04;
        p = p * t + 1.3333558146428443e-03;
        p = p * t + 9.618129107628477e-03;
        p = p * t + 5.5504108664821576e-02;
        p = p * t + 2.4022650695910072e-01;
        p = p * t + 6.931471805599453e-01;
        p = p * t + 1.0;
        const double scale =
            bits_double(static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(whole)) + 1023) << 52);
        const float result = static_cast<float>(p * scale);
        return finish<Ftz, false>(a != a ? a : result);
    }
};
template <bool Ftz>
struct HyperbolicTangent {
    static float apply(float a) { return finish<false, false>(static_cast<float>(std::tanh(static_cast<double>(a)))); }
};
// div.approx: for 2^126 < |b| < 2^128 the hardware gives 0 (or NaN for an infinite a); div.full covers the whole range.
template <bool Ftz>
struct ApproximateDivision {
    static float apply(float x, float y) {
        const float a = flushed<Ftz>(x), b = flushed<Ftz>(y);
        const float magnitude = std::fabs(b);
        const bool huge = (magnitude > 0x1p126f) & (magnitude <= 0x1.fffffep127f);
        const float quotient = finish<Ftz, false>(a / b);
        const float zero = std::signbit(a) != std::signbit(b) ? -0.0f : 0.0f;
        const float when_huge = std::fabs(a) <= 0x1.fffffep127f ? zero : quiet_nan<float>();
        return huge ? when_huge : quotient;
    }
};
template <bool Ftz>
struct FullDivision {
    static float apply(float a, float b) { return finish<Ftz, false>(flushed<Ftz>(a) / flushed<Ftz>(b)); }
};

// The double-precision approximations with .ftz look at and give only the upper 32 bits; subnormals count as zero.
inline double upper_half(double value) {
    return bits_double(double_bits(value) & 0xffffffff00000000u);
}
inline double flushed_double(double value) {
    const uint64_t bits = double_bits(value);
    return bits_double((bits & 0x7ff0000000000000u) == 0 ? bits & 0x8000000000000000u : bits);
}
struct CoarseReciprocal {
    static double apply(double a) {
        const double result = flushed_double(upper_half(1.0 / flushed_double(upper_half(a))));
        return result != result ? bits_double(0x7fffffff00000000u) : result;
    }
};
struct CoarseReciprocalRoot {
    static double apply(double a) {
        const double result = flushed_double(upper_half(1.0 / std::sqrt(flushed_double(upper_half(a)))));
        return result != result ? bits_double(0x7fffffff00000000u) : result;
    }
};

struct FineReciprocalRoot {
    static double apply(double a) { return nan_of(1.0 / std::sqrt(a), a); }
};

template <template <bool> class Op>
Handlers unary(bool ftz) {
    return ftz ? make_lanewise<Op<true>, float, float>() : make_lanewise<Op<false>, float, float>();
}
template <template <bool> class Op>
Handlers binary(bool ftz) {
    return ftz ? make_lanewise<Op<true>, float, float, float>() : make_lanewise<Op<false>, float, float, float>();
}

}  // namespace

Handlers select_approximate(Form& form) {
    const bool full = form.take(Modifier::full);
    if (!form.take(Modifier::approx) && !full) return {};
    const bool ftz = form.take(Modifier::ftz);
    const ScalarType type = form.take_type();
    if (type == ScalarType::f64) {
        if (form.opcode == Opcode::rcp && ftz) return make_lanewise<CoarseReciprocal, double, double>();
        if (form.opcode == Opcode::rsqrt) {
            return ftz ? make_lanewise<CoarseReciprocalRoot, double, double>()
                       : make_lanewise<FineReciprocalRoot, double, double>();
        }
        return {};
    }
    if (type != ScalarType::f32) return {};
    if (full) return form.opcode == Opcode::div ? binary<FullDivision>(ftz) : Handlers{};
    switch (form.opcode) {
        case Opcode::rcp:
            return unary<Reciprocal>(ftz);
        case Opcode::rsqrt:
            return unary<ReciprocalRoot>(ftz);
        case Opcode::sqrt:
            return unary<Root>(ftz);
        case Opcode::sin:
            return unary<Sine>(ftz);
        case Opcode::cos:
            return unary<Cosine>(ftz);
        case Opcode::lg2:
            return unary<Logarithm2>(ftz);
        case Opcode::ex2:
            return unary<Exponential2>(ftz);
        case Opcode::tanh:
            return unary<HyperbolicTangent>(ftz);
        case Opcode::div:
            return binary<ApproximateDivision>(ftz);
        default:
            return {};
    }
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
