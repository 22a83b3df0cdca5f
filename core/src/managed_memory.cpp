// Buffers of managed memory: where its pages are, and advice about their use.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "context.hpp"
#include "cuprum/core/buffer.hpp"
#include "cuprum/core/memory_location.hpp"
#include "driver_error.hpp"
#include "native_location.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

// The driver's words for a range without advice, and for host memory among devices.
constexpr int no_location = -2;
constexpr int host_memory_location = -1;

CUresult prefetch_to(CUdeviceptr address, uint64_t size, CUmemLocation location, CUstream stream) {
#if CUDA_VERSION >= 13000
    return driver::cuMemPrefetchAsync(address, size, location, 0, stream);
#else
    return driver::cuMemPrefetchAsync_v2(address, size, location, 0, stream);
#endif
}

CUresult advise(CUdeviceptr address, uint64_t size, CUmem_advise advice, CUmemLocation location) {
#if CUDA_VERSION >= 13000
    return driver::cuMemAdvise(address, size, advice, location);
#else
    return driver::cuMemAdvise_v2(address, size, advice, location);
#endif
}

CUresult discard_range([[maybe_unused]] CUdeviceptr address, [[maybe_unused]] size_t size,
                       [[maybe_unused]] CUstream stream) {
#if CUDA_VERSION >= 13000
    return driver::cuMemDiscardBatchAsync(&address, &size, 1, 0, stream);
#else
    return CUDA_ERROR_NOT_SUPPORTED;
#endif
}

CUresult discard_range_and_prefetch([[maybe_unused]] CUdeviceptr address, [[maybe_unused]] size_t size,
                                    [[maybe_unused]] CUmemLocation location, [[maybe_unused]] CUstream stream) {
#if CUDA_VERSION >= 13000
    size_t first_of_location = 0;
    return driver::cuMemDiscardAndPrefetchBatchAsync(&address, &size, 1, &location, &first_of_location, 1, 0, stream);
#else
    return CUDA_ERROR_NOT_SUPPORTED;
#endif
}

int range_attribute(const BufferRef& buffer, CUmem_range_attribute which, const char* operation) {
    const ContextScope scope(buffer.device_id());
    int value = 0;
    check(driver::cuMemRangeGetAttribute(&value, sizeof(value), which, buffer.handle(), buffer.size()),
          "cuMemRangeGetAttribute", operation, buffer);
    return value;
}

void advise(const BufferRef& buffer, CUmem_advise advice, const MemoryLocation& location, const char* operation) {
    if (buffer.size() == 0) return;
    const ContextScope scope(buffer.device_id());
    check(advise(buffer.handle(), buffer.size(), advice, native(location)), "cuMemAdvise", operation, buffer);
}

}  // namespace

void BufferRef::require_managed(const char* operation) const {
    if (known_kind(operation) == MemoryKind::managed) return;
    throw InvalidArgument(operation, describe(*this), "only managed memory has pages that move",
                          "allocate it from a managed memory resource");
}

void BufferRef::prefetch(const MemoryLocation& location, StreamRef stream) const {
    constexpr const char* operation = "prefetching a buffer";
    require_valid(stream, operation);
    require_managed(operation);
    if (size_ == 0) return;
    const ContextScope scope(stream);
    check(prefetch_to(address_, size_, native(location), stream.handle()), "cuMemPrefetchAsync", operation, *this);
}

void BufferRef::discard(StreamRef stream) const {
    constexpr const char* operation = "discarding a buffer's content";
    require_valid(stream, operation);
    require_managed(operation);
    if (size_ == 0) return;
    const ContextScope scope(stream);
    check(discard_range(address_, size_, stream.handle()), "cuMemDiscardBatchAsync", operation, *this);
}

void BufferRef::discard_prefetch(const MemoryLocation& location, StreamRef stream) const {
    constexpr const char* operation = "discarding and prefetching a buffer";
    require_valid(stream, operation);
    require_managed(operation);
    if (size_ == 0) return;
    const ContextScope scope(stream);
    check(discard_range_and_prefetch(address_, size_, native(location), stream.handle()),
          "cuMemDiscardAndPrefetchBatchAsync", operation, *this);
}

bool BufferRef::is_read_mostly() const {
    constexpr const char* operation = "asking whether a buffer is mostly read";
    require_managed(operation);
    return size_ != 0 && range_attribute(*this, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, operation) != 0;
}

void BufferRef::set_read_mostly(bool read_mostly) const {
    constexpr const char* operation = "saying whether a buffer is mostly read";
    require_managed(operation);
    advise(*this, read_mostly ? CU_MEM_ADVISE_SET_READ_MOSTLY : CU_MEM_ADVISE_UNSET_READ_MOSTLY, MemoryLocation::host(),
           operation);
}

std::optional<MemoryLocation> BufferRef::preferred_location() const {
    constexpr const char* operation = "asking for a buffer's preferred location";
    require_managed(operation);
    if (size_ == 0) return std::nullopt;
    const int kind = range_attribute(*this, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, operation);
    if (kind == CU_MEM_LOCATION_TYPE_INVALID) return std::nullopt;
    // The id of host memory is not defined.
    const int id = kind == CU_MEM_LOCATION_TYPE_HOST
                       ? 0
                       : range_attribute(*this, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID, operation);
    return MemoryLocation::of(kind, id);
}

void BufferRef::set_preferred_location(const std::optional<MemoryLocation>& location) const {
    constexpr const char* operation = "choosing a buffer's preferred location";
    require_managed(operation);
    if (location.has_value()) {
        advise(*this, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, *location, operation);
    } else {
        advise(*this, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, MemoryLocation::host(), operation);
    }
}

std::vector<MemoryLocation> BufferRef::accessed_by() const {
    constexpr const char* operation = "asking who accesses a buffer";
    require_managed(operation);
    std::vector<MemoryLocation> found;
    if (size_ == 0) return found;
    std::vector<int> devices(static_cast<size_t>(Device::count()) + 1, no_location);
    const ContextScope scope(device_id_);
    check(driver::cuMemRangeGetAttribute(devices.data(), devices.size() * sizeof(int),
                                         CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, address_, size_),
          "cuMemRangeGetAttribute", operation, *this);
    for (const int device : devices) {
        if (device == no_location) continue;
        found.push_back(device == host_memory_location ? MemoryLocation::host() : MemoryLocation(Device(device)));
    }
    return found;
}

void BufferRef::set_accessed_by(const MemoryLocation& location, bool accessed) const {
    constexpr const char* operation = "saying who accesses a buffer";
    require_managed(operation);
    advise(*this, accessed ? CU_MEM_ADVISE_SET_ACCESSED_BY : CU_MEM_ADVISE_UNSET_ACCESSED_BY, location, operation);
}

}  // namespace cuprum::core
