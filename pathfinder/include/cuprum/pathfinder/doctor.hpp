// Problems with a machine's CUDA installation, and the commands that fix them.
#pragma once

#include <vector>

#include "cuprum/pathfinder/finder.hpp"
#include "cuprum/pathfinder/toolkit.hpp"

namespace cuprum::pathfinder {

/// Checks this machine's driver, its toolkit, whether the two fit together, and the environment variables. The worst
/// findings come first. Opens and initialises the driver. Problems are findings, never exceptions.
std::vector<Finding> diagnose();

/// The same for the machine that the finder searches.
std::vector<Finding> diagnose(const Finder& finder);

}  // namespace cuprum::pathfinder
