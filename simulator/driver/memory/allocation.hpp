// Memory that calls give and take back at once, in no stream's order.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "driver/memory/address_space.hpp"

namespace cuprum::simulator::libcuda {

class Context;

Allocation describe_new(const Context& context, Allocation::Kind kind, size_t size, const std::string& description);

// What to say about a pointer that should begin an allocation and does not.
std::string describe_bad_pointer(uint64_t address);
// Throws DriverError(CUDA_ERROR_INVALID_VALUE) with it.
Allocation require_allocation(uint64_t address);

// The address, and the bytes from one row to the next.
std::pair<uint64_t, size_t> allocate_rows(const Context& context, size_t width, size_t height);
void register_host_memory(const Context& context, void* memory, size_t bytes, unsigned int flags);

// Each throws DriverError for what is not such memory. They wait for work in streams, which may still use it.
void free_memory(uint64_t pointer);
void free_pinned_memory(void* memory);
void unregister_host_memory(void* memory);

}  // namespace cuprum::simulator::libcuda
