// Which CUDA version the simulator stands in for, and the PTX that such a driver loads.
#pragma once

#include <optional>

namespace cuprum::simulator::libcuda {

// 13000 for CUDA 13.0, as cuDriverGetVersion tells it. Programs may ask before cuInit, which is what reports a
// CUPRUM_SIM that is wrong.
int cuda_version();

struct IsaVersion {
    unsigned int major;
    unsigned int minor;
};

// Nothing unless CUPRUM_SIM's cuda= asks for a version: then PTX of any version is loaded whose instructions are known.
std::optional<IsaVersion> newest_loadable_ptx();

}  // namespace cuprum::simulator::libcuda
