// From the arguments of cuprum_launch() to the bytes that the kernel takes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "call.hpp"
#include "cuprum/capi/launch.h"
#include "cuprum/core/launch.hpp"

namespace cuprum::capi {

/// The arguments of one launch, checked, each in the width of the kernel's parameter: what core::launch_checked()
/// takes. Up to `inline_capacity` arguments live in the object itself, so that a usual launch allocates nothing.
class LaunchArguments {
public:
    static constexpr size_t inline_capacity = 64;

    /// Throws ArgumentMismatch (a wrong count, a kind or a value that the parameter cannot take) or Error with
    /// Status::invalid_handle (a buffer). Refers to `given`.
    LaunchArguments(const Call& call, const core::ArgumentCheck& check, std::span<const cuprum_argument> given);
    LaunchArguments(const LaunchArguments&) = delete;
    LaunchArguments& operator=(const LaunchArguments&) = delete;

    /// Where the bytes of each argument are.
    std::span<const void* const> addresses() const { return {addresses_, count_}; }

private:
    // Uninitialised on purpose: only the first count_ are ever used.
    std::array<const void*, inline_capacity> inline_addresses_;
    std::array<uint64_t, inline_capacity> inline_values_;  // of those that are not passed as they were given
    std::vector<const void*> more_addresses_;
    std::vector<uint64_t> more_values_;
    const void** addresses_ = nullptr;
    size_t count_ = 0;
};

}  // namespace cuprum::capi
