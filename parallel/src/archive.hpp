// Builds as bytes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "build.hpp"

namespace cuprum::parallel {

struct BuildRecord {
    Architecture architecture;
    std::string key;  // build_key of its request
    std::vector<std::string> kernels;
    std::shared_ptr<const Build> build;
};

// With the version of Cuprum, and a checksum.
std::string pack_builds(const std::vector<BuildRecord>& records);

}  // namespace cuprum::parallel
