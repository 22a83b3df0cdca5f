#include "image/compression.hpp"

#include <dlfcn.h>

#include <climits>

namespace cuprum::simulator::image {
namespace {

// A function of a library that stays open; null if either is missing.
template <typename Function>
Function* find(const char* library, const char* name) {
    void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    return handle == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(handle, name));
}

std::string missing(const char* library, const char* package) {
    return std::string("it is compressed, and ") + library + " is not there to read it with: install " + package +
           " (Debian, Ubuntu), or compile without compression (nvcc --compress-mode=none)";
}

constexpr const char* damaged = "its compressed bytes are damaged";

// Signatures from lz4.h and zstd.h, whose sonames promise them.
bool decompress_lz4(std::string_view packed, Decompressed& result) {
    using Decompress = int(const char*, char*, int, int);
    static Decompress* const run = find<Decompress>("liblz4.so.1", "LZ4_decompress_safe");
    if (run == nullptr) {
        result.error = missing("liblz4.so.1", "liblz4-1");
        return false;
    }
    if (packed.size() > INT_MAX || result.bytes.size() > INT_MAX) return false;
    const int size =
        run(packed.data(), result.bytes.data(), static_cast<int>(packed.size()), static_cast<int>(result.bytes.size()));
    return size >= 0 && static_cast<size_t>(size) == result.bytes.size();
}

bool decompress_zstd(std::string_view packed, Decompressed& result) {
    using Decompress = size_t(void*, size_t, const void*, size_t);
    static Decompress* const run = find<Decompress>("libzstd.so.1", "ZSTD_decompress");
    if (run == nullptr) {
        result.error = missing("libzstd.so.1", "libzstd1");
        return false;
    }
    return run(result.bytes.data(), result.bytes.size(), packed.data(), packed.size()) == result.bytes.size();
}

// No PTX packs better than this, and what the header of a damaged file says must not exhaust the memory.
constexpr size_t largest_ratio = 5000, always_allowed = 1 << 20;

}  // namespace

Decompressed decompress(std::string_view packed, size_t size, Compression compression) {
    Decompressed result;
    if (size > always_allowed && size / largest_ratio > packed.size()) {
        result.error = damaged;
        return result;
    }
    result.bytes.resize(size);
    bool done = false;
    switch (compression) {
        case Compression::none:
            result.bytes = packed;
            done = packed.size() == size;
            break;
        case Compression::lz4:
            done = decompress_lz4(packed, result);
            break;
        case Compression::zstd:
            done = decompress_zstd(packed, result);
            break;
    }
    if (!done && result.error.empty()) result.error = damaged;
    if (!result.error.empty()) result.bytes.clear();
    return result;
}

}  // namespace cuprum::simulator::image
