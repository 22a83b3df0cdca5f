// Copies and fills of regions.
#include "cuprum/core/region.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "capture_keeping.hpp"
#include "context.hpp"
#include "cuprum/core/buffer.hpp"
#include "driver_error.hpp"
#include "other_device.hpp"
#include "pattern.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

struct Extent {
    uint64_t width;
    uint64_t height;
    uint64_t depth;
};

// Where rows and slices are in one memory. No pitch is 0.
struct Rows {
    uint64_t offset;
    uint64_t row_pitch;
    uint64_t slice_pitch;

    uint64_t offset_of(uint64_t row, uint64_t slice) const { return offset + slice * slice_pitch + row * row_pitch; }
};

std::string counted(uint64_t count, const char* one) {
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string region_text(const Region& region) {
    std::string text = counted(region.width, "byte") + " x " + counted(region.height, "row");
    if (region.depth != 1) text += " x " + counted(region.depth, "slice");
    text += " at offset " + std::to_string(region.offset);
    if (region.row_pitch != 0) text += ", row pitch " + std::to_string(region.row_pitch);
    if (region.slice_pitch != 0) text += ", slice pitch " + std::to_string(region.slice_pitch);
    return text;
}

// What is done to one region: in errors, and with the memory that the region must lie in.
struct Use {
    const char* operation;
    std::string_view memory;  // "the buffer"
    std::string_view object;  // in its place, where the memory is not the buffer
    const BufferRef& buffer;

    [[noreturn]] void refuse(const Region& region, const std::string& problem, std::string advice) const {
        std::string named = object.empty() ? describe(buffer) : std::string(object);
        throw InvalidArgument(operation, std::move(named), "the region of " + region_text(region) + " " + problem,
                              std::move(advice));
    }
};

// The rows of a region, after the check that they lie within `size` bytes and do not overlap one another.
Rows rows_within(const Region& region, uint64_t size, const Use& use) {
    if (region.width == 0 || region.height == 0 || region.depth == 0) {
        use.refuse(region, "has no bytes", "give a width, a height and a depth of at least 1");
    }
    if (region.row_pitch != 0 && region.row_pitch < region.width) {
        use.refuse(region, "has a row pitch smaller than its width: rows would overlap",
                   "give a row pitch of at least the width, or 0 for rows without gaps");
    }
    Rows rows{region.offset, region.row_pitch != 0 ? region.row_pitch : region.width, region.slice_pitch};
    // From the start of the first row to the end of the last one, of a slice and of all.
    uint64_t slice = 0;
    uint64_t default_pitch = 0;
    bool is_too_large = __builtin_mul_overflow(region.height - 1, rows.row_pitch, &slice) ||
                        __builtin_add_overflow(slice, region.width, &slice) ||
                        (rows.slice_pitch == 0 && region.depth > 1 &&
                         __builtin_mul_overflow(region.height, rows.row_pitch, &default_pitch));
    if (!is_too_large && rows.slice_pitch != 0 && rows.slice_pitch < slice) {
        use.refuse(region, "has a slice pitch smaller than a slice, whose rows take " + counted(slice, "byte"),
                   "give a slice pitch of at least that, or 0 for slices without gaps");
    }
    if (rows.slice_pitch == 0) rows.slice_pitch = region.depth > 1 ? default_pitch : slice;
    uint64_t end = 0;
    is_too_large = is_too_large || __builtin_mul_overflow(region.depth - 1, rows.slice_pitch, &end) ||
                   __builtin_add_overflow(end, slice, &end) || __builtin_add_overflow(end, region.offset, &end);
    if (is_too_large || end > size) {
        const std::string where =
            is_too_large ? "ends beyond the largest address" : "ends at byte " + std::to_string(end);
        use.refuse(
            region,
            where + ", and " + std::string(use.memory) + " has " + (size == 0 ? "no bytes" : counted(size, "byte")),
            "make the region smaller, or use larger memory");
    }
    return rows;
}

// Whether some row of `rows` at `base` has bytes in [begin, end).
bool has_bytes_in(uint64_t begin, uint64_t end, const Rows& rows, uint64_t base, const Extent& extent) {
    const uint64_t first = base + rows.offset;
    if (end <= first) return false;
    // The last row that starts before `end` also ends last of all that do.
    const uint64_t last = end - 1 - first;
    const uint64_t slice = std::min(last / rows.slice_pitch, extent.depth - 1);
    const uint64_t row = std::min((last - slice * rows.slice_pitch) / rows.row_pitch, extent.height - 1);
    return base + rows.offset_of(row, slice) + extent.width > begin;
}

bool overlap(const Rows& left, uint64_t left_base, const Rows& right, uint64_t right_base, const Extent& extent) {
    const auto end_of = [&](const Rows& rows) {
        return rows.offset_of(extent.height - 1, extent.depth - 1) + extent.width;
    };
    if (left_base + end_of(left) <= right_base + right.offset || right_base + end_of(right) <= left_base + left.offset)
        return false;
    for (uint64_t slice = 0; slice < extent.depth; ++slice) {
        for (uint64_t row = 0; row < extent.height; ++row) {
            const uint64_t begin = left_base + left.offset_of(row, slice);
            if (has_bytes_in(begin, begin + extent.width, right, right_base, extent)) return true;
        }
    }
    return false;
}

// The same bytes in as few dimensions as possible: what is contiguous in all memories becomes one row.
template <size_t N>
Extent simplify(Extent extent, const std::array<Rows*, N>& sides) {
    const auto all = [&](auto holds) { return std::all_of(sides.begin(), sides.end(), holds); };
    const auto slices_become_rows = [&] {
        extent.height = extent.depth;
        extent.depth = 1;
        for (Rows* rows : sides)
            rows->row_pitch = rows->slice_pitch;
    };
    if (extent.height == 1) {
        slices_become_rows();
    } else if (all([&](const Rows* rows) { return rows->row_pitch == extent.width; })) {
        extent.width *= extent.height;
        slices_become_rows();
    } else if (all([&](const Rows* rows) {
                   return rows->slice_pitch % rows->row_pitch == 0 &&
                          rows->slice_pitch / rows->row_pitch == extent.height;
               })) {
        extent.height *= extent.depth;
        extent.depth = 1;
    }
    if (extent.depth == 1 && all([&](const Rows* rows) { return rows->row_pitch == extent.width; })) {
        extent.width *= extent.height;
        extent.height = 1;
    }
    return extent;
}

// One side of a copy, as the driver takes it.
struct Side {
    const Use use;
    const Region& region;
    uint64_t base;  // address of the memory
    uint64_t size;  // bytes of the memory
    CUmemorytype type;
    int32_t device_id = 0;  // of a device's memory
    Rows rows{};
};

struct RegionCopy {
    Side destination;
    Side source;
    Extent extent{};

    const char* operation() const { return destination.use.operation; }

    void check() {
        destination.rows = rows_within(destination.region, destination.size, destination.use);
        source.rows = rows_within(source.region, source.size, source.use);
        const Region& to = destination.region;
        const Region& from = source.region;
        extent = {to.width, to.height, to.depth};
        if (from.width != to.width || from.height != to.height || from.depth != to.depth) {
            destination.use.refuse(to, "has another shape than the source, " + region_text(from),
                                   "give both the same width, height and depth");
        }
        if (overlap(destination.rows, destination.base, source.rows, source.base, extent)) {
            destination.use.refuse(to, "overlaps the source, " + region_text(from),
                                   "copy to other memory first, or choose regions that have no byte in common");
        }
    }

    // With `linear(destination offset, source offset, size)` for what is contiguous, and `pitched(extent, destination,
    // source)` for what the driver copies in one call.
    template <class Linear, class Pitched>
    void run(int32_t device_id, const Linear& linear, const Pitched& pitched) const {
        Rows to = destination.rows;
        Rows from = source.rows;
        const Extent rest = simplify(extent, std::array{&to, &from});
        if (rest.height == 1 && rest.depth == 1) {
            linear(to.offset, from.offset, rest.width);
            return;
        }
        const auto largest = static_cast<uint64_t>(Device(device_id).attribute(CU_DEVICE_ATTRIBUTE_MAX_PITCH));
        // The driver counts from slice to slice in rows.
        const bool is_one_call =
            rest.depth == 1 || (to.slice_pitch % to.row_pitch == 0 && from.slice_pitch % from.row_pitch == 0);
        if (std::max(to.row_pitch, from.row_pitch) > largest) {
            for (uint64_t slice = 0; slice < rest.depth; ++slice) {
                for (uint64_t row = 0; row < rest.height; ++row)
                    linear(to.offset_of(row, slice), from.offset_of(row, slice), rest.width);
            }
        } else if (is_one_call) {
            pitched(rest, to, from);
        } else {
            for (uint64_t slice = 0; slice < rest.depth; ++slice) {
                pitched({rest.width, rest.height, 1}, {to.offset_of(0, slice), to.row_pitch, to.slice_pitch},
                        {from.offset_of(0, slice), from.row_pitch, from.slice_pitch});
            }
        }
    }

    // In one call of the driver.
    void submit(const Extent& part, const Rows& to, const Rows& from, CUstream stream) const {
        if (destination.type == CU_MEMORYTYPE_DEVICE && source.type == CU_MEMORYTYPE_DEVICE &&
            destination.device_id != source.device_id) {
            submit_between_devices(part, to, from, stream);
            return;
        }
        CUDA_MEMCPY3D copy{};
        copy.srcMemoryType = source.type;
        copy.srcDevice = source.base + from.offset;
        copy.srcHost = reinterpret_cast<const void*>(source.base + from.offset);
        copy.srcPitch = from.row_pitch;
        copy.srcHeight = from.slice_pitch / from.row_pitch;
        copy.dstMemoryType = destination.type;
        copy.dstDevice = destination.base + to.offset;
        copy.dstHost = reinterpret_cast<void*>(destination.base + to.offset);
        copy.dstPitch = to.row_pitch;
        copy.dstHeight = to.slice_pitch / to.row_pitch;
        fill_in(copy, part);
        core::check(driver::cuMemcpy3DAsync(&copy, stream), "cuMemcpy3DAsync", operation(), destination.use.buffer);
    }

    // Says whose memory it is, and so needs no access of one device to the other's.
    void submit_between_devices(const Extent& part, const Rows& to, const Rows& from, CUstream stream) const {
        CUDA_MEMCPY3D_PEER copy{};
        copy.srcMemoryType = source.type;
        copy.srcDevice = source.base + from.offset;
        copy.srcContext = primary_context(source.device_id);
        copy.srcPitch = from.row_pitch;
        copy.srcHeight = from.slice_pitch / from.row_pitch;
        copy.dstMemoryType = destination.type;
        copy.dstDevice = destination.base + to.offset;
        copy.dstContext = primary_context(destination.device_id);
        copy.dstPitch = to.row_pitch;
        copy.dstHeight = to.slice_pitch / to.row_pitch;
        fill_in(copy, part);
        core::check(driver::cuMemcpy3DPeerAsync(&copy, stream), "cuMemcpy3DPeerAsync", operation(),
                    destination.use.buffer);
    }

    template <class Copy>
    static void fill_in(Copy& copy, const Extent& part) {
        copy.WidthInBytes = part.width;
        copy.Height = part.height;
        copy.Depth = part.depth;
        if (part.depth > 1) return;
        copy.srcHeight = 0;  // no next slice
        copy.dstHeight = 0;
    }
};

constexpr const char* region_to_host = "copying a region to host memory";
constexpr const char* region_from_host = "copying a region from host memory";
constexpr const char* region_to_buffer = "copying a region between buffers";
constexpr const char* filling_region = "filling a region";

// Memory that is not a device's alone is found by its address.
Side buffer_side(const BufferRef& buffer, const Region& region, const char* operation) {
    const CUmemorytype type = buffer.is_host_accessible() ? CU_MEMORYTYPE_UNIFIED : CU_MEMORYTYPE_DEVICE;
    return {{operation, "the buffer", {}, buffer}, region, buffer.handle(), buffer.size(), type, buffer.device_id()};
}

Side host_side(std::span<const std::byte> memory, const Region& region, const char* operation,
               const BufferRef& buffer) {
    const auto address = reinterpret_cast<uintptr_t>(memory.data());
    return {{operation, "the host memory", "host memory", buffer}, region, address, memory.size(), CU_MEMORYTYPE_HOST};
}

RegionCopy from_host(const BufferRef& buffer, const Region& region, std::span<const std::byte> source,
                     const Region& source_region) {
    require_open(buffer, region_from_host);
    RegionCopy copy{buffer_side(buffer, region, region_from_host),
                    host_side(source, source_region, region_from_host, buffer)};
    copy.check();
    return copy;
}

RegionCopy to_host(std::span<const std::byte> destination, const Region& destination_region, const BufferRef& buffer,
                   const Region& region) {
    require_open(buffer, region_to_host);
    RegionCopy copy{host_side(destination, destination_region, region_to_host, buffer),
                    buffer_side(buffer, region, region_to_host)};
    copy.check();
    return copy;
}

// Without a stream: in the legacy default stream's order, and done.
template <class Linear>
void copy_and_wait(const RegionCopy& copy, const BufferRef& buffer, const Linear& linear) {
    const ContextScope scope(buffer.device_id());
    copy.run(buffer.device_id(), linear, [&](const Extent& part, const Rows& to, const Rows& from) {
        copy.submit(part, to, from, CU_STREAM_LEGACY);
        check(driver::cuStreamSynchronize(CU_STREAM_LEGACY), "cuStreamSynchronize", copy.operation(), buffer);
    });
}

template <class Linear>
void copy_in(const StreamRef& stream, const RegionCopy& copy, int32_t device_id, const Linear& linear) {
    const ContextScope scope(stream, device_id);
    keep_memory_in_current_context(stream, {copy.destination.base, copy.source.base}, "copying a region");
    copy.run(device_id, linear, [&](const Extent& part, const Rows& to, const Rows& from) {
        copy.submit(part, to, from, stream.handle());
    });
}

CUresult set_rows(CUdeviceptr address, uint64_t pitch, uint32_t pattern, uint32_t pattern_size, const Extent& part,
                  CUstream stream) {
    const uint64_t count = part.width / pattern_size;
    switch (pattern_size) {
        case 1:
            return driver::cuMemsetD2D8Async(address, pitch, static_cast<unsigned char>(pattern), count, part.height,
                                             stream);
        case 2:
            return driver::cuMemsetD2D16Async(address, pitch, static_cast<unsigned short>(pattern), count, part.height,
                                              stream);
        default:
            return driver::cuMemsetD2D32Async(address, pitch, pattern, count, part.height, stream);
    }
}

}  // namespace

void BufferRef::copy_region_from_host(const Region& region, std::span<const std::byte> source,
                                      const Region& source_region) const {
    copy_and_wait(
        from_host(*this, region, source, source_region), *this,
        [&](uint64_t to, uint64_t from, uint64_t size) { slice(to, size).copy_from_host(source.data() + from, size); });
}

void BufferRef::copy_region_from_host(const Region& region, std::span<const std::byte> source,
                                      const Region& source_region, StreamRef stream) const {
    require_valid(stream, region_from_host);
    copy_in(stream, from_host(*this, region, source, source_region), device_id_,
            [&](uint64_t to, uint64_t from, uint64_t size) {
                slice(to, size).copy_from_host(source.data() + from, size, stream);
            });
}

void BufferRef::copy_region_to_host(std::span<std::byte> destination, const Region& destination_region,
                                    const Region& region) const {
    copy_and_wait(to_host(destination, destination_region, *this, region), *this,
                  [&](uint64_t to, uint64_t from, uint64_t size) {
                      slice(from, size).copy_to_host(destination.data() + to, size);
                  });
}

void BufferRef::copy_region_to_host(std::span<std::byte> destination, const Region& destination_region,
                                    const Region& region, StreamRef stream) const {
    require_valid(stream, region_to_host);
    copy_in(stream, to_host(destination, destination_region, *this, region), device_id_,
            [&](uint64_t to, uint64_t from, uint64_t size) {
                slice(from, size).copy_to_host(destination.data() + to, size, stream);
            });
}

void BufferRef::copy_region_from(const Region& region, const BufferRef& source, const Region& source_region,
                                 StreamRef stream) const {
    require_valid(stream, region_to_buffer);
    require_open(*this, region_to_buffer, "destination");
    require_open(source, region_to_buffer, "source");
    RegionCopy copy{buffer_side(*this, region, region_to_buffer), buffer_side(source, source_region, region_to_buffer)};
    copy.check();
    const bool is_to_device = copy.destination.type == CU_MEMORYTYPE_DEVICE;
    copy_in(stream, copy, is_to_device ? device_id_ : source.device_id(),
            [&](uint64_t to, uint64_t from, uint64_t size) {
                slice(to, size).copy_from(source.slice(from, size), stream);
            });
}

void BufferRef::fill_region(const Region& region, uint32_t pattern, uint32_t pattern_size, StreamRef stream) const {
    require_valid(stream, filling_region);
    require_open(*this, filling_region);
    require_pattern(pattern, pattern_size, filling_region, *this);
    const Use use{filling_region, "the buffer", {}, *this};
    Rows rows = rows_within(region, size_, use);
    const Extent extent = simplify({region.width, region.height, region.depth}, std::array{&rows});
    const bool is_aligned = (address_ + rows.offset) % pattern_size == 0 && region.width % pattern_size == 0 &&
                            (region.height == 1 || region.row_pitch % pattern_size == 0) &&
                            (region.depth == 1 || region.slice_pitch % pattern_size == 0);
    if (!is_aligned) {
        use.refuse(region, "does not suit a pattern of " + counted(pattern_size, "byte"),
                   "give a width, pitches and an address of the first row that are multiples of the pattern's size");
    }
    if (extent.height == 1 && extent.depth == 1) {
        slice(rows.offset, extent.width).fill(pattern, pattern_size, stream);
        return;
    }
    const ContextScope scope(stream);
    keep_memory_in_current_context(stream, {address_}, filling_region);
    for (uint64_t slice = 0; slice < extent.depth; ++slice) {
        check_reach(set_rows(address_ + rows.offset_of(0, slice), rows.row_pitch, pattern, pattern_size, extent,
                             stream.handle()),
                    "cuMemsetD2D", filling_region, *this, stream, *this);
    }
}

uint64_t Device::row_pitch(uint64_t width) const {
    const auto alignment = static_cast<uint64_t>(attribute(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT));
    if (width > UINT64_MAX - (alignment - 1)) {
        throw InvalidArgument("choosing a row pitch", describe_device(device_id_),
                              "rows of " + std::to_string(width) + " bytes fit no memory", "give the width in bytes");
    }
    return (width + alignment - 1) / alignment * alignment;
}

}  // namespace cuprum::core
