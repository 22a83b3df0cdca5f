// For threads that look again and again instead of sleeping.
#pragma once

namespace cuprum::simulator::libcuda {

// Tells the CPU that the thread is only looking, so that the core's other thread runs.
inline void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

}  // namespace cuprum::simulator::libcuda
