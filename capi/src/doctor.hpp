// What is wrong with a machine's CUDA, and with how Cuprum is set up on it.
#pragma once

#include <vector>

#include "cuprum/pathfinder/toolkit.hpp"

namespace cuprum::capi {

/// What pathfinder::diagnose() finds, and what is wrong with the compile cache and with Cuprum's own environment
/// variables. The worst come first. Never throws for something that is wrong.
std::vector<pathfinder::Finding> diagnose();

}  // namespace cuprum::capi
