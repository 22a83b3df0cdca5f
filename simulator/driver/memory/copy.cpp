#include "driver/memory/copy.hpp"

#include <cstring>
#include <vector>

#include "driver/graph/capture.hpp"
#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

namespace {

// A side after its check: where its bytes are for the simulator.
struct Located {
    std::byte* bytes = nullptr;
    bool device = false;    // device or managed memory
    bool pageable = false;  // host memory that the driver does not know
    uint64_t address = 0;
    size_t pitch = 0;
    size_t slice_pitch = 0;
    std::shared_ptr<Array> array = nullptr;  // held while the copy is under way
    bool host_visible = true;                // the program may read and write it
};

unsigned long long printable(uint64_t value) {
    return value;
}

// Bytes from the first to the last that a side touches. Throws for pitches that rows do not fit in.
uint64_t reach(const CopySide& side, const CopyExtent& extent) {
    if (extent.height > 1 && side.pitch < extent.width) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%s: rows of %zu bytes do not fit a pitch of %zu",
                                                           side.parameter, extent.width, side.pitch));
    }
    uint64_t slices = 0, rows = 0, bytes = 0;
    const bool overflow = __builtin_mul_overflow(extent.depth - 1, side.slice_pitch, &slices) ||
                          __builtin_mul_overflow(extent.height - 1, side.pitch, &rows) ||
                          __builtin_add_overflow(slices, rows, &bytes) ||
                          __builtin_add_overflow(bytes, extent.width, &bytes);
    if (overflow) throw DriverError(CUDA_ERROR_INVALID_VALUE, std::string(side.parameter) + ": the extent overflows");
    return bytes;
}

// Whether mapped memory goes on behind an allocation as far as that: mappings side by side in one reservation are one
// range of addresses, and at one distance to their bytes.
bool reaches_across_mappings(Allocation part, uint64_t address, uint64_t bytes) {
    while (part.kind == Allocation::Kind::mapped) {
        const uint64_t end = part.begin + part.size;
        if (bytes <= end - address) return true;
        const std::optional<Allocation> next = driver().addresses().find(end);
        if (!next || next->begin != end || next->host_offset != part.host_offset) return false;
        part = *next;
    }
    return false;
}

bool reachable_by_anybody(const Allocation& allocation) {
    const CUmemAccess_flags by_host = driver().addresses().access_of(*allocation.access, MemoryAccess::host);
    if (by_host != CU_MEM_ACCESS_FLAGS_PROT_NONE) return true;
    for (uint32_t ordinal = 0; ordinal < driver().device_count(); ++ordinal) {
        if (driver().addresses().access_of(*allocation.access, ordinal) != CU_MEM_ACCESS_FLAGS_PROT_NONE) return true;
    }
    return false;
}

Located locate_in_array(const CopySide& side, const CopyExtent& extent) {
    const Array& array = *side.array;
    const auto fits = [](size_t from, size_t count, size_t size) { return from <= size && count <= size - from; };
    if (!fits(side.x, extent.width, array.row_bytes()) || !fits(side.y, extent.height, array.rows()) ||
        !fits(side.z, extent.depth, array.slices())) {
        throw DriverError(
            CUDA_ERROR_INVALID_VALUE,
            format("%s: %zu bytes x %zu x %zu from %zu, %zu, %zu on are not within the array's %zu bytes x %zu x %zu",
                   side.parameter, extent.width, extent.height, extent.depth, side.x, side.y, side.z, array.row_bytes(),
                   array.rows(), array.slices()));
    }
    Located place;
    place.array = side.array;
    place.pitch = array.row_bytes();
    place.slice_pitch = array.row_bytes() * array.rows();
    place.bytes = array.bytes() + side.z * place.slice_pitch + side.y * place.pitch + side.x;
    return place;
}

void require_reach(const Device& device, const Allocation& allocation, CUmemAccess_flags wanted,
                   const char* parameter) {
    const CUmemAccess_flags reach = driver().addresses().reach(device.ordinal(), allocation);
    if (reach == wanted || reach == CU_MEM_ACCESS_FLAGS_PROT_READWRITE) return;
    throw DriverError(CUDA_ERROR_INVALID_VALUE,
                      format("%s: device %u must not %s the %s at %s", parameter, device.ordinal(),
                             wanted == CU_MEM_ACCESS_FLAGS_PROT_READ ? "read" : "write", allocation.description.c_str(),
                             hexadecimal(allocation.begin).c_str()));
}

// The device whose access to memory is asked for; none: nobody asks.
struct Accessor {
    const Device* device = nullptr;
    bool fills = false;

    void check(const Allocation& allocation, bool writes, const char* parameter) const {
        // Copies go to all memory of all contexts (cuMemAlloc), but for memory that says itself whose it is. Fills are
        // the device's own work. Managed memory is everybody's, whatever its pool says.
        const bool asks = fills ? allocation.kind != Allocation::Kind::managed
                                : allocation.device_only() && allocation.access != nullptr;
        if (device == nullptr || !asks) return;
        require_reach(*device, allocation, writes ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_READ,
                      parameter);
    }
};

Located locate(const CopySide& side, const CopyExtent& extent, bool written, const Accessor& accessor = {}) {
    if (side.array) return locate_in_array(side, extent);
    const uint64_t bytes = reach(side, extent);
    Located place{nullptr, false, false, side.address, side.pitch, side.slice_pitch, nullptr};
    const std::optional<Allocation> found = driver().addresses().find(side.address);
    if (found) {
        accessor.check(*found, written, side.parameter);
        const uint64_t offset = side.address - found->begin;
        if (bytes > found->size - offset && !reaches_across_mappings(*found, side.address, bytes)) {
            throw DriverError(
                CUDA_ERROR_INVALID_VALUE,
                format("%s: %llu bytes from %s run %llu bytes past the end of the %s at %s", side.parameter,
                       printable(bytes), hexadecimal(side.address).c_str(), printable(bytes - (found->size - offset)),
                       found->description.c_str(), hexadecimal(found->begin).c_str()));
        }
        if (written && found->kind == Allocation::Kind::registered_host && !found->writable) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("%s: the %s is read-only", side.parameter, found->description.c_str()));
        }
        if (found->free_requested) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("%s: %s lies in the %s, which has been freed", side.parameter,
                                     hexadecimal(side.address).c_str(), found->description.c_str()));
        }
        if (side.place == CopySide::Place::device && !accessor.fills && found->from_pinned_pool()) {
            throw DriverError(
                CUDA_ERROR_INVALID_VALUE,
                format("%s: the %s is host memory of a pool, which copies to and from device memory do not "
                       "take: copy with cuMemcpy or cuMemcpyAsync",
                       side.parameter, found->description.c_str()));
        }
        if (found->multicast) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("%s: %s is a multicast address, which only multimem can use", side.parameter,
                                     hexadecimal(side.address).c_str()));
        }
        if (found->kind == Allocation::Kind::mapped && !reachable_by_anybody(*found)) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("%s: nobody has been given access to the %s (cuMemSetAccess)", side.parameter,
                                     found->description.c_str()));
        }
        place.device = !found->on_host();
        place.host_visible = !found->device_only();
        if (written) driver().addresses().note_written(side.address, bytes);
        place.bytes = reinterpret_cast<std::byte*>(side.address + found->host_offset);
        return place;
    }
    if (driver().addresses().reserved(side.address)) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("%s: nothing is mapped at the reserved address %s (cuMemMap, cuMemSetAccess)",
                                 side.parameter, hexadecimal(side.address).c_str()));
    }
    const Device* device = driver().device_of_address(side.address);
    if (device != nullptr) {
        throw DriverError(
            CUDA_ERROR_INVALID_VALUE,
            format("%s: %s is not in any allocation: %s", side.parameter, hexadecimal(side.address).c_str(),
                   driver().addresses().describe(device->ordinal(), side.address).c_str()));
    }
    if (side.place == CopySide::Place::device) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("%s: %s is not device memory", side.parameter, hexadecimal(side.address).c_str()));
    }
    if (side.address == 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%s is null", side.parameter));
    place.pageable = true;
    place.bytes = reinterpret_cast<std::byte*>(side.address);
    return place;
}

// When its turn comes in the stream, memory must be there: stream-ordered memory comes and goes with the streams.
void require_accessible(const Located& place) {
    if (!place.device) return;
    const std::optional<Allocation> found = driver().addresses().find(place.address);
    if (found && found->accessible) return;
    const Device* device = driver().device_of_address(place.address);
    throw DriverError(CUDA_ERROR_ILLEGAL_ADDRESS,
                      "a copy or fill in a stream touched " + hexadecimal(place.address) +
                          " when it was not allocated in the order of the streams: " +
                          driver().addresses().describe(device ? device->ordinal() : 0, place.address));
}

// For check=races. A copy or fill of one word may be a signal, as an atomic access is.
void note_access(const Located& place, const CopyExtent& extent, bool writes) {
    constexpr size_t most_bytes_of_signal = 8;
    using Access = StreamRaces::Access;
    const std::shared_ptr<StreamOperation>& operation = RunningOperation::current();
    if (!operation || place.address == 0 || place.array) return;
    if (writes && place.host_visible) tell_host();
    if (place.pageable) return;
    const bool strong = extent.width * extent.height * extent.depth <= most_bytes_of_signal;
    const Access access =
        strong ? (writes ? Access::strong_write : Access::strong_read) : (writes ? Access::write : Access::read);
    for (size_t slice = 0; slice < extent.depth; ++slice) {
        for (size_t row = 0; row < extent.height; ++row) {
            const uint64_t address = place.address + slice * place.slice_pitch + row * place.pitch;
            const auto race = operation->races().access(operation, address, extent.width, access);
            if (!race) continue;
            const Device* const device = driver().device_of_address(address);
            throw DriverError(
                CUDA_ERROR_LAUNCH_FAILED,
                race->report + "; " + driver().addresses().describe(device ? device->ordinal() : 0, race->address));
        }
    }
}

void copy_rows(const Located& destination, const Located& source, const CopyExtent& extent) {
    if (const std::shared_ptr<StreamOperation>& operation = RunningOperation::current()) {
        operation->set_description("a copy");
        note_access(source, extent, false);
        note_access(destination, extent, true);
    }
    for (size_t slice = 0; slice < extent.depth; ++slice) {
        for (size_t row = 0; row < extent.height; ++row) {
            // memmove: the two may overlap, which CUDA leaves undefined and must not be undefined here.
            std::memmove(destination.bytes + slice * destination.slice_pitch + row * destination.pitch,
                         source.bytes + slice * source.slice_pitch + row * source.pitch, extent.width);
        }
    }
}

Located locate_fill(const Fill& fill, const Accessor& accessor = {}) {
    if (fill.width > SIZE_MAX / fill.element) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("%zu elements of %zu bytes overflow", fill.width, fill.element));
    }
    if (fill.address % fill.element != 0 || (fill.height > 1 && fill.pitch % fill.element != 0)) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("dstDevice %s or its pitch is not a multiple of the %zu bytes of "
                                 "an element",
                                 hexadecimal(fill.address).c_str(), fill.element));
    }
    if (fill.width == 0 || fill.height == 0) return {};
    return locate({CopySide::Place::device, fill.address, fill.pitch, 0, "dstDevice"},
                  {fill.width * fill.element, fill.height, 1}, true, accessor);
}

void fill_rows(const Located& to, const Fill& fill) {
    if (const std::shared_ptr<StreamOperation>& operation = RunningOperation::current()) {
        operation->set_description("a fill");
        note_access(to, {fill.width * fill.element, fill.height, 1}, true);
    }
    for (size_t row = 0; row < fill.height; ++row) {
        std::byte* bytes = to.bytes + row * to.pitch;
        if (fill.element == 1) {
            std::memset(bytes, static_cast<int>(fill.value), fill.width);
        } else if (fill.element == 2) {
            std::fill_n(reinterpret_cast<uint16_t*>(bytes), fill.width, static_cast<uint16_t>(fill.value));
        } else {
            std::fill_n(reinterpret_cast<uint32_t*>(bytes), fill.width, fill.value);
        }
    }
}

// The side of a 2D or 3D copy that CUDA_MEMCPY3D describes by memory type, host pointer, device pointer and array.
CopySide side_of(CUmemorytype type, const void* host, CUdeviceptr device, CUarray array, size_t x, size_t y, size_t z,
                 size_t pitch, size_t height, const char* parameter) {
    CopySide side;
    side.parameter = parameter;
    side.pitch = pitch;
    side.slice_pitch = pitch * height;
    switch (type) {
        case CU_MEMORYTYPE_HOST:
            side.place = CopySide::Place::host;
            side.address = reinterpret_cast<uint64_t>(host);
            break;
        case CU_MEMORYTYPE_DEVICE:
            side.place = CopySide::Place::device;
            side.address = device;
            break;
        case CU_MEMORYTYPE_UNIFIED:
            side.place = CopySide::Place::any;
            side.address = device;
            break;
        case CU_MEMORYTYPE_ARRAY:
            side.array = find_array(array);
            side.x = x;
            side.y = y;
            side.z = z;
            return side;
        default:
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%s: unknown memory type %d", parameter, type));
    }
    if (side.address == 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%s is null", parameter));
    side.address += z * side.slice_pitch + y * pitch + x;
    return side;
}

}  // namespace

Copy describe_copy(const CUDA_MEMCPY3D& p) {
    const auto require_pitch = [&](const char* side, CUmemorytype type, size_t x, size_t pitch) {
        const bool rows = p.Height > 1 || p.Depth > 1;
        if (type == CU_MEMORYTYPE_ARRAY || !rows || pitch == 0 || x + p.WidthInBytes <= pitch) return;
        throw DriverError(
            CUDA_ERROR_INVALID_VALUE,
            format("%s: rows of %zu bytes from byte %zu on do not fit a pitch of %zu", side, p.WidthInBytes, x, pitch));
    };
    require_pitch("the source", p.srcMemoryType, p.srcXInBytes, p.srcPitch);
    require_pitch("the destination", p.dstMemoryType, p.dstXInBytes, p.dstPitch);
    // A pitch of 0 stands for rows that follow one another.
    const size_t source_pitch = p.srcPitch ? p.srcPitch : p.WidthInBytes + p.srcXInBytes;
    const size_t destination_pitch = p.dstPitch ? p.dstPitch : p.WidthInBytes + p.dstXInBytes;
    return {side_of(p.dstMemoryType, p.dstHost, p.dstDevice, p.dstArray, p.dstXInBytes, p.dstY, p.dstZ,
                    destination_pitch, p.dstHeight ? p.dstHeight : p.Height + p.dstY, "the destination"),
            side_of(p.srcMemoryType, p.srcHost, p.srcDevice, p.srcArray, p.srcXInBytes, p.srcY, p.srcZ, source_pitch,
                    p.srcHeight ? p.srcHeight : p.Height + p.srcY, "the source"),
            {p.WidthInBytes, p.Height, p.Depth}};
}

CUDA_MEMCPY3D parameters_of(const Copy& copy) {
    CUDA_MEMCPY3D p{};
    const auto type_of = [](const CopySide& side) {
        return side.array                              ? CU_MEMORYTYPE_ARRAY
               : side.place == CopySide::Place::host   ? CU_MEMORYTYPE_HOST
               : side.place == CopySide::Place::device ? CU_MEMORYTYPE_DEVICE
                                                       : CU_MEMORYTYPE_UNIFIED;
    };
    const CopySide& from = copy.source;
    const CopySide& to = copy.destination;
    p.srcMemoryType = type_of(from);
    p.srcArray = from.array ? handles().arrays.handle_of(from.array) : nullptr;
    p.srcXInBytes = from.x;
    p.srcY = from.y;
    p.srcZ = from.z;
    if (p.srcMemoryType == CU_MEMORYTYPE_HOST) {
        p.srcHost = reinterpret_cast<const void*>(from.address);
    } else {
        p.srcDevice = from.address;
    }
    p.srcPitch = from.pitch;
    p.srcHeight = from.pitch ? from.slice_pitch / from.pitch : 0;
    p.dstMemoryType = type_of(to);
    p.dstArray = to.array ? handles().arrays.handle_of(to.array) : nullptr;
    p.dstXInBytes = to.x;
    p.dstY = to.y;
    p.dstZ = to.z;
    if (p.dstMemoryType == CU_MEMORYTYPE_HOST) {
        p.dstHost = reinterpret_cast<void*>(to.address);
    } else {
        p.dstDevice = to.address;
    }
    p.dstPitch = to.pitch;
    p.dstHeight = to.pitch ? to.slice_pitch / to.pitch : 0;
    p.WidthInBytes = copy.extent.width;
    p.Height = copy.extent.height;
    p.Depth = copy.extent.depth;
    return p;
}

void check_copy(const Copy& copy) {
    if (copy.extent.width == 0 || copy.extent.height == 0 || copy.extent.depth == 0) return;
    locate(copy.destination, copy.extent, true);
    locate(copy.source, copy.extent, false);
}

void copy_now(const Copy& copy) {
    if (copy.extent.width == 0 || copy.extent.height == 0 || copy.extent.depth == 0) return;
    const Located to = locate(copy.destination, copy.extent, true);
    const Located from = locate(copy.source, copy.extent, false);
    require_accessible(to);
    require_accessible(from);
    copy_rows(to, from, copy.extent);
}

void copy(const std::shared_ptr<Stream>& stream, const CopySide& destination, const CopySide& source,
          const CopyExtent& extent, CopyTiming timing, CopyAccess access) {
    if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return;
    Accessor accessor;
    if (access == CopyAccess::current) {
        const std::shared_ptr<Context> current = ContextStack::current();
        accessor.device = &(current ? current : stream->context())->device();
    }
    const Located to = locate(destination, extent, true, accessor);
    Located from = locate(source, extent, false, accessor);
    if (timing == CopyTiming::blocking) refuse_captured(stream, "a blocking copy");
    if (captures(stream)) {
        add_captured(stream, CopyOperation{parameters_of({destination, source, extent}), stream->context()});
        return;
    }

    // As documented for asynchronous copies from pageable memory: the call returns once the bytes have been staged.
    std::shared_ptr<std::vector<std::byte>> staged;
    const bool on_host = !from.device && !from.array;
    const bool is_staged = timing == CopyTiming::asynchronous ? from.pageable && !to.pageable
                                                              : timing == CopyTiming::source_during_call && on_host;
    if (is_staged) {
        staged = std::make_shared<std::vector<std::byte>>(extent.width * extent.height * extent.depth);
        Located stage{staged->data(), false, true, 0, extent.width, extent.width * extent.height, nullptr};
        copy_rows(stage, from, extent);
        from = std::move(stage);
    }
    const std::shared_ptr<Context> context = stream->context();
    const uint64_t ticket = context->submit(stream, [context, to, from, extent, staged] {
        context->run_unless_failed([&] {
            require_accessible(to);
            require_accessible(from);
            copy_rows(to, from, extent);
        });
    });
    // Copies within devices never hold up the host; those to pageable memory always do.
    const bool within_devices = (to.device || to.array) && (from.device || from.array);
    if (to.pageable || (timing == CopyTiming::blocking && !within_devices)) wait_for(*stream, ticket);
}

Fill describe_fill(const CUDA_MEMSET_NODE_PARAMS& parameters) {
    if (parameters.elementSize != 1 && parameters.elementSize != 2 && parameters.elementSize != 4) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("elementSize is %u bytes; it must be 1, 2 or 4", parameters.elementSize));
    }
    return {parameters.dst,         parameters.pitch, parameters.value,
            parameters.elementSize, parameters.width, parameters.height};
}

void check_fill(const Fill& fill) {
    locate_fill(fill);
}

void fill_now(const Fill& fill) {
    if (fill.width == 0 || fill.height == 0) return;
    const Located to = locate_fill(fill);
    require_accessible(to);
    fill_rows(to, fill);
}

void fill(const std::shared_ptr<Stream>& stream, const Fill& fill, CopyTiming timing) {
    const std::shared_ptr<Context>& context = stream->context();
    const Located to = locate_fill(fill, {&context->device(), true});
    if (timing == CopyTiming::blocking) refuse_captured(stream, "a blocking fill");
    if (captures(stream)) {
        const CUDA_MEMSET_NODE_PARAMS parameters{
            fill.address, fill.pitch, fill.value, static_cast<unsigned int>(fill.element), fill.width, fill.height};
        add_captured(stream, FillOperation{parameters, context});
        return;
    }
    if (fill.width == 0 || fill.height == 0) return;
    const uint64_t ticket = context->submit(stream, [context, to, fill] {
        context->run_unless_failed([&] {
            require_accessible(to);
            fill_rows(to, fill);
        });
    });
    if (timing == CopyTiming::blocking && !to.device) wait_for(*stream, ticket);
}

}  // namespace cuprum::simulator::libcuda
