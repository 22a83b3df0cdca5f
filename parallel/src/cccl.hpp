// Which CCCL the algorithms are compiled from. CUB's kernels have no stable interface, so that its version must be one
// that the programs' texts know (source.cpp, transform.cpp).
#pragma once

#include <string>
#include <string_view>

namespace cuprum::parallel {

struct Cccl {
    // To include from; empty for the toolkit's own, which is included from anyway, and where there is none: the compile
    // then says what is missing.
    std::string folder;
    // CCCL_VERSION: major * 1000000 + minor * 1000 + patch; 0 where there is none.
    int version = 0;
};

// That of CUPRUM_CCCL_PATH; or the toolkit's own, where its version is known; or else the first one of a known version
// on this machine. CCCL supports older and newer toolkits than the one that it comes with, back to CUDA 12.0. Throws
// Unsupported where there are only others. Cheap: a folder is looked into once, unless nothing of use was found.
Cccl find_cccl(std::string_view algorithm);

}  // namespace cuprum::parallel
