// The part of NVIDIA's device runtime library that the simulator provides, as PTX.
#pragma once

#include <string_view>

namespace cuprum::simulator::ptx {

// cudaCGGetIntrinsicHandle and cudaCGSynchronize: grid-wide barriers as code calls them that is not compiled with
// cooperative_groups.h (numba's cuda.cg). The simulated device runs no machine code, so that the library itself, which
// holds little else, is of no use to it.
extern const std::string_view device_runtime;

}  // namespace cuprum::simulator::ptx
