// NVRTC behind the disk cache (cuprum/core/compile_cache.hpp).
#pragma once

#include <span>
#include <string>

#include "cuprum/core/compile_cache.hpp"
#include "nvrtc_compile.hpp"

namespace cuprum::core {

struct CachedCompile {
    NvrtcOutput output;
    bool from_cache = false;
};

// nvrtc_compile(input), or what an earlier run of it gave. `toolkit_folders`: those of input.header_folders that belong
// to the toolkit. Throws what nvrtc_compile throws.
CachedCompile cached_nvrtc_compile(const NvrtcInput& input, std::span<const std::string> toolkit_folders);

}  // namespace cuprum::core
