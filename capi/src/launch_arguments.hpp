// From the arguments of cuprum_launch() to the bytes that the kernel takes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "call.hpp"
#include "cuprum/capi/launch.h"
#include "cuprum/core/launch.hpp"

namespace cuprum::capi {

/// The arguments of one launch, each in the width of the kernel's parameter. Up to `inline_capacity` arguments live in
/// the object itself, so that a usual launch allocates nothing.
class LaunchArguments {
public:
    static constexpr size_t inline_capacity = 64;

    /// Throws ArgumentMismatch (a wrong count, a kind or a value that the parameter cannot take) or Error with
    /// Status::invalid_handle (a buffer).
    LaunchArguments(const Call& call, const std::string& kernel_name,
                    std::span<const core::KernelArgumentInfo> parameters, std::span<const cuprum_argument> given);
    LaunchArguments(const LaunchArguments&) = delete;
    LaunchArguments& operator=(const LaunchArguments&) = delete;

    std::span<const core::LaunchArgument> get() const { return arguments_; }

private:
    // Uninitialised on purpose: only the first arguments_.size() are ever used. Room alone, since an array of arguments
    // would initialise itself, which takes as long as the rest of a usual launch.
    alignas(
        core::LaunchArgument) std::array<std::byte, inline_capacity * sizeof(core::LaunchArgument)> inline_arguments_;
    std::array<uint64_t, inline_capacity> inline_values_;
    std::vector<core::LaunchArgument> more_arguments_;
    std::vector<uint64_t> more_values_;
    std::span<core::LaunchArgument> arguments_;
};

}  // namespace cuprum::capi
