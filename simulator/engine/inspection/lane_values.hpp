// Values of a warp's lanes as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/inspection/debug_information.hpp"

namespace cuprum::simulator {

// "0-7, 12"
std::string lane_ranges(uint32_t lanes);

// One value of each lane in `lanes`, first to last, as text: one text if all are the same; "0, 1, 2, ... 31" if they go
// up or down in equal steps; else in rows of lanes, each on a line of its own behind `indent`.
std::string lane_values(uint32_t lanes, const std::vector<std::string>& values, const std::string& indent);

const char* type_name(ScalarType type);  // "f32"
std::string value_text(const DebugType& type, const std::byte* bytes);
std::string value_text(ScalarType type, const std::byte* bytes);

}  // namespace cuprum::simulator
