// Each thread counts its part of the samples by itself, and the counts are added.
#include <atomic>
#include <cstring>
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

Status histogram_even(const Source* samples, uint64_t count, TypeNumber common, const void* lower, const void* upper,
                      const void* scale, uint64_t bins, uint64_t counter_size, void* histogram) {
    const Pipeline elements(*samples);
    const auto of = [&](auto type) {
        return count_as<decltype(type)>(elements, count, lower, upper, scale, bins, counter_size, histogram);
    };
    bool is_done = false;
    switch (common) {
        case number_of<int32_t>():
            is_done = of(int32_t{});
            break;
        case number_of<uint32_t>():
            is_done = of(uint32_t{});
            break;
        case number_of<int64_t>():
            is_done = of(int64_t{});
            break;
        case number_of<uint64_t>():
            is_done = of(uint64_t{});
            break;
        case number_of<float>():
            is_done = of(float{});
            break;
        default:
            is_done = of(double{});
            break;
    }
    return is_done ? success : out_of_memory;
}

const Registration registration(&Functions::histogram_even, histogram_even);

}  // namespace

}  // namespace cuprum::parallel::host
