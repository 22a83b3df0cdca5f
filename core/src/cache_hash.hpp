// The hash of names and checksums in the compile cache: FNV-1a over 64-bit words (the last one padded with zeros). Not
// against malice: entries are compared with their whole key, and the folder is the user's own.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace cuprum::core {

inline uint64_t cache_hash(std::string_view bytes, uint64_t seed = 0xcbf29ce484222325) {
    constexpr uint64_t prime = 0x100000001b3;
    uint64_t hash = (seed ^ bytes.size()) * prime;
    while (!bytes.empty()) {
        uint64_t word = 0;
        const size_t count = bytes.size() < sizeof(word) ? bytes.size() : sizeof(word);
        std::memcpy(&word, bytes.data(), count);
        hash = (hash ^ word) * prime;
        hash ^= hash >> 32;
        bytes.remove_prefix(count);
    }
    return hash;
}

}  // namespace cuprum::core
