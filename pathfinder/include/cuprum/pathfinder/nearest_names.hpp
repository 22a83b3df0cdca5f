// Suggestions for an unknown name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cuprum::pathfinder {

/// Those of `known` that differ from `name` by a few letters, the nearest first, at most three; case does not count.
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known);

}  // namespace cuprum::pathfinder
