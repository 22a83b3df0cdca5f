// Copies between host memory of any kind and a device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/event.hpp"
#include "cuprum/core/stream.hpp"

namespace cuprum::parallel::out_of_core {

// Memory of the caller's.
struct HostMemory {
    std::byte* data = nullptr;
    bool is_page_locked = false;
};
HostMemory host_memory(void* data, uint64_t bytes);

// Page-locked memory is copied directly, in the stream's order. Other memory goes through chunks of page-locked memory,
// which are used in turn: the calling thread copies to and from these, and waits for a chunk's last use.
class HostTransfers {
public:
    // `most`: bytes that one copy has, at most.
    HostTransfers(const core::Device& device, uint64_t most);

    // The source may be written again when the stream has passed this.
    void upload(const HostMemory& source, uint64_t offset, const core::BufferRef& destination,
                const core::Stream& stream);
    // What has been downloaded from page-locked memory has arrived when the stream has passed it; all else after
    // finish(), at the latest.
    void download(const core::BufferRef& source, const HostMemory& destination, uint64_t offset,
                  const core::Stream& stream);
    // Waits for the downloads so far.
    void finish();

private:
    struct Chunk {
        core::BufferRef memory;
        core::Event passed;  // by the stream of its last copy
        bool is_used = false;
        std::byte* destination = nullptr;  // where that copy's bytes are still to go
        uint64_t size = 0;
    };
    struct Ring {
        core::Buffer memory;
        std::array<Chunk, 4> chunks;
        size_t next = 0;
    };

    Chunk& take(Ring& ring, const core::Stream& stream);
    static void arrive(Chunk& chunk);

    core::Device device_;
    uint64_t chunk_bytes_;
    Ring in_, out_;
};

}  // namespace cuprum::parallel::out_of_core
