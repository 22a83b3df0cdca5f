#include "radix_sort.hpp"

#include <atomic>

#include "blocks.hpp"
#include "numbers.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

template <class Bits, bool is_float>
bool sort_with_values(const SortJob& job, uint64_t value_size, const Order<Bits, is_float>& order) {
    switch (value_size) {
        case 0:
            return RadixSort<Bits, is_float, 0>(job, order).run();
        case 1:
            return RadixSort<Bits, is_float, 1>(job, order).run();
        case 2:
            return RadixSort<Bits, is_float, 2>(job, order).run();
        case 4:
            return RadixSort<Bits, is_float, 4>(job, order).run();
        case 8:
            return RadixSort<Bits, is_float, 8>(job, order).run();
        default:
            return RadixSort<Bits, is_float, 16>(job, order).run();
    }
}

bool sort_keys(TypeNumber keys, bool is_descending, const SortJob& job, uint64_t value_size) {
    const auto of = [&](auto bits, bool is_signed) {
        return sort_with_values(job, value_size, Order<decltype(bits), false>(is_signed, is_descending));
    };
    const auto of_float = [&](auto bits) {
        return sort_with_values(job, value_size, Order<decltype(bits), true>(true, is_descending));
    };
    switch (keys) {
        case number_of<bool>():
        case number_of<uint8_t>():
            return of(uint8_t{}, false);
        case number_of<int8_t>():
            return of(uint8_t{}, true);
        case number_of<int16_t>():
            return of(uint16_t{}, true);
        case number_of<uint16_t>():
            return of(uint16_t{}, false);
        case number_of<int32_t>():
            return of(uint32_t{}, true);
        case number_of<uint32_t>():
            return of(uint32_t{}, false);
        case number_of<int64_t>():
            return of(uint64_t{}, true);
        case number_of<uint64_t>():
            return of(uint64_t{}, false);
        case number_of<Int128>():
            return of(UInt128{}, true);
        case number_of<UInt128>():
            return of(UInt128{}, false);
        case number_of<Half>():
        case number_of<BFloat16>():
            return of_float(uint16_t{});
        case number_of<float>():
            return of_float(uint32_t{});
        default:
            return of_float(uint64_t{});
    }
}

template <class Index>
void number(std::byte* indices, uint64_t count) {
    const Chunks chunks(count);
    auto* const numbers = reinterpret_cast<Index*>(indices);
    for_each_index(chunks.count(), [&](size_t chunk) {
        for (uint64_t i = chunks.begin(chunk); i < chunks.end(chunk); ++i)
            numbers[i] = static_cast<Index>(i);
    });
}
template <class Index>
void gather(const std::byte* indices, const std::byte* from, std::byte* to, uint64_t size, uint64_t count) {
    const Chunks chunks(count);
    const auto* const numbers = reinterpret_cast<const Index*>(indices);
    for_each_index(chunks.count(), [&](size_t chunk) {
        for (uint64_t i = chunks.begin(chunk); i < chunks.end(chunk); ++i)
            std::memcpy(to + i * size, from + numbers[i] * size, size);
    });
}

// Values of other sizes are moved once, at the end: their numbers are sorted.
template <class Index>
bool sort_through_index(TypeNumber keys, bool is_descending, SortJob job, uint64_t value_size) {
    Workspace indices;
    Workspace copy;
    const bool in_place = job.values_in == job.values_out;
    if (!indices.allocate(job.count * sizeof(Index))) return false;
    if (in_place && !copy.allocate(job.count * value_size)) return false;
    number<Index>(indices.get(), job.count);
    const std::byte* const values = in_place ? copy.get() : job.values_in;
    if (in_place) copy_in_parallel(job.values_in, copy.get(), job.count * value_size);
    std::byte* const output = std::exchange(job.values_out, indices.get());
    job.values_in = indices.get();
    if (!sort_keys(keys, is_descending, job, sizeof(Index))) return false;
    gather<Index>(indices.get(), values, output, value_size, job.count);
    return true;
}

Status sort(TypeNumber keys, int32_t is_descending, const void* keys_in, void* keys_out, uint64_t value_size,
            const void* values_in, void* values_out, uint64_t count, int32_t begin_bit, int32_t end_bit) {
    if (count == 0) return success;
    const SortJob job{static_cast<const std::byte*>(keys_in),
                      static_cast<std::byte*>(keys_out),
                      static_cast<const std::byte*>(values_in),
                      static_cast<std::byte*>(values_out),
                      count,
                      begin_bit,
                      end_bit};
    const bool is_moved_along = value_size <= 2 || value_size == 4 || value_size == 8 || value_size == 16;
    const bool done = is_moved_along ? sort_keys(keys, is_descending != 0, job, value_size)
                      : count <= std::numeric_limits<uint32_t>::max()
                          ? sort_through_index<uint32_t>(keys, is_descending != 0, job, value_size)
                          : sort_through_index<uint64_t>(keys, is_descending != 0, job, value_size);
    return done ? success : out_of_memory;
}

// A long segment is sorted by all threads together; of the short ones each thread sorts some.
class SegmentSort {
public:
    SegmentSort(TypeNumber keys, int32_t is_descending, const void* keys_in, void* keys_out, uint64_t value_size,
                const void* values_in, void* values_out)
        : keys_(keys),
          is_descending_(is_descending),
          key_size_(size_of(keys)),
          value_size_(value_size),
          keys_in_(static_cast<const std::byte*>(keys_in)),
          keys_out_(static_cast<std::byte*>(keys_out)),
          values_in_(static_cast<const std::byte*>(values_in)),
          values_out_(static_cast<std::byte*>(values_out)) {}

    template <class Offset>
    Status run(uint64_t segments, const Offset* begins, const Offset* ends) const {
        constexpr Offset is_long = Offset{1} << 14;
        const auto length = [&](uint64_t i) { return ends[i] - begins[i]; };
        for (uint64_t i = 0; i < segments; ++i) {
            if (length(i) < is_long) continue;
            const Status status = sort_one(static_cast<uint64_t>(begins[i]), static_cast<uint64_t>(length(i)));
            if (status != success) return status;
        }
        std::atomic<Status> result{success};
        const Chunks chunks(segments, 64);
        for_each_index(chunks.count(), [&](size_t chunk) {
            for (uint64_t i = chunks.begin(chunk); i < chunks.end(chunk); ++i) {
                if (length(i) <= 0 || length(i) >= is_long) continue;
                const Status status = sort_one(static_cast<uint64_t>(begins[i]), static_cast<uint64_t>(length(i)));
                if (status != success) result = status;
            }
        });
        return result;
    }

private:
    Status sort_one(uint64_t begin, uint64_t count) const {
        const uint64_t value_begin = begin * value_size_;
        return sort(keys_, is_descending_, keys_in_ + begin * key_size_, keys_out_ + begin * key_size_, value_size_,
                    value_size_ == 0 ? nullptr : values_in_ + value_begin,
                    value_size_ == 0 ? nullptr : values_out_ + value_begin, count, 0,
                    static_cast<int32_t>(8 * key_size_));
    }

    TypeNumber keys_;
    int32_t is_descending_;
    uint64_t key_size_, value_size_;
    const std::byte* keys_in_;
    std::byte* keys_out_;
    const std::byte* values_in_;
    std::byte* values_out_;
};

Status segmented_sort(TypeNumber keys, int32_t is_descending, const void* keys_in, void* keys_out, uint64_t value_size,
                      const void* values_in, void* values_out, uint64_t segments, const void* begins, const void* ends,
                      uint64_t offsets_size) {
    const SegmentSort sort(keys, is_descending, keys_in, keys_out, value_size, values_in, values_out);
    if (offsets_size == sizeof(int32_t)) {
        return sort.run(segments, static_cast<const int32_t*>(begins), static_cast<const int32_t*>(ends));
    }
    return sort.run(segments, static_cast<const int64_t*>(begins), static_cast<const int64_t*>(ends));
}

const Registration registration(&Functions::sort, sort);
const Registration segmented_registration(&Functions::segmented_sort, segmented_sort);

}  // namespace

}  // namespace cuprum::parallel::host
