// Headers of CCCL that CUB's headers include and of which its kernels use little or nothing. Half of what NVRTC would
// read for an algorithm is in them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cuprum::parallel {

// A text that takes the place of each, by its name, for ProgramOptions::headers; `version`: CCCL's, 3000000. The
// caller's own operators may need the headers themselves: what does not compile so is compiled with all of them.
std::vector<std::pair<std::string, std::string>> unneeded_headers(int version);

}  // namespace cuprum::parallel
