// Loops over the lanes of a warp, written so that the compiler turns them into vector code. Included only by the
// sources that are compiled once per instruction set; CUPRUM_BACKEND names the namespace of this copy.
#pragma once

#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "engine/execution/execution.hpp"
#include "engine/instructions/family.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace cuprum::simulator::CUPRUM_BACKEND {

// How a value of type T lies in a register: 16-bit values use the low half of a 32-bit element.
template <class T>
using Element =
    std::conditional_t<sizeof(T) == 8 || std::is_same_v<T, float>, T, std::conditional_t<sizeof(T) == 4, T, uint32_t>>;

template <class T>
inline __attribute__((always_inline)) Element<T> to_element(T value) {
    if constexpr (sizeof(T) < 4) {
        return static_cast<uint32_t>(static_cast<std::make_unsigned_t<T>>(value));
    } else {
        return value;
    }
}

alignas(64) inline constexpr uint32_t lane_bit[lanes_per_warp] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

// Before code that is compiled for every processor: its SSE instructions wait for whatever the upper halves of the
// vector registers hold (three times the time of a barrier's loop was measured). The compiler clears them where a
// function ends with them in use, but not in every such function.
inline __attribute__((always_inline)) void leave_wide_vectors() {
#if defined(__AVX__)
    _mm256_zeroupper();
#endif
}

// One bit per lane from one all-ones or all-zeros word per lane (64-byte aligned).
inline __attribute__((always_inline)) uint32_t pack(const uint32_t* lanes) {
#if defined(__AVX512DQ__)
    return _mm512_movepi32_mask(_mm512_load_si512(lanes)) |
           static_cast<uint32_t>(_mm512_movepi32_mask(_mm512_load_si512(lanes + 16))) << 16;
#elif defined(__AVX2__)
    uint32_t bits = 0;
    for (unsigned part = 0; part < 4; ++part) {
        const __m256 words = _mm256_load_ps(reinterpret_cast<const float*>(lanes + 8 * part));
        bits |= static_cast<uint32_t>(_mm256_movemask_ps(words)) << (8 * part);
    }
    return bits;
#elif defined(__SSE2__)
    uint32_t bits = 0;
    for (unsigned part = 0; part < 8; ++part) {
        const __m128 words = _mm_load_ps(reinterpret_cast<const float*>(lanes + 4 * part));
        bits |= static_cast<uint32_t>(_mm_movemask_ps(words)) << (4 * part);
    }
    return bits;
#else
    uint32_t bits = 0;
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        bits |= lanes[lane] & lane_bit[lane];
    }
    return bits;
#endif
}

inline __attribute__((always_inline)) void expand(uint32_t bits, uint32_t* lanes) {
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        lanes[lane] = (bits & lane_bit[lane]) != 0 ? ~0u : 0u;
    }
}

inline __attribute__((always_inline)) void set_predicate(Warp& warp, uint32_t offset, uint32_t bits) {
    uint32_t& word = warp.predicate(offset);
    word = (word & ~warp.active) | (bits & warp.active);
}

// operand[0] = Op::apply(operand[1], ...), lane by lane. Op::apply takes the instruction's aux first if Op::uses_aux.
template <bool Partial, class Op, class D, class... S, size_t... I>
inline __attribute__((always_inline)) void lanewise_body(Warp& warp, const Instruction* at, std::index_sequence<I...>) {
    Element<D>* const target = warp.row<Element<D>>(at->operand[0]);
    const uint32_t* const mask = warp.mask;
    const uint32_t aux = at->aux;
    [&](const Element<S>*... source) {
#pragma GCC ivdep
        for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
            D value;
            if constexpr (requires { Op::uses_aux; }) {
                value = Op::apply(aux, static_cast<S>(source[lane])...);
            } else {
                value = Op::apply(static_cast<S>(source[lane])...);
            }
            if constexpr (Partial) {
                target[lane] = mask[lane] != 0 ? to_element<D>(value) : target[lane];
            } else {
                target[lane] = to_element<D>(value);
            }
        }
    }(warp.row<const Element<S>>(at->operand[1 + I])...);
    (void)aux;
    (void)mask;
}

template <bool Partial, class Op, class D, class... S>
const Instruction* lanewise(Warp& warp, const Instruction* at) {
    lanewise_body<Partial, Op, D, S...>(warp, at, std::index_sequence_for<S...>{});
    return at + 1;
}

template <class Op, class D, class... S>
Handlers make_lanewise() {
    return {{&lanewise<false, Op, D, S...>, &lanewise<true, Op, D, S...>}};
}

// The same body for both cases: for instructions that look at the active lanes themselves.
inline Handlers both(Handler handler) {
    return {{handler, handler}};
}

// An instruction's handler that is compiled for every processor.
template <Handler Common>
const Instruction* common(Warp& warp, const Instruction* at) {
    leave_wide_vectors();
    return Common(warp, at);
}

template <class Visit>
inline __attribute__((always_inline)) void for_each_lane(uint32_t lanes, Visit&& visit) {
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        visit(static_cast<unsigned>(__builtin_ctz(rest)));
    }
}

// --- selection ---

// Of the first that takes all of the form: then `form` has nothing left.
using Selection = Handlers (*)(Form& form);
inline Handlers first_of(Form& form, std::initializer_list<Selection> selections) {
    for (const Selection selection : selections) {
        Form attempt = form;
        if (const Handlers handlers = selection(attempt); handlers && attempt.exhausted()) {
            form = attempt;
            return handlers;
        }
    }
    return {};
}

// A family's operations; each function returns nothing where the form or the name is not its family's.
struct Operations {
    Selection of_form = nullptr;
    Handlers (*of_control)(Control which) = nullptr;
};
template <Family family>
Operations operations();  // in instructions/<family>/operations.cpp

Handlers check_control(Control which);              // checks/operations.cpp
Handler joined_with_branch(const Instruction* at);  // comparison/operations.cpp

}  // namespace cuprum::simulator::CUPRUM_BACKEND
