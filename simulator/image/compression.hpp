// Decompression with the system's own libraries, which are opened when they are first needed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cuprum::simulator::image {

enum class Compression { none, lz4, zstd };

// The bytes, or why there are none.
struct Decompressed {
    std::string bytes;
    std::string error;  // empty on success
};

// `size` is what the bytes are known to come to; another size is an error. Thread-safe.
Decompressed decompress(std::string_view packed, size_t size, Compression compression);

}  // namespace cuprum::simulator::image
