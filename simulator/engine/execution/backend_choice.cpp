// Picks the interpreter for the processor at hand.
#include <cstdlib>
#include <string_view>

#include "engine/execution/execution.hpp"

namespace cuprum::simulator {

const Backend& backend() {
    // For tests: the copy that runs on every processor.
    static const bool baseline_only = [] {
        const char* const wanted = std::getenv("CUPRUM_SIM_INTERPRETER");
        return wanted != nullptr && std::string_view(wanted) == "baseline";
    }();
    if (baseline_only) return baseline_backend();
#if defined(CUPRUM_HAS_V3_INTERPRETER)
    static const bool has_v3 = [] {
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    }();
    if (has_v3) return v3_backend();
#endif
    return baseline_backend();
}

}  // namespace cuprum::simulator
