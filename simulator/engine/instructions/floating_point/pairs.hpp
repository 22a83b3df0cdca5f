// Operations of .f32x2: each register holds two floats, one above the other (PTX ISA 9.2, 9.7.3). The registers of a
// warp are 64 floats in a row. Part of the sources that are compiled once per instruction set.
#pragma once

#include "engine/execution/lanes.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {

inline constexpr unsigned floats_per_warp = 2 * lanes_per_warp;

// operand[0] = Op::apply(operand[1], ...), float by float; S are as many floats as there are sources.
template <bool Partial, class Op, class... S, size_t... I>
inline __attribute__((always_inline)) void pairwise_body(Warp& warp, const Instruction* at, std::index_sequence<I...>) {
    auto* const target = warp.row<float>(at->operand[0]);
    [&](const S*... source) {
#pragma GCC ivdep
        for (unsigned k = 0; k < floats_per_warp; ++k) {
            const float value = Op::apply(source[k]...);
            target[k] = Partial && warp.mask[k / 2] == 0 ? target[k] : value;
        }
    }(warp.row<const S>(at->operand[1 + I])...);
}

template <bool Partial, class Op, class... S>
const Instruction* pairwise(Warp& warp, const Instruction* at) {
    pairwise_body<Partial, Op, S...>(warp, at, std::index_sequence_for<S...>{});
    return at + 1;
}

template <class Op, class... S>
Handlers make_pairwise() {
    return {{&pairwise<false, Op, S...>, &pairwise<true, Op, S...>}};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
