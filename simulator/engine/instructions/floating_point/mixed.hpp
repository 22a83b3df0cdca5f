// Mixed precision: a half or two that become floats, exactly, and an operation of floats on them (PTX ISA 9.2, 9.7.5).
// Part of the sources that are compiled once per instruction set.
#pragma once

#include "engine/instructions/half/half.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {

struct WidenHalf {
    static float apply(uint32_t bits) { return half_to_float(static_cast<uint16_t>(bits)); }
};
struct WidenBfloat {
    static float apply(uint32_t bits) { return bits_float(bits << 16); }
};

template <class Op, class Widen>
struct Mixed {
    static float apply(uint32_t a, float b) { return Op::apply(Widen::apply(a), b); }
    static float apply(uint32_t a, uint32_t b, float c) { return Op::apply(Widen::apply(a), Widen::apply(b), c); }
};

}  // namespace cuprum::simulator::CUPRUM_BACKEND
