#include "driver/copy.hpp"

#include <cstring>
#include <vector>

#include "driver/entry.hpp"

namespace cuprum::simulator::libcuda {

namespace {

// A side after its check: where its bytes are for the simulator.
struct Place {
    std::byte* bytes = nullptr;
    bool device = false;    // device or managed memory
    bool pageable = false;  // host memory that the driver does not know
    uint64_t address = 0;
    size_t pitch = 0;
    size_t slice_pitch = 0;
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

Place locate(const CopySide& side, const CopyExtent& extent, bool written) {
    const uint64_t bytes = reach(side, extent);
    Place place{nullptr, false, false, side.address, side.pitch, side.slice_pitch};
    const std::optional<Allocation> found = driver().addresses().find(side.address);
    if (found) {
        const uint64_t offset = side.address - found->begin;
        if (bytes > found->size - offset) {
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
        place.device = !found->on_host();
        place.bytes = reinterpret_cast<std::byte*>(side.address + found->host_offset);
        return place;
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
                          format("%s: %s is no device memory", side.parameter, hexadecimal(side.address).c_str()));
    }
    if (side.address == 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%s is null", side.parameter));
    place.pageable = true;
    place.bytes = reinterpret_cast<std::byte*>(side.address);
    return place;
}

// When its turn comes in the stream, memory must be there: stream-ordered memory comes and goes with the streams.
void require_accessible(const Place& place) {
    if (!place.device) return;
    const std::optional<Allocation> found = driver().addresses().find(place.address);
    if (found && found->accessible) return;
    const Device* device = driver().device_of_address(place.address);
    throw DriverError(CUDA_ERROR_ILLEGAL_ADDRESS,
                      "a copy or fill in a stream touched " + hexadecimal(place.address) +
                          " when it was not allocated in the order of the streams: " +
                          driver().addresses().describe(device ? device->ordinal() : 0, place.address));
}

void copy_rows(const Place& destination, const Place& source, const CopyExtent& extent) {
    for (size_t slice = 0; slice < extent.depth; ++slice) {
        for (size_t row = 0; row < extent.height; ++row) {
            // memmove: the two may overlap, which CUDA leaves undefined and must not be undefined here.
            std::memmove(destination.bytes + slice * destination.slice_pitch + row * destination.pitch,
                         source.bytes + slice * source.slice_pitch + row * source.pitch, extent.width);
        }
    }
}

}  // namespace

void copy(const std::shared_ptr<Stream>& stream, const CopySide& destination, const CopySide& source,
          const CopyExtent& extent, CopyTiming timing) {
    if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return;
    const Place to = locate(destination, extent, true);
    Place from = locate(source, extent, false);

    // As documented for asynchronous copies from pageable memory: the call returns once the bytes have been staged.
    std::shared_ptr<std::vector<std::byte>> staged;
    if (timing == CopyTiming::asynchronous && from.pageable && !to.pageable) {
        staged = std::make_shared<std::vector<std::byte>>(extent.width * extent.height * extent.depth);
        Place stage{staged->data(), false, true, 0, extent.width, extent.width * extent.height};
        copy_rows(stage, from, extent);
        from = stage;
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
    const bool within_devices = to.device && from.device;
    if (to.pageable || (timing == CopyTiming::blocking && !within_devices)) wait_for(*stream, ticket);
}

void fill(const std::shared_ptr<Stream>& stream, uint64_t address, size_t pitch, uint32_t value, size_t element,
          size_t width, size_t height, CopyTiming timing) {
    if (width > SIZE_MAX / element) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%zu elements of %zu bytes overflow", width, element));
    }
    if (address % element != 0 || (height > 1 && pitch % element != 0)) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("dstDevice %s or its pitch is no multiple of the %zu bytes of "
                                 "an element",
                                 hexadecimal(address).c_str(), element));
    }
    if (width == 0 || height == 0) return;
    const CopyExtent extent{width * element, height, 1};
    const Place to = locate({CopySide::Place::device, address, pitch, 0, "dstDevice"}, extent, true);
    const std::shared_ptr<Context> context = stream->context();
    const uint64_t ticket = context->submit(stream, [context, to, value, element, width, height] {
        context->run_unless_failed([&] {
            require_accessible(to);
            for (size_t row = 0; row < height; ++row) {
                std::byte* bytes = to.bytes + row * to.pitch;
                if (element == 1) {
                    std::memset(bytes, static_cast<int>(value), width);
                } else if (element == 2) {
                    std::fill_n(reinterpret_cast<uint16_t*>(bytes), width, static_cast<uint16_t>(value));
                } else {
                    std::fill_n(reinterpret_cast<uint32_t*>(bytes), width, value);
                }
            }
        });
    });
    if (timing == CopyTiming::blocking && !to.device) wait_for(*stream, ticket);
}

}  // namespace cuprum::simulator::libcuda
