// A permutation of 0 to n - 1: a Feistel network of 8 rounds over as many bits as n - 1 has. What falls on n or more
// goes through it again, which in the end leads back below n, since it began there. The same as the device's
// (parallel/src/iterator_source.cpp).
#pragma once

#include <bit>
#include <cstdint>

namespace cuprum::parallel::host {

inline uint64_t mix(uint64_t v) {
    v ^= v >> 32;
    v *= 0xd6e8feb86659fd93;
    v ^= v >> 32;
    v *= 0xd6e8feb86659fd93;
    return v ^ v >> 32;
}

inline int64_t shuffled(uint64_t position, uint64_t n, uint64_t seed) {
    if (n == 1) return 0;
    uint64_t x = position < n ? position : position % n;
    const auto bits = static_cast<int>(std::bit_width(n - 1));
    const int low_bits = (bits + 1) / 2;
    const uint64_t low_mask = (uint64_t{1} << low_bits) - 1;
    const uint64_t high_mask = (uint64_t{1} << (bits - low_bits)) - 1;
    do {
        uint64_t high = x >> low_bits;
        uint64_t low = x & low_mask;
        uint64_t key = seed;
        for (int round = 0; round < 4; ++round) {
            key += 0x9e3779b97f4a7c15;
            high ^= mix(low + mix(key)) & high_mask;
            key += 0x9e3779b97f4a7c15;
            low ^= mix(high + mix(key)) & low_mask;
        }
        x = high << low_bits | low;
    } while (x >= n);
    return static_cast<int64_t>(x);
}

}  // namespace cuprum::parallel::host
