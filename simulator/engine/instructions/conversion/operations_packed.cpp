// cvt to tf32, and cvt.pack. Source: PTX ISA 9.2, 9.7.9.22, 9.7.9.23.
#include "engine/execution/lanes.hpp"
#include "engine/instructions/floating_point/float_aux.hpp"
#include "engine/instructions/floating_point/floating.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

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
    if (to != ScalarType::tf32 || from != ScalarType::f32) return {};
    form.take(Modifier::relu);
    form.take(Modifier::satfinite);
    if (form.take(Modifier::rna)) return make_lanewise<ToTensorFloat<TensorRounding::away>, uint32_t, uint32_t>();
    if (form.take(Modifier::rn)) return make_lanewise<ToTensorFloat<TensorRounding::even>, uint32_t, uint32_t>();
    return form.take(Modifier::rz) ? make_lanewise<ToTensorFloat<TensorRounding::zero>, uint32_t, uint32_t>()
                                   : Handlers{};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
