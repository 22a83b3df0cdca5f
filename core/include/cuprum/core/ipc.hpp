// What one process gives to another one, so that both use the same memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cuprum::core {

// A buffer for another process: plain bytes. The process that opens it has the buffer's pool already, by its file
// descriptor (PooledMemoryResource::allocation_handle).
struct IPCBufferDescriptor {
    std::array<std::byte, 64> reserved{};
    uint64_t size = 0;  // bytes

    friend bool operator==(const IPCBufferDescriptor&, const IPCBufferDescriptor&) = default;
};

}  // namespace cuprum::core
