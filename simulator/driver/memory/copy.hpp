// Copies and fills between any two places, in the order of a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "driver/memory/address_space.hpp"
#include "driver/memory/array.hpp"
#include "driver/stream/stream.hpp"

namespace cuprum::simulator::libcuda {

// Throws DriverError(CUDA_ERROR_INVALID_HANDLE).
std::shared_ptr<Array> find_array(CUarray handle);

// One side of a copy: rows of bytes at an address. Both are checked when the copy is asked for.
struct CopySide {
    // What the call says about the pointer. `any` is for calls that tell by its value (unified addressing).
    enum class Place { host, device, any };
    Place place = Place::any;
    uint64_t address = 0;
    size_t pitch = 0;            // bytes from row to row; unused for one row
    size_t slice_pitch = 0;      // bytes from slice to slice; unused for one slice
    const char* parameter = "";  // for reports
    // Instead of an address: an array, and where in it to begin (bytes, rows, slices).
    std::shared_ptr<Array> array = nullptr;
    size_t x = 0, y = 0, z = 0;
};

struct CopyExtent {
    size_t width = 0;  // bytes of each row
    size_t height = 1;
    size_t depth = 1;
};

enum class CopyTiming {
    blocking,      // the call returns when the copy is done (but between two places on devices)
    asynchronous,  // the call may return before; pageable host memory is treated as the driver documents
    // The same, but a source in host memory is read before the call returns, whatever the stream still has to do. What
    // is on a device is read in the stream's order: it may not have been allocated before.
    source_during_call,
};

// Who must have been given access to memory that says who has: of pools, mapped, of graphs.
enum class CopyAccess {
    current,   // the device of the current context, whatever the stream
    any_peer,  // the call names the contexts of both sides
};

struct Copy {
    CopySide destination, source;
    CopyExtent extent;
};

// What the driver's own structure describes, and the other way round. Throws DriverError for memory types that there
// are not, and for null pointers.
Copy describe_copy(const CUDA_MEMCPY3D& parameters);
CUDA_MEMCPY3D parameters_of(const Copy& copy);
// Throws DriverError for sides that do not lie in allocated memory.
void check_copy(const Copy& copy);
// On the calling thread. Throws DriverError, besides, for memory that is not there at this point of the streams' order.
void copy_now(const Copy& copy);

// Throws DriverError for what does not lie in allocated memory, or in memory that must not be touched. Copies nothing
// if the extent is empty.
void copy(const std::shared_ptr<Stream>& stream, const CopySide& destination, const CopySide& source,
          const CopyExtent& extent, CopyTiming timing, CopyAccess access = CopyAccess::current);

// Rows of `width` elements to be filled with a value of 1, 2 or 4 bytes.
struct Fill {
    uint64_t address = 0;
    size_t pitch = 0;  // bytes; unused for one row
    uint32_t value = 0;
    size_t element = 1;  // bytes
    size_t width = 0;
    size_t height = 1;
};

// Throws DriverError for elements of another size.
Fill describe_fill(const CUDA_MEMSET_NODE_PARAMS& parameters);
void check_fill(const Fill& fill);
void fill_now(const Fill& fill);

// Returns before it is done, as the driver does, except for `blocking` fills of host memory. Throws DriverError for
// memory that the stream's device must not write.
void fill(const std::shared_ptr<Stream>& stream, const Fill& fill, CopyTiming timing);

}  // namespace cuprum::simulator::libcuda
