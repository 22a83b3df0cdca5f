// CCCL 2.8 (CUDA 12.9's) is written for nvcc: its headers include some of the host's C++ library and declare functions
// of the host, which NVRTC refuses, and its kernels stand among these. Compiled with stand-ins for a few headers, which
// declare what the kernels use and no more, they are the same kernels as nvcc compiles.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cuprum::parallel {

// Headers for NVRTC in place of the files of these names; none for a CCCL that it reads as it is.
std::vector<std::pair<std::string, std::string>> cccl_stand_ins(int version);

}  // namespace cuprum::parallel
