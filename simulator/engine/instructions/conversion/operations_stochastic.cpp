// cvt.rs: floats rounded up or down by random bits. Source: PTX ISA 9.2, 9.7.9.22; how numbers share the bits of a
// register, which it leaves open: docs/simulator.md, Narrow formats.
#include "engine/execution/lanes.hpp"
#include "engine/instructions/conversion/narrow_formats.hpp"
#include "engine/instructions/floating_point/float_aux.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

struct Half {
    static constexpr int fraction_bits = 10, bias = 15, random_bits = 13;
    static constexpr uint32_t infinity = 0x7c00;
};
struct Bfloat {
    static constexpr int fraction_bits = 7, bias = 127, random_bits = 16;
    static constexpr uint32_t infinity = 0x7f80;
};

template <class F>
struct ToHalves {
    static constexpr bool uses_aux = true;
    static uint32_t one(uint32_t aux, float value, uint32_t random) {
        const uint32_t bits = float_bits(value), magnitude = bits & 0x7fffffff;
        const uint32_t encoded =
            to_stochastic<F::fraction_bits, F::bias, F::random_bits>(magnitude, random & ((1u << F::random_bits) - 1));
        const uint32_t limit = F::infinity - ((aux & float_aux::finite) != 0 ? 1 : 0);
        const bool cleared = (aux & float_aux::relu) != 0 && bits >> 31 != 0;
        const uint32_t number = cleared ? 0 : std::min(encoded, limit) | (bits >> 16 & 0x8000);
        return magnitude > 0x7f800000 ? 0x7fff : number;
    }
    static uint32_t apply(uint32_t aux, float a, float b, uint32_t random) {
        return one(aux, a, random >> 16) << 16 | one(aux, b, random);
    }
};

constexpr uint32_t reversed(uint32_t half) {
    half = (half & 0x5555) << 1 | (half >> 1 & 0x5555);
    half = (half & 0x3333) << 2 | (half >> 2 & 0x3333);
    half = (half & 0x0f0f) << 4 | (half >> 4 & 0x0f0f);
    return (half & 0x00ff) << 8 | half >> 8;
}

// Sixteen random bits for two numbers: the second takes them as they are, the first from last to first.
template <class F>
inline uint32_t two(uint32_t aux, float first, float second, uint32_t random) {
    const bool relu = (aux & float_aux::relu) != 0;
    return to_narrow_stochastic<F>(first, reversed(random), relu) << F::slot |
           to_narrow_stochastic<F>(second, random, relu);
}
template <class F>
struct ToNarrow {
    static constexpr bool uses_aux = true;
    static uint32_t apply(uint32_t aux, float a, float b, float e, float f, uint32_t random) {
        // Of e2m1 the upper bytes of both halves are for a and b, the lower ones for e and f; else the halves.
        const uint32_t upper = F::slot == 4 ? (random >> 16 & 0xff00) | (random >> 8 & 0xff) : random >> 16;
        const uint32_t lower = F::slot == 4 ? (random >> 8 & 0xff00) | (random & 0xff) : random & 0xffff;
        return two<F>(aux, a, b, upper) << 2 * F::slot | two<F>(aux, e, f, lower);
    }
};
template <class F>
Handlers to_four() {
    return make_lanewise<ToNarrow<F>, uint32_t, float, float, float, float, uint32_t>();
}

}  // namespace

Handlers select_convert_stochastic(Form& form) {
    if (form.opcode != Opcode::cvt || !form.take(Modifier::rs)) return {};
    const ScalarType to = form.take_type();
    if (form.take_type() != ScalarType::f32) return {};
    form.take(Modifier::relu);
    form.take(Modifier::satfinite);
    switch (to) {
        case ScalarType::f16x2:
            return make_lanewise<ToHalves<Half>, uint32_t, float, float, uint32_t>();
        case ScalarType::bf16x2:
            return make_lanewise<ToHalves<Bfloat>, uint32_t, float, float, uint32_t>();
        case ScalarType::e4m3x4:
            return to_four<E4m3>();
        case ScalarType::e5m2x4:
            return to_four<E5m2>();
        case ScalarType::e2m3x4:
            return to_four<E2m3>();
        case ScalarType::e3m2x4:
            return to_four<E3m2>();
        case ScalarType::e2m1x4:
            return to_four<E2m1>();
        default:
            return {};
    }
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
