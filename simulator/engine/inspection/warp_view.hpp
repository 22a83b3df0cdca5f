// A warp as text: where it is, its lanes, its variables and registers, the calls that led there.
#pragma once

#include <string>

#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {

// Of these lanes, which are in the frame, at the instruction. Several lines.
std::string describe_warp(const Warp& warp, const Frame& frame, const Instruction* at, uint32_t lanes);

}  // namespace cuprum::simulator
