// Copies and fills between any two places, in the order of a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "driver/address_space.hpp"
#include "driver/stream.hpp"

namespace cuprum::simulator::libcuda {

// One side of a copy: rows of bytes at an address. Both are checked when the copy is asked for.
struct CopySide {
    // What the call says about the pointer. `any` is for calls that tell by its value (unified addressing).
    enum class Place { host, device, any };
    Place place = Place::any;
    uint64_t address = 0;
    size_t pitch = 0;            // bytes from row to row; unused for one row
    size_t slice_pitch = 0;      // bytes from slice to slice; unused for one slice
    const char* parameter = "";  // for reports
};

struct CopyExtent {
    size_t width = 0;  // bytes of each row
    size_t height = 1;
    size_t depth = 1;
};

enum class CopyTiming {
    blocking,      // the call returns when the copy is done (but between two places on devices)
    asynchronous,  // the call may return before; pageable host memory is treated as the driver documents
};

// Throws DriverError for what does not lie in allocated memory. Copies nothing if the extent is empty.
void copy(const std::shared_ptr<Stream>& stream, const CopySide& destination, const CopySide& source,
          const CopyExtent& extent, CopyTiming timing);

// Fills rows of `width` elements with a value of 1, 2 or 4 bytes. Returns before it is done, as the driver does, except
// for `blocking` fills of host memory.
void fill(const std::shared_ptr<Stream>& stream, uint64_t address, size_t pitch, uint32_t value, size_t element,
          size_t width, size_t height, CopyTiming timing);

}  // namespace cuprum::simulator::libcuda
