// The driver's resources in core's.
#pragma once

#include <cstdint>

#include "cuprum/core/device_resources.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

struct SMResourceAccess {
    static SMResource wrap(int32_t device_id, const CUdevResource& resource);
    static CUdevResource unwrap(const SMResource& wrapped);
};

struct WorkqueueResourceAccess {
    static WorkqueueResource wrap(int32_t device_id, const CUdevResource& resource);
    static CUdevResource unwrap(const WorkqueueResource& wrapped);
};

}  // namespace cuprum::core
