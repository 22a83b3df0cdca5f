// Machine code for kernels that share nothing, made for each by itself.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cuprum/core/linker.hpp"

namespace cuprum::core {

// A cubin for each kernel in a piece of LTO-IR, in the order of `symbols`, which are the kernels' names in it.
// nvJitLink optimises and assembles on one thread for each link; these go on at once, on as many threads as there are
// cores. Throws what Linker::link throws: the first kernel's error.
std::vector<std::string> link_apart(const ObjectCode& lto_ir, const LinkerOptions& options,
                                    std::span<const std::string> symbols);

}  // namespace cuprum::core
