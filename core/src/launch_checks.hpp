// What is checked before a kernel is launched, in a stream or as a node of a graph.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cuprum/core/device.hpp"
#include "cuprum/core/launch.hpp"
#include "kernel_state.hpp"

namespace cuprum::core {

// Throws InvalidArgument where the kernel is invalid.
const KernelAccess::State& require_kernel(const Kernel& kernel);

// The arguments against the kernel's parameters.
void check_arguments(const KernelAccess::State& kernel, int32_t device_id, std::span<const void* const> addresses,
                     std::span<const ArgumentType> types);

// The configuration against the device's limits.
void check_limits(const KernelAccess::State& kernel, int32_t device_id, const LaunchConfig& config,
                  const DeviceProperties& limits);

// The addresses among a kernel's arguments, as far as its parameters say which they are; not those within structs.
std::vector<DevicePointer> memory_of_arguments(const KernelAccess::State& kernel,
                                               std::span<const void* const> addresses);

// After a launch that the driver has refused: which of the kernel's own limits it exceeds; empty if none.
std::string kernel_limits_note(const KernelAccess::State& kernel, int32_t device_id, const LaunchConfig& config);

}  // namespace cuprum::core
