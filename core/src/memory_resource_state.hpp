#pragma once

#include "cuprum/core/buffer.hpp"

namespace cuprum::core {

// What the copies of a resource share with its buffers.
struct MemoryResourceState {
    MemoryKind kind = MemoryKind::pinned;
};

}  // namespace cuprum::core
