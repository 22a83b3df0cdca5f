// cvt to and from pairs of e4m3, e5m2, e2m3, e3m2, e2m1, ue8m0 and s2f6, without random bits
// (operations_stochastic.cpp). Source: PTX ISA 9.2, 9.7.9.22; what it leaves open: docs/simulator.md, Narrow formats.
#include <cmath>

#include "engine/execution/lanes.hpp"
#include "engine/instructions/conversion/narrow_formats.hpp"
#include "engine/instructions/floating_point/float_aux.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

bool relu(uint32_t aux) {
    return (aux & float_aux::relu) != 0;
}

// How a pair lies in a register of 32 bits: the first operand, or the upper half of a packed one, above the other.
struct Halves {
    static float upper(uint32_t pair) { return half_to_float(static_cast<uint16_t>(pair >> 16)); }
    static float lower(uint32_t pair) { return half_to_float(static_cast<uint16_t>(pair)); }
};
struct Bfloats {
    static float upper(uint32_t pair) { return bits_float(pair & 0xffff0000); }
    static float lower(uint32_t pair) { return bits_float(pair << 16); }
};

// Convert::apply(aux, value) gives the bits of one number, which takes Convert::slot of them.
template <class Convert>
struct FloatsTo {
    static constexpr bool uses_aux = true;
    static uint32_t apply(uint32_t aux, float a, float b) {
        return Convert::apply(aux, a) << Convert::slot | Convert::apply(aux, b);
    }
};
template <class Convert, class Pair>
struct PairTo {
    static constexpr bool uses_aux = true;
    static uint32_t apply(uint32_t aux, uint32_t pair) {
        return FloatsTo<Convert>::apply(aux, Pair::upper(pair), Pair::lower(pair));
    }
};
template <class Convert>
Handlers from_numbers(ScalarType from) {
    switch (from) {
        case ScalarType::f32:
            return make_lanewise<FloatsTo<Convert>, uint32_t, float, float>();
        case ScalarType::f16x2:
            return make_lanewise<PairTo<Convert, Halves>, uint32_t, uint32_t>();
        case ScalarType::bf16x2:
            return make_lanewise<PairTo<Convert, Bfloats>, uint32_t, uint32_t>();
        default:
            return {};
    }
}

template <class F>
struct ToNarrow {
    static constexpr int slot = F::slot;
    static uint32_t apply(uint32_t aux, float value) { return to_narrow<F>(value, relu(aux)); }
};

// Powers of two from 2^-127 to 2^127, without a sign; 0xff is NaN.
struct ToExponent {
    static constexpr int slot = 8;
    static uint32_t apply(uint32_t aux, float value) {
        const uint32_t magnitude = float_bits(value) & 0x7fffffff;
        constexpr uint32_t infinity = 0x7f800000, smallest = 0x00400000;  // 2^-127, a subnormal float
        const bool up = (aux & float_aux::rounding_mask) == float_aux::up && magnitude > smallest &&
                        magnitude < infinity && (magnitude & 0x7fffff) != 0;
        const uint32_t exponent = (magnitude >> 23) + (up ? 1 : 0);
        const bool bounded = (aux & float_aux::finite) != 0 && magnitude <= infinity;
        return bounded ? std::min(exponent, 0xfeu) : exponent;
    }
};

// Two to the exponent that a ue8m0 holds. NaN where that is NaN.
double scale_factor(uint32_t bits) {
    return bits == 0xff ? bits_double(0x7ff8000000000000) : bits_double(static_cast<uint64_t>(bits + 1023 - 127) << 52);
}

// Fixed point in two's complement, 6 bits of it behind the point. NaN gives the largest number.
uint32_t to_fixed(double value, bool without_negative) {
    const double number = without_negative && value < 0 ? 0 : std::nearbyint(value * 64);
    return static_cast<uint32_t>(static_cast<int32_t>(number < 127 ? (number > -128 ? number : -128) : 127)) & 0xff;
}
double from_fixed(uint32_t bits) {
    return static_cast<double>(static_cast<int8_t>(bits)) / 64;
}

struct ToFixed {
    static constexpr int slot = 8;
    static uint32_t apply(uint32_t aux, float value) { return to_fixed(static_cast<double>(value), relu(aux)); }
};
struct FloatsToFixedScaled {
    static constexpr bool uses_aux = true;
    static uint32_t apply(uint32_t aux, float a, float b, uint32_t scales) {
        return to_fixed(static_cast<double>(a) / scale_factor(scales >> 8 & 0xff), relu(aux)) << 8 |
               to_fixed(static_cast<double>(b) / scale_factor(scales & 0xff), relu(aux));
    }
};
struct BfloatsToFixedScaled {
    static constexpr bool uses_aux = true;
    static uint32_t apply(uint32_t aux, uint32_t pair, uint32_t scales) {
        return FloatsToFixedScaled::apply(aux, Bfloats::upper(pair), Bfloats::lower(pair), scales);
    }
};

// --- to pairs of halves ---

// A number, its NaN apart; all but the infinity of e5m2 are finite.
template <class F>
struct FromNarrow {
    static constexpr int slot = F::slot;
    static bool is_nan(uint32_t bits) { return is_narrow_nan<F>(bits & ((1u << (F::width - 1)) - 1)); }
    static float value(uint32_t bits) {
        if constexpr (F::bias == 15) {
            const float infinity = bits_float(0x7f800000 | (bits & 0x80) << 24);
            return (bits & 0x7f) == 0x7c ? infinity : from_narrow<F>(bits);
        } else {
            return from_narrow<F>(bits);
        }
    }
    // Every number of these formats is one of f16, and a normal one but for e5m2's smallest.
    static uint32_t half(uint32_t bits) {
        if constexpr (F::bias == 15) {
            return (bits & 0xff) << 8;
        } else {
            const uint32_t wide = float_bits(from_narrow<F>(bits)), magnitude = wide & 0x7fffffff;
            return (magnitude == 0 ? 0 : (magnitude >> 13) - (112u << 10)) | (wide >> 16 & 0x8000);
        }
    }
};
struct FromFixed {
    static constexpr int slot = 8;
    static bool is_nan(uint32_t) { return false; }
    static float value(uint32_t bits) { return static_cast<float>(from_fixed(bits)); }
};

template <class Number>
struct ToHalves {
    static constexpr bool uses_aux = true;
    static uint32_t one(uint32_t aux, uint32_t bits) {
        const uint32_t half = Number::half(bits);
        if (Number::is_nan(bits)) return 0x7fff;
        return relu(aux) && (half & 0x8000) != 0 ? 0 : half;
    }
    static uint32_t apply(uint32_t aux, uint32_t pair) {
        return one(aux, pair >> Number::slot) << 16 | one(aux, pair & ((1u << Number::slot) - 1));
    }
};

// All these numbers are numbers of bf16, and only the infinity of e5m2 is not finite.
template <class Number>
struct ToBfloats {
    static constexpr bool uses_aux = true;
    static uint32_t one(uint32_t aux, uint32_t bits) {
        const uint32_t bfloat = float_bits(Number::value(bits)) >> 16;
        if (Number::is_nan(bits)) return 0x7fff;
        if (relu(aux) && (bfloat & 0x8000) != 0) return 0;
        return (aux & float_aux::finite) != 0 && (bfloat & 0x7fff) == 0x7f80 ? bfloat - 1 : bfloat;
    }
    static uint32_t apply(uint32_t aux, uint32_t pair) {
        return one(aux, pair >> Number::slot & ((1u << Number::slot) - 1)) << 16 |
               one(aux, pair & ((1u << Number::slot) - 1));
    }
};
// Multiplied by a factor each, and rounded once.
template <class Number>
struct ToBfloatsScaled {
    static constexpr bool uses_aux = true;
    static uint32_t one(uint32_t aux, uint32_t bits, uint32_t scale) {
        const double product = static_cast<double>(Number::value(bits)) * scale_factor(scale);
        if (Number::is_nan(bits) || product != product) return 0x7fff;
        if (relu(aux) && std::signbit(product)) return 0;
        return double_to_bfloat(product, Rounding::nearest, (aux & float_aux::finite) != 0);
    }
    static uint32_t apply(uint32_t aux, uint32_t pair, uint32_t scales) {
        return one(aux, pair >> Number::slot & ((1u << Number::slot) - 1), scales >> 8 & 0xff) << 16 |
               one(aux, pair & ((1u << Number::slot) - 1), scales & 0xff);
    }
};
template <class Number>
Handlers to_bfloats(bool scaled) {
    return scaled ? make_lanewise<ToBfloatsScaled<Number>, uint32_t, uint32_t, uint32_t>()
                  : make_lanewise<ToBfloats<Number>, uint32_t, uint32_t>();
}

struct ExponentsToBfloats {
    static uint32_t one(uint32_t bits) {
        if (bits == 0xff) return 0x7fff;
        return bits == 0 ? 0x0040 : bits << 7;  // 2^-127 is a subnormal bf16
    }
    static uint32_t apply(uint32_t pair) { return one(pair >> 8 & 0xff) << 16 | one(pair & 0xff); }
};

Handlers select_to_halves(ScalarType from) {
    switch (from) {
        case ScalarType::e4m3x2:
            return make_lanewise<ToHalves<FromNarrow<E4m3>>, uint32_t, uint32_t>();
        case ScalarType::e5m2x2:
            return make_lanewise<ToHalves<FromNarrow<E5m2>>, uint32_t, uint32_t>();
        case ScalarType::e2m3x2:
            return make_lanewise<ToHalves<FromNarrow<E2m3>>, uint32_t, uint32_t>();
        case ScalarType::e3m2x2:
            return make_lanewise<ToHalves<FromNarrow<E3m2>>, uint32_t, uint32_t>();
        case ScalarType::e2m1x2:
            return make_lanewise<ToHalves<FromNarrow<E2m1>>, uint32_t, uint32_t>();
        default:
            return {};
    }
}
Handlers select_to_bfloats(ScalarType from, bool scaled) {
    switch (from) {
        case ScalarType::e4m3x2:
            return to_bfloats<FromNarrow<E4m3>>(scaled);
        case ScalarType::e5m2x2:
            return to_bfloats<FromNarrow<E5m2>>(scaled);
        case ScalarType::e2m3x2:
            return to_bfloats<FromNarrow<E2m3>>(scaled);
        case ScalarType::e3m2x2:
            return to_bfloats<FromNarrow<E3m2>>(scaled);
        case ScalarType::e2m1x2:
            return to_bfloats<FromNarrow<E2m1>>(scaled);
        case ScalarType::s2f6x2:
            return to_bfloats<FromFixed>(scaled);
        case ScalarType::ue8m0x2:
            return make_lanewise<ExponentsToBfloats, uint32_t, uint32_t>();
        default:
            return {};
    }
}
Handlers select_to_fixed(ScalarType from, bool scaled) {
    if (!scaled) return from_numbers<ToFixed>(from);
    return from == ScalarType::f32 ? make_lanewise<FloatsToFixedScaled, uint32_t, float, float, uint32_t>()
                                   : make_lanewise<BfloatsToFixedScaled, uint32_t, uint32_t, uint32_t>();
}

}  // namespace

Handlers select_convert_narrow(Form& form) {
    if (form.opcode != Opcode::cvt) return {};
    const ScalarType to = form.take_type(), from = form.take_type();
    for (const Modifier honoured : {Modifier::rn, Modifier::rz, Modifier::rp, Modifier::relu, Modifier::satfinite})
        form.take(honoured);
    const bool scaled = form.take(Modifier::scaled);
    switch (to) {
        case ScalarType::e4m3x2:
            return from_numbers<ToNarrow<E4m3>>(from);
        case ScalarType::e5m2x2:
            return from_numbers<ToNarrow<E5m2>>(from);
        case ScalarType::e2m3x2:
            return from_numbers<ToNarrow<E2m3>>(from);
        case ScalarType::e3m2x2:
            return from_numbers<ToNarrow<E3m2>>(from);
        case ScalarType::e2m1x2:
            return from_numbers<ToNarrow<E2m1>>(from);
        case ScalarType::ue8m0x2:
            return from_numbers<ToExponent>(from);
        case ScalarType::s2f6x2:
            return select_to_fixed(from, scaled);
        case ScalarType::f16x2:
            return select_to_halves(from);
        case ScalarType::bf16x2:
            return select_to_bfloats(from, scaled);
        default:
            return {};
    }
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
