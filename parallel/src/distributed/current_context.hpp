// The context of a device, on this thread, for as long as it lives.
#pragma once

#include "cuprum/bindings/driver.hpp"
#include "cuprum/core/device.hpp"

namespace cuprum::parallel::distributed {

// Throws DriverError, which says that a communicator was being made.
void check_driver(CUresult result, const char* function, const core::Device& device, const core::Device& peer);

class CurrentContext {
public:
    explicit CurrentContext(const core::Device& device) {
        check_driver(bindings::driver::cuCtxPushCurrent(device.context().handle()), "cuCtxPushCurrent", device, device);
    }
    ~CurrentContext() {
        CUcontext former = nullptr;
        bindings::driver::cuCtxPopCurrent(&former);
    }
    CurrentContext(const CurrentContext&) = delete;
    CurrentContext& operator=(const CurrentContext&) = delete;
};

}  // namespace cuprum::parallel::distributed
