#include "cuprum/core/batch.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "context.hpp"
#include "driver_error.hpp"
#include "driver_log.hpp"
#include "native_location.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

constexpr const char* copying_batch = "copying a batch of buffers";
constexpr const char* prefetching_batch = "prefetching a batch of buffers";
constexpr const char* discarding_batch = "discarding a batch of buffers";
constexpr const char* discard_prefetching_batch = "discarding and prefetching a batch of buffers";

std::string number_text(const char* of, size_t index) {
    return std::string(of) + " " + std::to_string(index);
}

// Addresses and sizes as the driver takes them.
struct Ranges {
    std::vector<CUdeviceptr> addresses;
    std::vector<size_t> sizes;

    void add(const BufferRef& buffer) {
        addresses.push_back(buffer.handle());
        sizes.push_back(buffer.size());
    }
};

struct Written {
    uint64_t begin;
    uint64_t end;
    size_t index;
};

[[noreturn]] void refuse_overlap(const BufferRef& destination, const std::string& which, const std::string& other) {
    throw InvalidArgument(
        copying_batch, describe(destination), which + " overlaps " + other,
        "copies of a batch take place in any order: give memory that does not overlap, or copy one after another");
}

void require_no_overlap(std::span<const BufferRef> sources, std::span<const BufferRef> destinations) {
    std::vector<Written> written;
    for (size_t index = 0; index < destinations.size(); ++index) {
        const BufferRef& each = destinations[index];
        if (each.size() > 0) written.push_back({each.handle(), each.handle() + each.size(), index});
    }
    std::sort(written.begin(), written.end(),
              [](const Written& left, const Written& right) { return left.begin < right.begin; });
    for (size_t place = 1; place < written.size(); ++place) {
        const auto [first, second] = std::minmax(written[place - 1].index, written[place].index);
        if (written[place].begin < written[place - 1].end) {
            refuse_overlap(destinations[second], number_text("destination", second), number_text("destination", first));
        }
    }
    for (size_t index = 0; index < sources.size(); ++index) {
        const uint64_t begin = sources[index].handle();
        const uint64_t end = begin + sources[index].size();
        if (begin == end) continue;
        // The first that ends behind the source's begin: those before it end earlier, since none overlap.
        const auto found = std::partition_point(written.begin(), written.end(),
                                                [&](const Written& each) { return each.end <= begin; });
        if (found != written.end() && found->begin < end) {
            refuse_overlap(destinations[found->index], number_text("destination", found->index),
                           number_text("source", index));
        }
    }
}

void require_pairs(std::span<const BufferRef> sources, std::span<const BufferRef> destinations) {
    if (sources.size() != destinations.size()) {
        throw InvalidArgument(copying_batch, "",
                              "the number of sources is " + std::to_string(sources.size()) + ", that of destinations " +
                                  std::to_string(destinations.size()),
                              "give a destination for each source");
    }
    for (size_t index = 0; index < sources.size(); ++index) {
        require_open(sources[index], copying_batch, [index] { return number_text("source", index); });
        require_open(destinations[index], copying_batch, [index] { return number_text("destination", index); });
        if (sources[index].size() != destinations[index].size()) {
            throw InvalidArgument(copying_batch, describe(destinations[index]),
                                  number_text("destination", index) + " has another size than " +
                                      number_text("source", index) + ", " + describe(sources[index]),
                                  "give buffers of the same size, or parts of buffers");
        }
    }
    require_no_overlap(sources, destinations);
}

// The device that a copy is about; -1 for one between two devices, which no batch takes. Borrowed memory that the
// driver does not know is refused here: in a batch it would be taken for the host's.
int32_t device_of_copy(const BufferRef& source, const BufferRef& destination) {
    const bool is_from_host = source.is_host_accessible();
    const bool is_to_host = destination.is_host_accessible();
    if (is_from_host || is_to_host) return is_to_host ? source.device_id() : destination.device_id();
    return source.device_id() == destination.device_id() ? source.device_id() : -1;
}

CUmemcpyAttributes native_attributes(const CopyOptions& options) {
    CUmemcpyAttributes attributes{};
    attributes.srcAccessOrder = static_cast<CUmemcpySrcAccessOrder>(options.source_access_order);
    if (options.source_location_hint) attributes.srcLocHint = native(*options.source_location_hint);
    if (options.destination_location_hint) attributes.dstLocHint = native(*options.destination_location_hint);
    if (options.prefer_overlap_with_compute) attributes.flags = CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE;
    return attributes;
}

CUresult submit_batch(Ranges& from, Ranges& to, CUmemcpyAttributes& attributes, CUstream stream) {
    size_t first_of_attribute = 0;
#if CUDA_VERSION >= 13000
    return driver::cuMemcpyBatchAsync(to.addresses.data(), from.addresses.data(), to.sizes.data(), to.sizes.size(),
                                      &attributes, &first_of_attribute, 1, stream);
#else
    size_t failed = 0;
    return driver::cuMemcpyBatchAsync(to.addresses.data(), from.addresses.data(), to.sizes.data(), to.sizes.size(),
                                      &attributes, &first_of_attribute, 1, &failed, stream);
#endif
}

// Whether the driver did it; false where it has no such call.
template <class Object>
bool succeeded_or_missing(CUresult result, const char* function, const char* operation, const Object& object) {
    if (result == CUDA_SUCCESS) return true;
    if (take_unresolved(result, function)) return false;
    if (result == CUDA_ERROR_NOT_SUPPORTED) {
        discard_driver_log();
        return false;
    }
    throw_driver_error(result, function, operation, describe(object));
}

// Managed ranges, and a location for each.
struct ManagedRanges {
    Ranges ranges;
    std::vector<CUmemLocation> locations;
    std::vector<size_t> firsts;
    const char* operation;

    ManagedRanges(StreamRef stream, std::span<const BufferRef> buffers, const char* doing) : operation(doing) {
        require_valid(stream, operation);
        for (size_t index = 0; index < buffers.size(); ++index) {
            const BufferRef& buffer = buffers[index];
            require_open(buffer, operation, [index] { return number_text("buffer", index); });
            if (!buffer.is_managed()) {
                throw InvalidArgument(
                    operation, describe(buffer),
                    number_text("buffer", index) + " is not managed memory; only managed memory has pages that move",
                    "allocate it from a managed memory resource");
            }
            if (buffer.size() > 0) ranges.add(buffer);
        }
    }

    void place(std::span<const BufferRef> buffers, std::span<const MemoryLocation> wanted) {
        if (wanted.size() != 1 && wanted.size() != buffers.size()) {
            throw InvalidArgument(operation, "",
                                  "the number of buffers is " + std::to_string(buffers.size()) +
                                      ", that of locations " + std::to_string(wanted.size()),
                                  "give one location for all buffers, or one for each");
        }
        for (size_t index = 0; index < buffers.size(); ++index) {
            if (buffers[index].size() == 0) continue;
            firsts.push_back(locations.size());
            locations.push_back(native(wanted.size() == 1 ? wanted[0] : wanted[index]));
        }
    }

    bool is_empty() const { return ranges.addresses.empty(); }
};

}  // namespace

void copy_batch(StreamRef stream, std::span<const BufferRef> sources, std::span<const BufferRef> destinations,
                const CopyOptions& options) {
    require_valid(stream, copying_batch);
    require_pairs(sources, destinations);
    // A batch is of one device: others are copied by themselves.
    Ranges from, to;
    std::vector<size_t> in_batch;
    std::vector<size_t> alone;
    int32_t device_id = -1;
    const bool has_batches = !is_default_stream(stream.handle()) && !stream.is_capturing();
    for (size_t index = 0; index < sources.size(); ++index) {
        if (sources[index].size() == 0) continue;
        const int32_t its_device = has_batches ? device_of_copy(sources[index], destinations[index]) : -1;
        if (device_id == -1) device_id = its_device;
        if (its_device == -1 || its_device != device_id) {
            alone.push_back(index);
            continue;
        }
        in_batch.push_back(index);
        from.add(sources[index]);
        to.add(destinations[index]);
    }
    if (!in_batch.empty()) {
        const ContextScope scope(device_id);  // unlike single copies, a batch needs one that is current
        CUmemcpyAttributes attributes = native_attributes(options);
        const CUresult result = submit_batch(from, to, attributes, stream.handle());
        const auto object = [&] { return std::to_string(in_batch.size()) + " copies in " + describe(stream); };
        if (!succeeded_or_missing(result, "cuMemcpyBatchAsync", copying_batch, object)) {
            alone.insert(alone.end(), in_batch.begin(), in_batch.end());
        }
    }
    if (alone.empty()) return;
    const bool reads_during_call = options.source_access_order == CopySourceAccessOrder::during_api_call;
    if (reads_during_call && stream.is_capturing()) {
        throw InvalidState(copying_batch, describe(stream),
                           "the stream is captured, so that sources are not read before the call returns",
                           "choose another access order of the sources, or copy outside of the capture");
    }
    for (const size_t index : alone)
        destinations[index].copy_from(sources[index], stream);
    if (reads_during_call) stream.sync();
}

void prefetch_batch(StreamRef stream, std::span<const BufferRef> buffers, std::span<const MemoryLocation> locations) {
    ManagedRanges batch(stream, buffers, prefetching_batch);
    batch.place(buffers, locations);
    if (batch.is_empty()) return;
#if CUDA_VERSION >= 13000
    const ContextScope scope(stream);
    const CUresult result = driver::cuMemPrefetchBatchAsync(
        batch.ranges.addresses.data(), batch.ranges.sizes.data(), batch.ranges.sizes.size(), batch.locations.data(),
        batch.firsts.data(), batch.locations.size(), 0, stream.handle());
    if (succeeded_or_missing(result, "cuMemPrefetchBatchAsync", batch.operation, stream)) return;
#endif
    for (size_t index = 0; index < buffers.size(); ++index)
        buffers[index].prefetch(locations.size() == 1 ? locations[0] : locations[index], stream);
}

void discard_batch(StreamRef stream, std::span<const BufferRef> buffers) {
    ManagedRanges batch(stream, buffers, discarding_batch);
    if (batch.is_empty()) return;
    const ContextScope scope(stream);
#if CUDA_VERSION >= 13000
    const CUresult result = driver::cuMemDiscardBatchAsync(batch.ranges.addresses.data(), batch.ranges.sizes.data(),
                                                           batch.ranges.sizes.size(), 0, stream.handle());
#else
    const CUresult result = CUDA_ERROR_NOT_SUPPORTED;
#endif
    check(result, "cuMemDiscardBatchAsync", batch.operation, stream);
}

void discard_prefetch_batch(StreamRef stream, std::span<const BufferRef> buffers,
                            std::span<const MemoryLocation> locations) {
    ManagedRanges batch(stream, buffers, discard_prefetching_batch);
    batch.place(buffers, locations);
    if (batch.is_empty()) return;
    const ContextScope scope(stream);
#if CUDA_VERSION >= 13000
    const CUresult result = driver::cuMemDiscardAndPrefetchBatchAsync(
        batch.ranges.addresses.data(), batch.ranges.sizes.data(), batch.ranges.sizes.size(), batch.locations.data(),
        batch.firsts.data(), batch.locations.size(), 0, stream.handle());
#else
    const CUresult result = CUDA_ERROR_NOT_SUPPORTED;
#endif
    check(result, "cuMemDiscardAndPrefetchBatchAsync", batch.operation, stream);
}

}  // namespace cuprum::core
