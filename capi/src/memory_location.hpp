// Locations of memory as two numbers: CUPRUM_LOCATION_*, and the device's ordinal or the NUMA node.
#pragma once

#include <cstdint>
#include <optional>

#include "cuprum/capi/memory_resource.h"
#include "cuprum/core/memory_location.hpp"

namespace cuprum::capi {

inline std::optional<core::MemoryLocation> memory_location(int32_t kind, int32_t id) {
    if (kind == CUPRUM_LOCATION_NONE) return std::nullopt;
    return core::MemoryLocation::of(kind, id);
}

inline int32_t number_of_kind(const std::optional<core::MemoryLocation>& location) {
    return location.has_value() ? static_cast<int32_t>(location->kind()) : CUPRUM_LOCATION_NONE;
}

}  // namespace cuprum::capi
