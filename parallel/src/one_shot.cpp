#include "one_shot.hpp"

#include <string>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {

Job::~Job() {
    // Copies that are under way use the caller's memory.
    try {
        stream_.sync();
    } catch (const Error&) {
        // Told by wait(), or on the way out for another error.
    }
}

core::Buffer Job::memory_for(const Type& type, uint64_t count) const {
    return device_.allocate(count * type.size(), stream_);
}

core::Buffer Job::upload(const Type& type, const void* data, uint64_t count) const {
    if (data == nullptr && count > 0) {
        throw InvalidArgument("copying to the device", "host memory",
                              "it is null, expected " + std::to_string(count) + " elements");
    }
    core::Buffer buffer = memory_for(type, count);
    if (count > 0) buffer.copy_from_host(data, buffer.size(), stream_);
    return buffer;
}

void Job::download(const core::BufferRef& buffer, void* data) const {
    if (buffer.size() > 0) buffer.copy_to_host(data, buffer.size(), stream_);
}

void require_same_count(const char* operation, uint64_t first, uint64_t second) {
    if (first != second) {
        throw InvalidArgument(
            operation, "host memory",
            "one part has " + std::to_string(first) + " elements and the other " + std::to_string(second));
    }
}

Execution runnable(const char* operation, Execution execution) {
    if (execution.is_ahead_of_time()) {
        throw InvalidArgument(operation, "an execution ahead of time",
                              "it is for an algorithm that is built to be saved; this call runs one at once",
                              "give a device or the host's cores");
    }
    return execution;
}

}  // namespace cuprum::parallel
