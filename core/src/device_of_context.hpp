// Which device a context made elsewhere belongs to.
#pragma once

#include <cstdint>

#include "context.hpp"
#include "driver_error.hpp"

namespace cuprum::core {

// Its ordinal. `object`, a text or what makes one, says in errors what was asked about. The caller's current context
// stays as it is. Throws InvalidArgument for a device that this process cannot see.
template <class Object>
int32_t device_of_context(CUcontext context, const char* operation, const Object& object) {
    check(driver::cuCtxPushCurrent(context), "cuCtxPushCurrent", operation, object);
    CUdevice device = 0;
    const CUresult result = driver::cuCtxGetDevice(&device);
    CUcontext popped = nullptr;
    report_cleanup(driver::cuCtxPopCurrent(&popped), "cuCtxPopCurrent", "putting the caller's context back", "");
    check(result, "cuCtxGetDevice", operation, object);
    const int32_t count = initialize_driver();
    for (int32_t id = 0; id < count; ++id) {
        if (device_state(id).device == device) return id;
    }
    throw InvalidArgument(operation, describe(object), "it belongs to a device that this process cannot see");
}

}  // namespace cuprum::core
