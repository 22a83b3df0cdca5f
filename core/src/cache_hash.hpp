// The hash of names and checksums in the compile cache: FNV-1a over 64-bit words, in four lanes (a processor multiplies
// for them at once) and then over the lanes and what is left, the last word padded with zeros. Not against malice:
// entries are compared with their whole key, and the folder is the user's own.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace cuprum::core {

inline uint64_t cache_hash(std::string_view bytes, uint64_t seed = 0xcbf29ce484222325) {
    constexpr uint64_t prime = 0x100000001b3;
    const auto take = [&](uint64_t& hash, size_t count) {
        uint64_t word = 0;
        std::memcpy(&word, bytes.data(), count);
        bytes.remove_prefix(count);
        hash = (hash ^ word) * prime;
        hash ^= hash >> 32;
    };
    uint64_t hash = (seed ^ bytes.size()) * prime;
    std::array<uint64_t, 4> lanes{hash, hash + 1, hash + 2, hash + 3};
    while (bytes.size() >= lanes.size() * sizeof(uint64_t)) {
        take(lanes[0], sizeof(uint64_t));
        take(lanes[1], sizeof(uint64_t));
        take(lanes[2], sizeof(uint64_t));
        take(lanes[3], sizeof(uint64_t));
    }
    for (const uint64_t lane : lanes) {
        hash = (hash ^ lane) * prime;
        hash ^= hash >> 32;
    }
    while (!bytes.empty())
        take(hash, bytes.size() < sizeof(uint64_t) ? bytes.size() : sizeof(uint64_t));
    return hash;
}

}  // namespace cuprum::core
