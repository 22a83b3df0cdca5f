// Which CCCL the algorithms are compiled from. CUB's kernels have no stable interface: the programs' texts (source.cpp,
// reduce.cpp and the like) say by version what they call, and a version newer than all of those is tried as the newest.
#pragma once

#include <string>
#include <string_view>

namespace cuprum::parallel {

// What the programs' texts know, and the wheel of one of them that serves CUDA 12 as well.
constexpr std::string_view known_cccl = "2.8 to 3.5";
constexpr int newest_known_cccl = 3005;        // CCCL_VERSION / 1000
constexpr int first_cccl_for_nvrtc = 3000000;  // older ones need stand-ins (cccl_stand_ins.hpp)
constexpr std::string_view known_cccl_wheel = "nvidia-cuda-cccl==13.0.*";

struct Cccl {
    // To include from; empty for the toolkit's own, which is included from anyway, and where there is none: the compile
    // then says what is missing.
    std::string folder;
    // The folder that was looked into; empty where there is none.
    std::string location;
    // CCCL_VERSION: major * 1000000 + minor * 1000 + patch; 0 where there is none.
    int version = 0;

    bool is_newer_than_known() const { return version / 1000 > newest_known_cccl; }
};

// "CCCL 3.5 in FOLDER".
std::string describe(const Cccl& cccl);
// What to do where the one at hand does not serve.
std::string install_known_cccl();

// That of CUPRUM_CCCL_PATH; or the toolkit's own, unless it is too old; or else the first one on this machine that is
// not. CCCL supports older and newer toolkits than the one that it comes with, back to CUDA 12.0. Throws Unsupported
// where there are only older ones. Cheap: a folder is searched once, unless nothing usable was found.
Cccl find_cccl(std::string_view algorithm);

}  // namespace cuprum::parallel
