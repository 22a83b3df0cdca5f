// NVRTC and libNVVM behind the disk cache (cuprum/core/compile_cache.hpp).
#pragma once

#include <span>
#include <string>

#include "cuprum/core/compile_cache.hpp"
#include "nvrtc_compile.hpp"
#include "nvvm_compile.hpp"

namespace cuprum::core {

struct CachedCompile {
    NvrtcOutput output;
    bool from_cache = false;
};

// nvrtc_compile(input), or what an earlier run of it gave. Throws what nvrtc_compile throws.
CachedCompile cached_nvrtc_compile(const NvrtcInput& input);

// The same for nvvm_compile(input), which reads no files. `may_keep`: whether the caller allows the cache.
CachedCompile cached_nvvm_compile(const NvvmInput& input, bool may_keep);

}  // namespace cuprum::core
