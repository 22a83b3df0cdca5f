// The options of a compile as a list of texts, the way NVRTC takes them.
#pragma once

#include <span>
#include <string>

#include "cuprum/core/program.hpp"

namespace cuprum::capi {

/// Core's options for a list of NVRTC's own. Architecture, language standard and header folders are recognised in every
/// form that NVRTC 13 takes, so that they stand in for core's defaults and come before the toolkit's folders; all
/// others are passed on as they are, in their order, for NVRTC to judge.
core::ProgramOptions parse_options(std::span<const std::string> options);

/// The same for NVVM IR, whose options are named as program.h says.
core::ProgramOptions parse_nvvm_options(std::span<const std::string> options);

}  // namespace cuprum::capi
