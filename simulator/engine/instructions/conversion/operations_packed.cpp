// cvt to and from tf32 and the eight-bit formats e4m3 and e5m2, and cvt.pack. Source: PTX ISA 9.0, 9.7.9.21, 9.7.9.22,
// and the OCP's 8-bit floating point specification for the formats.
#include <cmath>

#include "engine/execution/lanes.hpp"
#include "engine/instructions/floating_point/float_aux.hpp"
#include "engine/instructions/floating_point/floating.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

// e4m3 has no infinity: its largest exponent holds numbers but for 0x7f, which is NaN.
struct E4m3 {
    static constexpr int fraction_bits = 3, bias = 7;
    static constexpr uint32_t largest = 0x7e, nan = 0x7f;
    static constexpr bool has_infinity = false;
};
struct E5m2 {
    static constexpr int fraction_bits = 2, bias = 15;
    static constexpr uint32_t largest = 0x7b, nan = 0x7f;
    static constexpr bool has_infinity = true;
};

// To the nearest, ties to even; beyond the largest number, infinity included, gives the largest (.satfinite).
template <class F>
inline uint32_t to_eight_bits(double value, bool relu) {
    if (value != value) return F::nan;
    if (relu && std::signbit(value)) return 0;
    const uint32_t sign = std::signbit(value) ? 0x80 : 0;
    const double magnitude = std::fabs(value);
    const double largest =
        std::ldexp(static_cast<double>((1 << F::fraction_bits) + (F::largest & ((1 << F::fraction_bits) - 1))),
                   static_cast<int>(F::largest >> F::fraction_bits) - F::bias - F::fraction_bits);
    if (magnitude == 0) return sign;
    if (magnitude >= largest) return sign | F::largest;
    // The unit in the last place: of the smallest exponent for subnormal numbers.
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    const int place = (exponent - 1 < 1 - F::bias ? 1 - F::bias : exponent - 1) - F::fraction_bits;
    const double steps =
        std::nearbyint(std::ldexp(magnitude, -place));         // a carry into the next exponent encodes itself
    const int below = place + F::fraction_bits + F::bias - 1;  // exponents under this one, 0 for subnormal
    return sign | static_cast<uint32_t>(static_cast<int>(steps) + below * (1 << F::fraction_bits));
}

template <class F>
inline uint16_t from_eight_bits(uint32_t bits, bool relu) {
    const uint32_t magnitude = bits & 0x7f;
    const bool negative = (bits & 0x80) != 0;
    const auto sign = static_cast<uint16_t>(negative ? 0x8000 : 0);
    const bool is_nan = F::has_infinity ? magnitude > 0x7c : magnitude == F::nan;
    if (is_nan) return 0x7fff;
    if (relu && negative) return 0;
    if (F::has_infinity && magnitude == 0x7c) return static_cast<uint16_t>(sign | 0x7c00);
    const int exponent = static_cast<int>(magnitude >> F::fraction_bits);
    const auto fraction = static_cast<double>(magnitude & ((1u << F::fraction_bits) - 1));
    const double one = 1 << F::fraction_bits;
    const double value = exponent == 0 ? std::ldexp(fraction, 1 - F::bias - F::fraction_bits)
                                       : std::ldexp(one + fraction, exponent - F::bias - F::fraction_bits);
    return static_cast<uint16_t>(sign | double_to_half(value));
}

// Of two floats the first goes to the upper byte.
template <class F>
struct FloatsToEight {
    static constexpr bool uses_aux = true;
    static uint32_t apply(uint32_t aux, float a, float b) {
        const bool relu = (aux & float_aux::relu) != 0;
        return to_eight_bits<F>(static_cast<double>(a), relu) << 8 | to_eight_bits<F>(static_cast<double>(b), relu);
    }
};
template <class F>
struct HalvesToEight {
    static constexpr bool uses_aux = true;
    static uint32_t apply(uint32_t aux, uint32_t a) {
        const bool relu = (aux & float_aux::relu) != 0;
        return to_eight_bits<F>(half_to_float(static_cast<uint16_t>(a >> 16)), relu) << 8 |
               to_eight_bits<F>(half_to_float(static_cast<uint16_t>(a)), relu);
    }
};
template <class F>
struct EightToHalves {
    static constexpr bool uses_aux = true;
    static uint32_t apply(uint32_t aux, uint32_t a) {
        const bool relu = (aux & float_aux::relu) != 0;
        return static_cast<uint32_t>(from_eight_bits<F>(a >> 8 & 0xff, relu)) << 16 |
               from_eight_bits<F>(a & 0xff, relu);
    }
};

template <class F>
Handlers to_eight(ScalarType from) {
    if (from == ScalarType::f32) return make_lanewise<FloatsToEight<F>, uint32_t, float, float>();
    return from == ScalarType::f16x2 ? make_lanewise<HalvesToEight<F>, uint32_t, uint32_t>() : Handlers{};
}

// tf32: the upper 19 bits of a float. rna rounds ties away from zero.
enum class TensorRounding : uint8_t { away, even, zero };
template <TensorRounding R>
struct ToTensorFloat {
    static constexpr bool uses_aux = true;
    static uint32_t apply(uint32_t aux, uint32_t bits) {
        constexpr uint32_t dropped = 0x1fff, half = 0x1000;
        const uint32_t magnitude = bits & 0x7fffffff;
        if (magnitude > 0x7f800000) {
            // rna looks at no NaN (as an H200): its payload is cut off like other bits.
            if (R != TensorRounding::away) return 0x7fffffff;
            return (bits & ~dropped) - ((aux & float_aux::finite) != 0 ? dropped + 1 : 0);
        }
        if ((aux & float_aux::relu) != 0 && (bits & 0x80000000) != 0) return 0;
        uint32_t rounded = magnitude;
        if (magnitude < 0x7f800000) {
            if (R == TensorRounding::away) rounded += half;
            if (R == TensorRounding::even) rounded += half - 1 + (magnitude >> 13 & 1);
            rounded &= ~dropped;
        }
        if ((aux & float_aux::finite) != 0 && rounded >= 0x7f800000) rounded = 0x7f7fe000;
        return (bits & 0x80000000) | rounded;
    }
};

// a and b saturated to so many bits each, a above b, and the low bits of c above both.
template <unsigned Bits, bool Signed>
struct Pack {
    static uint32_t saturated(int32_t value) {
        constexpr int32_t least = Signed ? -(1 << (Bits - 1)) : 0;
        constexpr int32_t most = Signed ? (1 << (Bits - 1)) - 1 : (1 << Bits) - 1;
        const int32_t kept = value < least ? least : value > most ? most : value;
        return static_cast<uint32_t>(kept) & ((1u << Bits) - 1);
    }
    static uint32_t apply(int32_t a, int32_t b, uint32_t c) {
        const uint32_t pair = saturated(a) << Bits | saturated(b);
        if constexpr (Bits == 16)
            return pair;
        else
            return c << (2 * Bits) | pair;
    }
};
template <unsigned Bits, bool Signed>
Handlers pack() {
    return make_lanewise<Pack<Bits, Signed>, uint32_t, int32_t, int32_t, uint32_t>();
}

Handlers select_pack(Form& form) {
    form.take(Modifier::sat);
    const ScalarType to = form.take_type();
    form.take_type();
    form.take_type();
    switch (to) {
        case ScalarType::u16:
            return pack<16, false>();
        case ScalarType::s16:
            return pack<16, true>();
        case ScalarType::u8:
            return pack<8, false>();
        case ScalarType::s8:
            return pack<8, true>();
        case ScalarType::u4:
            return pack<4, false>();
        case ScalarType::s4:
            return pack<4, true>();
        case ScalarType::u2:
            return pack<2, false>();
        case ScalarType::s2:
            return pack<2, true>();
        default:
            return {};
    }
}

}  // namespace

Handlers select_convert_packed(Form& form) {
    if (form.opcode != Opcode::cvt) return {};
    if (form.take(Modifier::pack)) return select_pack(form);
    const ScalarType to = form.take_type(), from = form.take_type();
    form.take(Modifier::relu);
    form.take(Modifier::satfinite);
    if (to == ScalarType::tf32) {
        if (form.take(Modifier::rna)) return make_lanewise<ToTensorFloat<TensorRounding::away>, uint32_t, uint32_t>();
        if (form.take(Modifier::rn)) return make_lanewise<ToTensorFloat<TensorRounding::even>, uint32_t, uint32_t>();
        return form.take(Modifier::rz) ? make_lanewise<ToTensorFloat<TensorRounding::zero>, uint32_t, uint32_t>()
                                       : Handlers{};
    }
    form.take(Modifier::rn);
    if (to == ScalarType::e4m3x2) return to_eight<E4m3>(from);
    if (to == ScalarType::e5m2x2) return to_eight<E5m2>(from);
    if (to != ScalarType::f16x2) return {};
    if (from == ScalarType::e4m3x2) return make_lanewise<EightToHalves<E4m3>, uint32_t, uint32_t>();
    return from == ScalarType::e5m2x2 ? make_lanewise<EightToHalves<E5m2>, uint32_t, uint32_t>() : Handlers{};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
