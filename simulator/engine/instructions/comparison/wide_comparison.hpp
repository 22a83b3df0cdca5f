// Comparisons of two rows with AVX-512, where their results are masks from the start. Part of the sources that are
// compiled once per instruction set.
#pragma once

#include "engine/execution/lanes.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {

enum class Test : uint8_t { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

#if defined(__AVX512DQ__)

template <class V>
inline constexpr bool has_wide_comparison =
    std::is_same_v<V, int32_t> || std::is_same_v<V, uint32_t> || std::is_same_v<V, int64_t> ||
    std::is_same_v<V, uint64_t> || std::is_same_v<V, float> || std::is_same_v<V, double>;

template <Test T>
constexpr int integer_predicate() {
    switch (T) {
        case Test::eq:
            return _MM_CMPINT_EQ;
        case Test::ne:
            return _MM_CMPINT_NE;
        case Test::lt:
            return _MM_CMPINT_LT;
        case Test::le:
            return _MM_CMPINT_LE;
        case Test::gt:
            return _MM_CMPINT_NLE;
        default:
            return _MM_CMPINT_NLT;
    }
}

// All quiet, as exceptions are not simulated. In the upper six a NaN makes the test true.
template <Test T>
constexpr int float_predicate() {
    switch (T) {
        case Test::eq:
            return _CMP_EQ_OQ;
        case Test::ne:
            return _CMP_NEQ_OQ;
        case Test::lt:
            return _CMP_LT_OQ;
        case Test::le:
            return _CMP_LE_OQ;
        case Test::gt:
            return _CMP_GT_OQ;
        case Test::ge:
            return _CMP_GE_OQ;
        case Test::equ:
            return _CMP_EQ_UQ;
        case Test::neu:
            return _CMP_NEQ_UQ;
        case Test::ltu:
            return _CMP_NGE_UQ;
        case Test::leu:
            return _CMP_NGT_UQ;
        case Test::gtu:
            return _CMP_NLE_UQ;
        case Test::geu:
            return _CMP_NLT_UQ;
        case Test::num:
            return _CMP_ORD_Q;
        default:
            return _CMP_UNORD_Q;
    }
}

// Of as many lanes as a vector holds, a bit each.
template <Test T, class V>
inline __attribute__((always_inline)) uint32_t compare_part(const V* a, const V* b) {
    if constexpr (std::is_same_v<V, int32_t>)
        return _mm512_cmp_epi32_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b), integer_predicate<T>());
    else if constexpr (std::is_same_v<V, uint32_t>)
        return _mm512_cmp_epu32_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b), integer_predicate<T>());
    else if constexpr (std::is_same_v<V, int64_t>)
        return _mm512_cmp_epi64_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b), integer_predicate<T>());
    else if constexpr (std::is_same_v<V, uint64_t>)
        return _mm512_cmp_epu64_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b), integer_predicate<T>());
    else if constexpr (std::is_same_v<V, float>)
        return _mm512_cmp_ps_mask(_mm512_loadu_ps(a), _mm512_loadu_ps(b), float_predicate<T>());
    else
        return _mm512_cmp_pd_mask(_mm512_loadu_pd(a), _mm512_loadu_pd(b), float_predicate<T>());
}

template <Test T, class V>
inline __attribute__((always_inline)) uint32_t compare_wide(const V* a, const V* b) {
    constexpr unsigned lanes = 64 / sizeof(V);
    uint32_t bits = 0;
    for (unsigned lane = 0; lane < lanes_per_warp; lane += lanes)
        bits |= compare_part<T>(a + lane, b + lane) << lane;
    return bits;
}

#else

template <class V>
inline constexpr bool has_wide_comparison = false;

#endif

}  // namespace cuprum::simulator::CUPRUM_BACKEND
