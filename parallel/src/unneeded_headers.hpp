// Headers of CCCL that CUB's headers include and none of its kernels uses. Half of what NVRTC would read for an
// algorithm is in them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cuprum::parallel {

// An empty text for each, by its name: for ProgramOptions::headers. The caller's own operators may need them: what does
// not compile so is compiled with all headers.
std::vector<std::pair<std::string, std::string>> unneeded_headers();

}  // namespace cuprum::parallel
