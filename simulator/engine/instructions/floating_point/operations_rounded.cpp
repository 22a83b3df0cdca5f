// Arithmetic rounded towards zero, down or up. Source: PTX ISA 9.0, 9.7.3.
//
// The processor's rounding mode is set around each loop, so results are exact in every case. This file is compiled
// with -frounding-math: nothing is folded at compile time.
#include <cfenv>
#include <cmath>

#include "engine/execution/lanes.hpp"
#include "engine/instructions/floating_point/float_aux.hpp"
#include "engine/instructions/floating_point/floating.hpp"
#include "engine/instructions/floating_point/host_rounding.hpp"
#include "engine/instructions/floating_point/mixed.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

class RoundingScope {
public:
    explicit RoundingScope(uint32_t aux) { std::fesetround(host_rounding(aux)); }
    ~RoundingScope() { std::fesetround(FE_TONEAREST); }
    RoundingScope(const RoundingScope&) = delete;
    RoundingScope& operator=(const RoundingScope&) = delete;
};

struct RoundedAdd {
    template <class T>
    static T apply(T a, T b) {
        return nan_of(a + b, b, a);
    }
};
struct RoundedSub {
    template <class T>
    static T apply(T a, T b) {
        return nan_of(a - b, b, a);
    }
};
struct RoundedMul {
    template <class T>
    static T apply(T a, T b) {
        return nan_of(a * b, b, a);
    }
};
struct RoundedFma {
    template <class T>
    static T apply(T a, T b, T c) {
        return nan_of(std::fma(a, b, c), b, c, a);
    }
};
struct RoundedDiv {
    template <class T>
    static T apply(T a, T b) {
        return nan_of(a / b, a, b);
    }
};
struct RoundedRcp {
    template <class T>
    static T apply(T a) {
        return T{1} / a;
    }
};
struct RoundedSqrt {
    template <class T>
    static T apply(T a) {
        return std::sqrt(a);
    }
};

// Each lane's register holds one number, or two floats (.f32x2).
template <class Op, bool Ftz, bool Sat, unsigned PerLane, class T, class... S, size_t... I>
inline void rounded_body(Warp& warp, const Instruction* at, std::index_sequence<I...>) {
    T* const target = warp.row<T>(at->operand[0]);
    alignas(64) T results[PerLane * lanes_per_warp];
    {
        const RoundingScope scope(at->aux);
        [&](const S*... source) {
            for (unsigned k = 0; k < PerLane * lanes_per_warp; ++k) {
                results[k] = Op::apply(flushed<Ftz>(source[k])...);
            }
        }(warp.row<const S>(at->operand[1 + I])...);
        // The compiler does not know of the mode: the results must be in memory before it changes back.
        __asm__ __volatile__("" : : "r"(results) : "memory");
    }
    for_each_lane(warp.active, [&](unsigned lane) {
        for (unsigned k = PerLane * lane; k < PerLane * (lane + 1); ++k)
            target[k] = finish<Ftz, Sat>(results[k]);
    });
}

template <class Op, bool Ftz, bool Sat, unsigned PerLane, class T, class... S>
const Instruction* rounded(Warp& warp, const Instruction* at) {
    rounded_body<Op, Ftz, Sat, PerLane, T, S...>(warp, at, std::index_sequence_for<S...>{});
    return at + 1;
}

template <class Op, class T, class... S>
Handlers with_flags(bool ftz, bool sat) {
    if constexpr (std::is_same_v<T, double>) {
        return ftz || sat ? Handlers{} : both(&rounded<Op, false, false, 1, T, S...>);
    } else {
        if (ftz) return sat ? both(&rounded<Op, true, true, 1, T, S...>) : both(&rounded<Op, true, false, 1, T, S...>);
        return sat ? both(&rounded<Op, false, true, 1, T, S...>) : both(&rounded<Op, false, false, 1, T, S...>);
    }
}

template <class T>
Handlers select_for(Form& form) {
    const bool ftz = form.take(Modifier::ftz);
    const bool sat = form.take(Modifier::sat);
    switch (form.opcode) {
        case Opcode::add:
            return with_flags<RoundedAdd, T, T, T>(ftz, sat);
        case Opcode::sub:
            return with_flags<RoundedSub, T, T, T>(ftz, sat);
        case Opcode::mul:
            return with_flags<RoundedMul, T, T, T>(ftz, sat);
        case Opcode::fma:
        case Opcode::mad:
            return with_flags<RoundedFma, T, T, T, T>(ftz, sat);
        case Opcode::div:
            return sat ? Handlers{} : with_flags<RoundedDiv, T, T, T>(ftz, false);
        case Opcode::rcp:
            return sat ? Handlers{} : with_flags<RoundedRcp, T, T>(ftz, false);
        case Opcode::sqrt:
            return sat ? Handlers{} : with_flags<RoundedSqrt, T, T>(ftz, false);
        default:
            return {};
    }
}

template <class Op, class... S>
Handlers pairs(bool ftz) {
    return ftz ? both(&rounded<Op, true, false, 2, float, S...>) : both(&rounded<Op, false, false, 2, float, S...>);
}
Handlers select_pairs(Form& form) {
    const bool ftz = form.take(Modifier::ftz);
    switch (form.opcode) {
        case Opcode::add:
            return pairs<RoundedAdd, float, float>(ftz);
        case Opcode::sub:
            return pairs<RoundedSub, float, float>(ftz);
        case Opcode::mul:
            return pairs<RoundedMul, float, float>(ftz);
        case Opcode::fma:
            return pairs<RoundedFma, float, float, float>(ftz);
        default:
            return {};
    }
}

template <class Op, class... S>
Handlers mixed(bool sat) {
    return sat ? both(&rounded<Op, false, true, 1, float, S..., float>)
               : both(&rounded<Op, false, false, 1, float, S..., float>);
}
template <class Widen>
Handlers select_mixed(Form& form) {
    const bool sat = form.take(Modifier::sat);
    switch (form.opcode) {
        case Opcode::add:
            return mixed<Mixed<RoundedAdd, Widen>, uint32_t>(sat);
        case Opcode::sub:
            return mixed<Mixed<RoundedSub, Widen>, uint32_t>(sat);
        case Opcode::fma:
            return mixed<Mixed<RoundedFma, Widen>, uint32_t, uint32_t>(sat);
        default:
            return {};
    }
}

}  // namespace

Handlers select_rounded(Form& form) {
    if (!form.take(Modifier::rz) && !form.take(Modifier::rm) && !form.take(Modifier::rp)) return {};
    if (form.type_count == 2) {
        if (form.take_type() != ScalarType::f32) return {};
        return form.take_type() == ScalarType::f16 ? select_mixed<WidenHalf>(form) : select_mixed<WidenBfloat>(form);
    }
    switch (form.take_type()) {
        case ScalarType::f32:
            return select_for<float>(form);
        case ScalarType::f64:
            return select_for<double>(form);
        case ScalarType::f32x2:
            return select_pairs(form);
        default:
            return {};
    }
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
