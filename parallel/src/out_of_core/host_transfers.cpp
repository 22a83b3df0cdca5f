#include "host_transfers.hpp"

#include <algorithm>
#include <cstring>

#include "../layout.hpp"
#include "cuprum/bindings/driver.hpp"
#include "cuprum/core/memory_resource.hpp"

namespace cuprum::parallel::out_of_core {

namespace {

namespace driver = bindings::driver;

// A copy of that many bytes is as fast as a larger one, and short beside a piece.
constexpr uint64_t most_chunk_bytes = uint64_t{4} << 20, least_chunk_bytes = 4096;

bool is_page_locked(const std::byte* address) {
    CUmemorytype type{};
    std::array names{CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
    std::array<void*, names.size()> values{&type};
    // Of addresses that it does not know the driver tells nothing.
    const CUresult result =
        driver::cuPointerGetAttributes(names.size(), names.data(), values.data(), reinterpret_cast<uintptr_t>(address));
    return result == CUDA_SUCCESS && type == CU_MEMORYTYPE_HOST;
}

}  // namespace

HostMemory host_memory(void* data, uint64_t bytes) {
    auto* const begin = static_cast<std::byte*>(data);
    return {begin, bytes > 0 && is_page_locked(begin) && is_page_locked(begin + (bytes - 1))};
}

HostTransfers::HostTransfers(const core::Device& device, uint64_t most)
    : device_(device), chunk_bytes_(std::clamp(align_up(most / 4, 256), least_chunk_bytes, most_chunk_bytes)) {}

void HostTransfers::upload(const HostMemory& source, uint64_t offset, const core::BufferRef& destination,
                           const core::Stream& stream) {
    const uint64_t bytes = destination.size();
    const std::byte* const from = source.data + offset;
    if (source.is_page_locked) {
        destination.copy_from_host(from, bytes, stream);
        return;
    }
    for (uint64_t at = 0; at < bytes; at += chunk_bytes_) {
        const uint64_t size = std::min(chunk_bytes_, bytes - at);
        Chunk& chunk = take(in_, stream);
        auto* const staged = chunk.memory.as_span<std::byte>().data();
        std::memcpy(staged, from + at, size);
        destination.slice(at, size).copy_from_host(staged, size, stream);
        stream.record(chunk.passed);
        chunk.is_used = true;
    }
}

void HostTransfers::download(const core::BufferRef& source, const HostMemory& destination, uint64_t offset,
                             const core::Stream& stream) {
    const uint64_t bytes = source.size();
    std::byte* const to = destination.data + offset;
    if (destination.is_page_locked) {
        source.copy_to_host(to, bytes, stream);
        return;
    }
    for (uint64_t at = 0; at < bytes; at += chunk_bytes_) {
        const uint64_t size = std::min(chunk_bytes_, bytes - at);
        Chunk& chunk = take(out_, stream);
        source.slice(at, size).copy_to_host(chunk.memory.as_span<std::byte>().data(), size, stream);
        stream.record(chunk.passed);
        chunk.is_used = true;
        chunk.destination = to + at;
        chunk.size = size;
    }
}

void HostTransfers::finish() {
    // In the order in which they were used.
    for (size_t i = 0; i < out_.chunks.size(); ++i)
        arrive(out_.chunks[(out_.next + i) % out_.chunks.size()]);
}

// A chunk that nothing uses any more.
HostTransfers::Chunk& HostTransfers::take(Ring& ring, const core::Stream& stream) {
    if (!ring.memory.is_valid()) {
        ring.memory = core::LegacyPinnedMemoryResource().allocate(chunk_bytes_ * ring.chunks.size(), stream);
        for (size_t i = 0; i < ring.chunks.size(); ++i) {
            ring.chunks[i].memory = ring.memory.slice(i * chunk_bytes_, chunk_bytes_);
            ring.chunks[i].passed = device_.create_event();
        }
    }
    Chunk& chunk = ring.chunks[ring.next];
    ring.next = (ring.next + 1) % ring.chunks.size();
    arrive(chunk);
    return chunk;
}

void HostTransfers::arrive(Chunk& chunk) {
    if (!chunk.is_used) return;
    chunk.passed.sync();
    chunk.is_used = false;
    if (chunk.destination == nullptr) return;
    std::memcpy(chunk.destination, chunk.memory.as_span<std::byte>().data(), chunk.size);
    chunk.destination = nullptr;
}

}  // namespace cuprum::parallel::out_of_core
