// What is wrong with a machine's CUDA, and the commands that mend it.
#pragma once

#include <vector>

#include "cuprum/pathfinder/finder.hpp"
#include "cuprum/pathfinder/toolkit.hpp"

namespace cuprum::pathfinder {

/// Looks at driver, toolkit, their fit and the environment variables of this machine. The worst come first. Opens and
/// initialises the driver. Never throws for something that is wrong.
std::vector<Finding> diagnose();

/// The same on whatever machine the finder searches.
std::vector<Finding> diagnose(const Finder& finder);

}  // namespace cuprum::pathfinder
