// Kernels of one call that begin while the kernel before is at work, from compute capability 9.0 on.
#pragma once

#include <cstdint>
#include <string_view>

#include "call.hpp"

namespace cuprum::parallel {

// griddepcontrol, PTX ISA 7.8. A call's first kernel is launched in the usual way, so that what the call reads is there
// for all of them from the start; the others wait before they read what a kernel before them has written. The last one
// does not let another begin: that would be the caller's.
constexpr std::string_view kernel_overlap = R"(
__device__ __forceinline__ void let_the_next_kernel_begin() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}
__device__ __forceinline__ void wait_for_the_kernel_before() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
)";

inline bool overlaps_kernels(const core::Device& device) {
    return device.compute_capability().major >= 9;
}

// For any kernel but the first, and for a first one that waits for the caller's.
inline core::LaunchConfig overlapping(uint64_t blocks, int64_t threads, bool overlaps) {
    core::LaunchConfig config{grid_of(blocks), static_cast<uint32_t>(threads)};
    config.programmatic_stream_serialization = overlaps;
    return config;
}

}  // namespace cuprum::parallel
