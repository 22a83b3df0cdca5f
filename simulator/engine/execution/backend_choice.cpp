// Picks the interpreter for the processor at hand.
#include <cstdlib>
#include <string_view>

#include "engine/execution/execution.hpp"

namespace cuprum::simulator {
namespace {

const Backend& choose_backend() {
#if defined(CUPRUM_HAS_WIDER_INTERPRETERS)
    // For tests: a copy that runs on more processors.
    const char* const variable = std::getenv("CUPRUM_SIM_INTERPRETER");
    const std::string_view wanted = variable != nullptr ? variable : "";
    __builtin_cpu_init();
    const bool has_v3 =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    const bool has_v4 = has_v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl");
    if (wanted == "baseline") return baseline_backend();
    if (has_v4 && wanted != "v3") return v4_backend();
    if (has_v3) return v3_backend();
#endif
    return baseline_backend();
}

}  // namespace

const Backend& backend() {
    static const Backend& chosen = choose_backend();
    return chosen;
}

}  // namespace cuprum::simulator
