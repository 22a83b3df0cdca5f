// Picks the interpreter for the processor at hand.
#include "engine/execution.hpp"

namespace cuprum::simulator {

const Backend& backend() {
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
