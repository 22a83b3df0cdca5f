// What the algorithms' calls over host memory share.
#pragma once

#include <cstdint>

#include "cuprum/core/device.hpp"
#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"

namespace cuprum::parallel {

// A stream of its own and memory in its order: nothing here waits for other work on the device.
class Job {
public:
    explicit Job(int32_t device_id) : device_(device_id), stream_(device_.create_stream()) {}
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    const core::Stream& stream() const { return stream_; }
    core::Buffer memory_for(const Type& type, uint64_t count) const;
    core::Buffer upload(const Type& type, const void* data, uint64_t count) const;
    void download(const core::BufferRef& buffer, void* data) const;
    void wait() const { stream_.sync(); }

private:
    core::Device device_;
    core::Stream stream_;
};

// Throws InvalidArgument.
void require_same_count(const char* operation, uint64_t first, uint64_t second);

// Throws InvalidArgument for what cannot be called.
Execution runnable(const char* operation, Execution execution);

// For the host's cores, which work where the memory is.
inline Input in_place(const HostInput& input) {
    return {static_cast<const std::byte*>(input.data)};
}
inline Output in_place(const HostOutput& output) {
    return {static_cast<std::byte*>(output.data)};
}

}  // namespace cuprum::parallel
