// A stable sort by digits of 8 bits. What is worth more than one thread is first moved into buckets by its highest
// digit: by all threads, each of which counts its part of the keys, and from the counts knows where its keys of a digit
// go. One thread alone does the same with what is more than the second-level cache holds, and sorts what the cache
// holds by the lowest digit first. Digits in which all keys are the same are left out.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "threads.hpp"

namespace cuprum::parallel::host {

template <class Bits>
constexpr int bit_count = 8 * sizeof(Bits);

// <bit> has no integers of 128 bits in strict C++. Of numbers that are not 0.
template <class Bits>
int lowest_bit(Bits bits) {
    if constexpr (sizeof(Bits) > sizeof(uint64_t)) {
        const auto low = static_cast<uint64_t>(bits);
        return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<uint64_t>(bits >> 64));
    } else {
        return std::countr_zero(bits);
    }
}
template <class Bits>
int bits_up_to_highest(Bits bits) {
    if constexpr (sizeof(Bits) > sizeof(uint64_t)) {
        const auto high = static_cast<uint64_t>(bits >> 64);
        return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                         : static_cast<int>(std::bit_width(static_cast<uint64_t>(bits)));
    } else {
        return static_cast<int>(std::bit_width(bits));
    }
}

// The bits of a key so that they are in the keys' order as an unsigned number. -0 and +0 are the same.
template <class Bits, bool is_float>
class Order {
public:
    Order(bool is_signed, bool is_descending)
        : flip_(static_cast<Bits>((is_signed ? sign : Bits{0}) ^
                                  (is_descending ? static_cast<Bits>(~Bits{0}) : Bits{0}))) {}

    Bits operator()(Bits key) const {
        if constexpr (is_float) {
            key = key == sign ? Bits{0} : key;
            const auto negative = static_cast<Bits>(Bits{0} - static_cast<Bits>(key >> (digits - 1)));
            return static_cast<Bits>(key ^ (negative & static_cast<Bits>(~sign)) ^ flip_);
        } else {
            return static_cast<Bits>(key ^ flip_);
        }
    }

private:
    static constexpr int digits = bit_count<Bits>;
    static constexpr Bits sign = static_cast<Bits>(Bits{1} << (digits - 1));
    Bits flip_;
};

// Memory that is not cleared.
class Workspace {
public:
    bool allocate(uint64_t size) {
        memory_.reset(new (std::nothrow) std::byte[size]);
        return memory_ != nullptr;
    }
    std::byte* get() const { return memory_.get(); }

private:
    std::unique_ptr<std::byte[]> memory_;
};

struct SortJob {
    const std::byte* keys_in;
    std::byte* keys_out;
    const std::byte* values_in;
    std::byte* values_out;
    uint64_t count;
    int32_t begin_bit, end_bit;
};

inline void copy_in_parallel(const std::byte* from, std::byte* to, uint64_t size) {
    if (from == to) return;
    const Chunks chunks(size, 1U << 20);
    for_each_index(chunks.count(), [&](size_t chunk) {
        std::memcpy(to + chunks.begin(chunk), from + chunks.begin(chunk), chunks.end(chunk) - chunks.begin(chunk));
    });
}

// Keys, and values of `value_size` bytes that go with them; 0 for none.
template <class Bits, bool is_float, size_t value_size>
class RadixSort {
public:
    RadixSort(const SortJob& job, const Order<Bits, is_float>& order)
        : job_(job), order_(order), compared_(range_mask()) {}

    // Whether there was memory for it.
    bool run() {
        const Elements input{job_.keys_in, job_.values_in};
        output_ = {job_.keys_out, job_.values_out};
        if (job_.count <= insertion_limit) {
            insert_all({input, 0, job_.count});
            return true;
        }
        Workspace keys;
        Workspace values;
        if (!keys.allocate(job_.count * sizeof(Bits))) return false;
        if (value_size > 0 && !values.allocate(job_.count * value_size)) return false;
        other_ = {keys.get(), values.get()};
        try {
            sort_with_all_threads({input, 0, job_.count});
        } catch (const std::bad_alloc&) {
            return false;
        }
        return true;
    }

private:
    static constexpr uint64_t insertion_limit = 48;
    // Keys, values and the room that they are moved to.
    static constexpr uint64_t cached_count = (uint64_t{1} << 20) / (2 * (sizeof(Bits) + value_size));
    static constexpr int digit_bits = 8;
    static constexpr size_t radix = size_t{1} << digit_bits;
    static constexpr size_t most_digits = sizeof(Bits);
    using Counts = std::array<uint64_t, radix>;

    struct Elements {
        const std::byte* keys;
        const std::byte* values;
    };
    struct Target {
        std::byte* keys;
        std::byte* values;
    };
    // Elements [begin, begin + count) of the output, which are still in `source` at the same positions.
    struct Range {
        Elements source;
        uint64_t begin, count;
        uint64_t end() const { return begin + count; }
    };

    static Bits load(const std::byte* keys, uint64_t index) {
        Bits key;
        std::memcpy(&key, keys + index * sizeof(Bits), sizeof(Bits));
        return key;
    }
    static void store(std::byte* keys, uint64_t index, Bits key) {
        std::memcpy(keys + index * sizeof(Bits), &key, sizeof(Bits));
    }
    static void move_value(const std::byte* from, uint64_t source, std::byte* to, uint64_t target) {
        if constexpr (value_size > 0) std::memcpy(to + target * value_size, from + source * value_size, value_size);
    }
    static void copy(const Range& range, const Target& to) {
        const auto move = [&](const std::byte* from, std::byte* target, uint64_t size) {
            if (from != target && size > 0) {
                std::memcpy(target + range.begin * size, from + range.begin * size, range.count * size);
            }
        };
        move(range.source.keys, to.keys, sizeof(Bits));
        move(range.source.values, to.values, value_size);
    }
    static bool is_in(const Elements& source, const Target& target) {
        return source.keys == target.keys || (value_size > 0 && source.values == target.values);
    }
    size_t digit(Bits key, int begin) const { return static_cast<size_t>((place(key) >> begin) & (radix - 1)); }
    // What of the key is compared.
    Bits place(Bits key) const { return static_cast<Bits>(order_(key) & compared_); }

    Bits range_mask() const {
        const int width = job_.end_bit - job_.begin_bit;
        if (width == 0) return 0;
        constexpr auto all = static_cast<Bits>(~Bits{0});
        return static_cast<Bits>(static_cast<Bits>(all >> (bit_count<Bits> - width)) << job_.begin_bit);
    }

    // The compared bits in which not all keys are the same.
    Bits varying_bits(const std::byte* keys, uint64_t begin, uint64_t end, Bits first) const {
        Bits varying = 0;
        for (uint64_t i = begin; i < end; ++i)
            varying = static_cast<Bits>(varying | (place(load(keys, i)) ^ first));
        return varying;
    }

    // A sweep over a chunk takes several times as long as handing it to a thread.
    static Chunks chunks_of(uint64_t count) { return Chunks(count, 1U << 12); }

    void sort_with_all_threads(const Range& range) {
        const Chunks chunks = chunks_of(range.count);
        if (chunks.count() == 1) {
            sort_alone(range);
            return;
        }
        const Bits first = place(load(range.source.keys, range.begin));
        std::array<Bits, Chunks::max_count> parts;
        for_each_index(chunks.count(), [&](size_t chunk) {
            parts[chunk] = varying_bits(range.source.keys, range.begin + chunks.begin(chunk),
                                        range.begin + chunks.end(chunk), first);
        });
        Bits varying = 0;
        for (size_t chunk = 0; chunk < chunks.count(); ++chunk)
            varying = static_cast<Bits>(varying | parts[chunk]);
        if (varying == 0) {
            for_each_index(chunks.count(), [&](size_t chunk) {
                copy({range.source, range.begin + chunks.begin(chunk), chunks.end(chunk) - chunks.begin(chunk)},
                     output_);
            });
            return;
        }

        // Into buckets by the highest digit.
        const int begin = highest_digit(varying);
        const Target target = is_in(range.source, other_) ? output_ : other_;
        std::vector<Counts> places(chunks.count());
        for_each_index(chunks.count(), [&](size_t chunk) {
            count_digits(range.source.keys, range.begin + chunks.begin(chunk), range.begin + chunks.end(chunk), begin,
                         places[chunk]);
        });
        std::array<uint64_t, radix + 1> bounds;
        uint64_t next = range.begin;
        for (size_t value = 0; value < radix; ++value) {
            bounds[value] = next;
            for (Counts& counts : places)
                next += std::exchange(counts[value], next);
        }
        bounds[radix] = next;
        for_each_index(chunks.count(), [&](size_t chunk) {
            move_by_digit(range.source, range.begin + chunks.begin(chunk), range.begin + chunks.end(chunk), begin,
                          target, places[chunk]);
        });

        // Small buckets each by one thread; by all, one after the other, those that would be more than a thread's part
        // of the work. The highest digit of floating-point numbers is sign and exponent: most of them may lie in one
        // bucket.
        const Elements moved{target.keys, target.values};
        const uint64_t large = range.count / thread_count();
        const auto is_large = [&](size_t value) {
            const uint64_t count = bounds[value + 1] - bounds[value];
            return count > large && chunks_of(count).count() > 1;
        };
        for_each_index(radix, [&](size_t value) {
            if (!is_large(value)) sort_alone({moved, bounds[value], bounds[value + 1] - bounds[value]});
        });
        for (size_t value = 0; value < radix; ++value) {
            if (is_large(value)) {
                sort_with_all_threads({moved, bounds[value], bounds[value + 1] - bounds[value]});
            }
        }
    }

    // Into the output.
    void sort_alone(const Range& range) const {
        if (range.count <= insertion_limit) {
            insert_all(range);
            return;
        }
        const Bits first = place(load(range.source.keys, range.begin));
        const Bits varying = varying_bits(range.source.keys, range.begin, range.end(), first);
        if (varying == 0) {
            copy(range, output_);
        } else if (range.count <= cached_count) {
            sort_by_lowest_digits(range, varying);
        } else {
            const int begin = highest_digit(varying);
            const Target target = is_in(range.source, other_) ? output_ : other_;
            Counts places;
            count_digits(range.source.keys, range.begin, range.end(), begin, places);
            std::array<uint64_t, radix + 1> bounds;
            uint64_t next = range.begin;
            for (size_t value = 0; value < radix; ++value) {
                bounds[value] = next;
                next += std::exchange(places[value], next);
            }
            bounds[radix] = next;
            move_by_digit(range.source, range.begin, range.end(), begin, target, places);
            for (size_t value = 0; value < radix; ++value)
                sort_alone({{target.keys, target.values}, bounds[value], bounds[value + 1] - bounds[value]});
        }
    }

    static int highest_digit(Bits varying) { return std::max(bits_up_to_highest(varying) - digit_bits, 0); }

    void count_digits(const std::byte* keys, uint64_t begin, uint64_t end, int bit, Counts& counts) const {
        // Two by turns: equal digits in a row do not wait for each other's count.
        Counts odd{};
        counts.fill(0);
        uint64_t i = begin;
        for (; i + 1 < end; i += 2) {
            ++counts[digit(load(keys, i), bit)];
            ++odd[digit(load(keys, i + 1), bit)];
        }
        if (i < end) ++counts[digit(load(keys, i), bit)];
        for (size_t value = 0; value < radix; ++value)
            counts[value] += odd[value];
    }

    void move_by_digit(const Elements& source, uint64_t begin, uint64_t end, int bit, const Target& target,
                       Counts& places) const {
        for (uint64_t i = begin; i < end; ++i) {
            const Bits key = load(source.keys, i);
            const uint64_t to = places[digit(key, bit)]++;
            store(target.keys, to, key);
            move_value(source.values, i, target.values, to);
        }
    }

    void sort_by_lowest_digits(Range range, Bits varying) const {
        // The digits' first bits; their counts, all in one sweep.
        std::array<int, most_digits> bits;
        size_t passes = 0;
        for (Bits left = varying; left != 0;) {
            const int bit = lowest_bit(left);
            bits[passes++] = bit;
            left = bit + digit_bits >= bit_count<Bits>
                       ? Bits{0}
                       : static_cast<Bits>(left >> (bit + digit_bits) << (bit + digit_bits));
        }
        std::array<std::array<uint32_t, radix>, most_digits> counts;
        for (size_t pass = 0; pass < passes; ++pass)
            counts[pass].fill(0);
        for (uint64_t i = range.begin; i < range.end(); ++i) {
            const Bits key = load(range.source.keys, i);
            for (size_t pass = 0; pass < passes; ++pass)
                ++counts[pass][digit(key, bits[pass])];
        }
        // The last pass ends in the output.
        Target target = passes % 2 == 1 ? output_ : other_;
        if (is_in(range.source, target)) {
            const Target free = passes % 2 == 1 ? other_ : output_;
            copy(range, free);
            range.source = {free.keys, free.values};
        }
        for (size_t pass = 0; pass < passes; ++pass) {
            Counts places;
            uint64_t next = range.begin;
            for (size_t value = 0; value < radix; ++value) {
                places[value] = next;
                next += counts[pass][value];
            }
            target = (passes - pass) % 2 == 1 ? output_ : other_;
            move_by_digit(range.source, range.begin, range.end(), bits[pass], target, places);
            range.source = {target.keys, target.values};
        }
    }

    void insert_all(const Range& range) const {
        for (uint64_t i = range.begin; i < range.end(); ++i) {
            const Bits key = load(range.source.keys, i);
            std::array<std::byte, value_size + 1> value;
            move_value(range.source.values, i, value.data(), 0);
            const Bits own = place(key);
            uint64_t at = i;
            for (; at > range.begin && own < place(load(output_.keys, at - 1)); --at) {
                store(output_.keys, at, load(output_.keys, at - 1));
                move_value(output_.values, at - 1, output_.values, at);
            }
            store(output_.keys, at, key);
            move_value(value.data(), 0, output_.values, at);
        }
    }

    SortJob job_;
    Order<Bits, is_float> order_;
    Bits compared_;
    Target output_{}, other_{};
};

}  // namespace cuprum::parallel::host
