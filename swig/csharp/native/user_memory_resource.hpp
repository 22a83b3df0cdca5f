// Cuprum.UserMemoryResource: memory that a C# object allocates.
#pragma once

#include <cstdint>
#include <memory>
#include <new>

#include "cuprum/cuprum.h"
#include "user_memory.hpp"

namespace cuprum_csharp {

// The delegates of Cuprum.Native.UserMemory, which live as long as the runtime does, and the allocator's GCHandle.
struct UserMemory {
    using Allocate = int32_t (*)(uint64_t allocator, uint64_t size, int32_t device, uint64_t stream,
                                 uint64_t* address_out);
    using Deallocate = void (*)(uint64_t allocator, uint64_t address, uint64_t size, int32_t device, uint64_t stream);
    using Release = void (*)(uint64_t allocator);

    Allocate allocate;
    Deallocate deallocate;
    Release release;
    uint64_t allocator;
};

inline cuprum_status user_allocate(void* data, uint64_t size, cuprum_stream stream, uint64_t* address_out) {
    const UserMemory& memory = *static_cast<UserMemory*>(data);
    const cuprum_languages::StreamNumbers in(stream);
    return memory.allocate(memory.allocator, size, in.device, in.native, address_out);
}

inline void user_deallocate(void* data, uint64_t address, uint64_t size, cuprum_stream stream) {
    const UserMemory& memory = *static_cast<UserMemory*>(data);
    const cuprum_languages::StreamNumbers in(stream);
    memory.deallocate(memory.allocator, address, size, in.device, in.native);
}

inline void user_release(void* data) {
    const std::unique_ptr<UserMemory> memory(static_cast<UserMemory*>(data));
    cuprum_languages::UserMemories::remove(memory.get());
    memory->release(memory->allocator);
}

// After a failure the allocator is still the caller's.
inline cuprum_status create_user_memory_resource(cuprum_memory_resource* resource_out, int32_t kind, int32_t device,
                                                 const UserMemory& given) {
    std::unique_ptr<UserMemory> memory(new (std::nothrow) UserMemory(given));
    if (memory == nullptr) return CUPRUM_ERROR_OUT_OF_MEMORY;
    cuprum_languages::UserMemories::add(memory.get());
    const cuprum_status status = cuprum_memory_resource_create_user(resource_out, kind, device, user_allocate,
                                                                    user_deallocate, user_release, memory.get());
    if (status == CUPRUM_SUCCESS) {
        static_cast<void>(memory.release());  // user_release's
    } else {
        cuprum_languages::UserMemories::remove(memory.get());
    }
    return status;
}

// The allocator that a resource was made with; 0 for other resources.
inline uint64_t user_allocator(uint64_t resource) {
    const auto handle = reinterpret_cast<cuprum_memory_resource>(static_cast<uintptr_t>(resource));
    const auto* const memory = static_cast<UserMemory*>(cuprum_languages::UserMemories::of(handle));
    return memory == nullptr ? 0 : memory->allocator;
}

}  // namespace cuprum_csharp
