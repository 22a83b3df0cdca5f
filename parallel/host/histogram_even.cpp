// Each thread counts its part of the samples by itself, and the counts are added.
#include <atomic>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "numbers.hpp"
#include "pipeline.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

// As the device has it: what is in [lower, upper) has a bin.
template <class T>
struct Bins {
    using Scale = std::conditional_t<std::is_floating_point_v<T>, T, uint64_t>;
    T lower, upper;
    Scale scale;
    uint64_t count;

    bool has(T sample) const { return sample >= lower && sample < upper; }
    uint64_t of(T sample) const {
        if constexpr (std::is_floating_point_v<T>) {
            return std::min(static_cast<uint64_t>((sample - lower) * scale), count - 1);
        } else {
            using Unsigned = std::make_unsigned_t<T>;
            const uint64_t offset = static_cast<Unsigned>(static_cast<Unsigned>(sample) - static_cast<Unsigned>(lower));
            return offset * count / scale;
        }
    }
};

template <class T, class Counter>
bool count_samples(const Pipeline& samples, uint64_t count, const Bins<T>& bins, Counter* histogram) {
    std::fill_n(histogram, bins.count, Counter{0});
    // A thread with many bins of its own has to be worth them.
    const Chunks chunks(count, std::max(uint64_t{1} << 14, bins.count), 1);
    std::atomic<bool> has_memory{true};
    for_each_index(chunks.count(), [&](size_t chunk) {
        std::vector<Counter> own;
        try {
            own.resize(bins.count);
        } catch (const std::bad_alloc&) {
            has_memory = false;
            return;
        }
        Scratch scratch;
        for_each_block(chunks.begin(chunk), chunks.end(chunk), [&](uint64_t begin, size_t in_block) {
            const auto* const block = reinterpret_cast<const T*>(samples.read(begin, in_block, scratch));
            for (size_t i = 0; i < in_block; ++i) {
                if (bins.has(block[i])) ++own[bins.of(block[i])];
            }
        });
        for (uint64_t bin = 0; bin < bins.count; ++bin) {
            if (own[bin] != 0) std::atomic_ref(histogram[bin]).fetch_add(own[bin], std::memory_order_relaxed);
        }
    });
    return has_memory;
}

template <class T>
bool count_as(Pipeline samples, uint64_t count, const void* lower, const void* upper, const void* scale,
              uint64_t bin_count, uint64_t counter_size, void* histogram) {
    samples.convert_to(number_of<T>());
    Bins<T> bins;
    std::memcpy(&bins.lower, lower, sizeof(bins.lower));
    std::memcpy(&bins.upper, upper, sizeof(bins.upper));
    std::memcpy(&bins.scale, scale, sizeof(bins.scale));
    bins.count = bin_count;
    return counter_size == sizeof(uint32_t) ? count_samples(samples, count, bins, static_cast<uint32_t*>(histogram))
                                            : count_samples(samples, count, bins, static_cast<uint64_t*>(histogram));
}

// function(T{}) for the type that samples and levels are compared as.
template <class Function>
bool with_common(TypeNumber common, const Function& function) {
    switch (common) {
        case number_of<int32_t>():
            return function(int32_t{});
        case number_of<uint32_t>():
            return function(uint32_t{});
        case number_of<int64_t>():
            return function(int64_t{});
        case number_of<uint64_t>():
            return function(uint64_t{});
        case number_of<float>():
            return function(float{});
        default:
            return function(double{});
    }
}

// As the device has it: bin i is [level i, level i + 1).
template <class T, class Counter>
bool count_ranges(const Pipeline& samples, uint64_t count, const std::vector<T>& levels, Counter* histogram) {
    const uint64_t bins = levels.size() - 1;
    std::fill_n(histogram, bins, Counter{0});
    const Chunks chunks(count, std::max(uint64_t{1} << 14, bins), 1);
    std::atomic<bool> has_memory{true};
    for_each_index(chunks.count(), [&](size_t chunk) {
        const std::unique_ptr<Counter[]> own(new (std::nothrow) Counter[bins]());
        if (!own) {
            has_memory = false;
            return;
        }
        Scratch scratch;
        for_each_block(chunks.begin(chunk), chunks.end(chunk), [&](uint64_t begin, size_t in_block) {
            const auto* const block = reinterpret_cast<const T*>(samples.read(begin, in_block, scratch));
            for (size_t i = 0; i < in_block; ++i) {
                if (!(block[i] >= levels.front() && block[i] < levels.back())) continue;
                const auto above = std::upper_bound(levels.begin(), levels.end(), block[i]);
                ++own[static_cast<size_t>(above - levels.begin()) - 1];
            }
        });
        for (uint64_t bin = 0; bin < bins; ++bin) {
            if (own[bin] != 0) std::atomic_ref(histogram[bin]).fetch_add(own[bin], std::memory_order_relaxed);
        }
    });
    return has_memory;
}

template <class T>
bool count_ranges_as(Pipeline samples, uint64_t count, Pipeline levels, uint64_t bins, uint64_t counter_size,
                     void* histogram) {
    samples.convert_to(number_of<T>());
    levels.convert_to(number_of<T>());
    std::vector<T> bounds;
    try {
        bounds.resize(bins + 1);
    } catch (const std::bad_alloc&) {
        return false;
    }
    Scratch scratch;
    for_each_block(0, bins + 1, [&](uint64_t begin, size_t in_block) {
        levels.read_to(begin, in_block, scratch, reinterpret_cast<std::byte*>(bounds.data() + begin));
    });
    return counter_size == sizeof(uint32_t) ? count_ranges(samples, count, bounds, static_cast<uint32_t*>(histogram))
                                            : count_ranges(samples, count, bounds, static_cast<uint64_t*>(histogram));
}

Status histogram_even(const Source* samples, uint64_t count, TypeNumber common, const void* lower, const void* upper,
                      const void* scale, uint64_t bins, uint64_t counter_size, void* histogram) {
    const Pipeline elements(*samples);
    const auto of = [&](auto type) {
        return count_as<decltype(type)>(elements, count, lower, upper, scale, bins, counter_size, histogram);
    };
    const bool is_done = with_common(common, of);
    return is_done ? success : out_of_memory;
}

Status histogram_range(const Source* samples, uint64_t count, TypeNumber common, const Source* levels, uint64_t bins,
                       uint64_t counter_size, void* histogram) {
    const bool is_done = with_common(common, [&](auto element) {
        return count_ranges_as<decltype(element)>(Pipeline(*samples), count, Pipeline(*levels), bins, counter_size,
                                                  histogram);
    });
    return is_done ? success : out_of_memory;
}

const Registration registration(&Functions::histogram_even, histogram_even);
const Registration range_registration(&Functions::histogram_range, histogram_range);

}  // namespace

}  // namespace cuprum::parallel::host
