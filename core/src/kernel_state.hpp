#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "context.hpp"
#include "cuprum/core/kernel.hpp"
#include "cuprum/core/live_objects.hpp"
#include "driver_api.hpp"
#include "object_code_state.hpp"
#include "parameter_type.hpp"

namespace cuprum::core {

struct Kernel::State {
    detail::Alive<ObjectKind::kernel> alive;
    std::shared_ptr<ObjectCodeAccess::State> code;  // keeps the library loaded
    CUkernel handle = nullptr;
    std::string name;
    std::vector<KernelArgumentInfo> arguments;  // in order; read once, so that a launch asks the driver nothing
    std::vector<ParameterType> types;           // whose texts stand in `arguments`
    // By device: what the kernel is in the primary context, from the first launch there. Launching that is 2 % cheaper
    // than launching the kernel, for which the driver looks it up (580, on an H200).
    std::unique_ptr<std::atomic<CUfunction>[]> functions =
        std::make_unique<std::atomic<CUfunction>[]>(static_cast<size_t>(initialized_device_count()));
};

struct KernelAccess {
    using State = Kernel::State;
    static const State* state(const Kernel& kernel) { return kernel.state_.get(); }
    // What keeps it: the same for all copies.
    static std::shared_ptr<const void> owner(const Kernel& kernel) { return kernel.state_; }
};

}  // namespace cuprum::core
