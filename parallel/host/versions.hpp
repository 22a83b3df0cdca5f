// Loops compiled twice on x86-64: for every processor, and for those with AVX2, whose vectors hold twice as many
// elements and which compare 64-bit integers in them. Both give the same bits: the compiler keeps the order of
// floating-point operations, and fused multiplication and addition is no part of AVX2.
#pragma once

#include <cstdlib>
#include <string_view>

namespace cuprum::parallel::host {

// Whether this processor has AVX2, and CUPRUM_HOST_AVX2 is not "off": the tests run the other loops with that.
inline bool uses_avx2() {
#if defined(__x86_64__)
    static const bool answer = [] {
        const char* const wish = std::getenv("CUPRUM_HOST_AVX2");
        return __builtin_cpu_supports("avx2") != 0 && (wish == nullptr || std::string_view(wish) != "off");
    }();
    return answer;
#else
    return false;
#endif
}

template <class Function>
struct Versions {
    Function any = nullptr;
#if defined(__x86_64__)
    Function avx2 = nullptr;
#endif

    // What this processor is to run; null where there is nothing.
    Function best() const {
#if defined(__x86_64__)
        if (uses_avx2()) return avx2;
#endif
        return any;
    }
};

namespace detail {
#if defined(__x86_64__)
template <auto function>
struct WithAvx2;
// Flattened: all that the loop calls becomes a part of it, and no function compiled so is called from elsewhere.
template <class... Arguments, void (*function)(Arguments...)>
struct WithAvx2<function> {
    [[gnu::target("avx2"), gnu::flatten]] static void run(Arguments... arguments) { function(arguments...); }
};
#endif
}  // namespace detail

// function: void(...).
template <auto function>
constexpr auto versions_of() {
#if defined(__x86_64__)
    return Versions<decltype(function)>{function, detail::WithAvx2<function>::run};
#else
    return Versions<decltype(function)>{function};
#endif
}

}  // namespace cuprum::parallel::host
