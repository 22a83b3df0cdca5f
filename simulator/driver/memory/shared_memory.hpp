// Memory and events that processes share: what one hands out, and another opens.
#pragma once

#include <memory>

#include "driver/memory/shared_file.hpp"

namespace cuprum::simulator::libcuda {

class Context;
class Event;
class MemoryPool;

// Each throws DriverError for what cannot be shared or opened.
// `pool` is one that was imported; the memory one of its owner's allocations.
uint64_t import_pool_memory(const std::shared_ptr<MemoryPool>& pool, const SharedReference& reference);

// Of memory that cuMemAlloc has given: its pages move into a file.
SharedReference share_memory(uint64_t address);
// Memory of another process: each reference once in a context, and counted.
uint64_t open_memory(const Context& context, const SharedReference& reference);
void close_memory(uint64_t address);

SharedReference share_event(const Event& event);
std::shared_ptr<Event> open_event(const std::shared_ptr<Context>& context, const SharedReference& reference);

}  // namespace cuprum::simulator::libcuda
