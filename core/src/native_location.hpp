// A location as the driver takes it.
#pragma once

#include "cuprum/core/memory_location.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

inline CUmemLocation native(const MemoryLocation& location) {
    CUmemLocation made{};
    made.type = static_cast<CUmemLocationType>(location.kind());
    made.id = location.id();
    return made;
}

}  // namespace cuprum::core
