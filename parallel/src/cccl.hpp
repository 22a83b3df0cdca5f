// Which CCCL the algorithms are compiled from. CUB's kernels have no stable interface, so that its version must be one
// that the programs' texts know (source.cpp, transform.cpp).
#pragma once

#include <string>
#include <string_view>

namespace cuprum::parallel {

// The folder that its headers are included from: CUPRUM_CCCL_PATH; or the toolkit's own, where its version is known; or
// else the first one of a known version on this machine. CCCL supports older and newer toolkits than the one that it
// comes with, back to CUDA 12.0. Empty for the toolkit's own, which is included from anyway, and where there is none:
// the compile then says what is missing. Throws Unsupported where there are only others.
std::string cccl_folder(std::string_view algorithm);

}  // namespace cuprum::parallel
