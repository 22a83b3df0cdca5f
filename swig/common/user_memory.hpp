// Memory resources of the program's that Java or C# has made: what the C ABI's functions for them share.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>

#include "cuprum/cuprum.h"

namespace cuprum_languages {

// The `user_data` of all that live. Another's means nothing here.
class UserMemories {
public:
    static void add(const void* memory) {
        const std::lock_guard lock(mutex());
        all().insert(memory);
    }
    static void remove(const void* memory) {
        const std::lock_guard lock(mutex());
        all().erase(memory);
    }
    // What a resource was made with; null where it is none of these, or the call has failed.
    static void* of(cuprum_memory_resource resource) {
        uint64_t data = 0;
        if (cuprum_memory_resource_user_data(&data, resource) != CUPRUM_SUCCESS) return nullptr;
        auto* const memory = reinterpret_cast<void*>(static_cast<uintptr_t>(data));
        const std::lock_guard lock(mutex());
        return all().contains(memory) ? memory : nullptr;
    }

private:
    // Never destroyed: threads may use them until the process is gone.
    static std::mutex& mutex() {
        static auto* const one = new std::mutex;
        return *one;
    }
    static std::set<const void*>& all() {
        static auto* const memories = new std::set<const void*>;
        return *memories;
    }
};

// A stream as its device and its number: its handle is lent for one call only.
struct StreamNumbers {
    int32_t device = -1;  // -1: there is none
    uint64_t native = 0;

    explicit StreamNumbers(cuprum_stream stream) {
        if (stream == nullptr) return;
        cuprum_stream_native(&native, stream);
        cuprum_stream_device(&device, stream);
    }
};

}  // namespace cuprum_languages
