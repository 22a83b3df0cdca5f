// The threads take the input's pieces in their order. Each combines its piece, adds that to what comes before it, which
// it is given by the thread that has the piece in front, hands the sum on, and scans its own piece, which its cache
// still holds: one sweep over memory, and nobody waits for more than the combining of the piece in front. One thread
// alone only scans.
#include <atomic>
#include <cstring>

#include "chain.hpp"
#include "pipeline.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

struct alignas(64) Partial {
    std::byte value[max_element_size];
};

// Of input, so that it and its output have room in a second-level cache.
constexpr size_t largest_piece_bytes = size_t{1} << 17;
constexpr uint64_t smallest_piece = uint64_t{1} << 13;  // elements

class PrefixSum {
public:
    PrefixSum(const Source& input, bool is_exclusive, OpNumber op, TypeNumber accumulator, void* output)
        : elements_(input),
          scan_(is_exclusive ? exclusive_scan_block(op, accumulator) : inclusive_scan_block(op, accumulator)),
          fold_(fold_block(op, accumulator)),
          size_(size_of(accumulator)),
          output_(static_cast<std::byte*>(output)) {
        elements_.convert_to(accumulator);
    }

    // Of at least one element. `init`: null for an inclusive scan without one. With all threads, or on this one.
    void of_range(uint64_t begin, uint64_t end, const void* init, bool alone) const {
        Partial sum;
        if (init == nullptr) {
            // The first element is its own result.
            Scratch scratch;
            std::memcpy(sum.value, elements_.read(begin, 1, scratch), size_);
            std::memcpy(output_ + begin * size_, sum.value, size_);
            ++begin;
        } else {
            std::memcpy(sum.value, init, size_);
        }
        if (alone) {
            scan_range(begin, end, sum.value);
        } else {
            run(begin, end, sum.value);
        }
    }

private:
    // `sum`: of what comes before.
    void run(uint64_t begin, uint64_t end, void* sum) const {
        const uint64_t threads = thread_count();
        const uint64_t count = end - begin;
        if (threads == 1 || count < 2 * smallest_piece) {
            scan_range(begin, end, sum);
            return;
        }
        const uint64_t piece = std::clamp<uint64_t>(count / (4 * threads), smallest_piece,
                                                    std::max(smallest_piece, largest_piece_bytes / size_));
        const uint64_t pieces = (count + piece - 1) / piece;
        Chain<Partial> chain;
        std::memcpy(chain.value().value, sum, size_);
        std::atomic<uint64_t> next{0};
        for_each_index(std::min(threads, pieces), [&](size_t) {
            for (uint64_t index = 0; (index = next.fetch_add(1, std::memory_order_relaxed)) < pieces;) {
                const uint64_t first = begin + index * piece;
                const uint64_t last = std::min(end, first + piece);
                Partial before;
                Partial own;
                combine(first, last, own.value);
                chain.pass(index, [&](Partial& value) {
                    before = value;
                    fold_(own.value, 1, value.value);
                });
                scan_range(first, last, before.value);
            }
        });
    }

    void combine(uint64_t begin, uint64_t end, std::byte* sum) const {
        Scratch scratch;
        bool is_first = true;
        for_each_block(begin, end, [&](uint64_t position, size_t count) {
            const std::byte* block = elements_.read(position, count, scratch);
            if (is_first) {
                std::memcpy(sum, block, size_);
                block += size_;
                --count;
            }
            is_first = false;
            fold_(block, count, sum);
        });
    }

    void scan_range(uint64_t begin, uint64_t end, void* sum) const {
        Scratch scratch;
        for_each_block(begin, end, [&](uint64_t position, size_t count) {
            scan_(elements_.read(position, count, scratch), output_ + position * size_, count, sum);
        });
    }

    Pipeline elements_;
    ScanBlock scan_;
    FoldBlock fold_;
    size_t size_;
    std::byte* output_;
};

Status scan(const Source* input, uint64_t count, int32_t is_exclusive, OpNumber op, TypeNumber accumulator,
            const void* init, void* output) {
    if (count == 0) return success;
    PrefixSum(*input, is_exclusive != 0, op, accumulator, output).of_range(0, count, init, false);
    return success;
}

template <class Offset>
void scan_segments(const PrefixSum& prefix_sum, uint64_t segments, const void* begins, const void* ends,
                   const void* init) {
    const auto* const first = static_cast<const Offset*>(begins);
    const auto* const last = static_cast<const Offset*>(ends);
    const auto scan_one = [&](uint64_t i, bool alone) {
        if (first[i] < last[i])
            prefix_sum.of_range(static_cast<uint64_t>(first[i]), static_cast<uint64_t>(last[i]), init, alone);
    };
    if (segments < 4 * thread_count()) {
        // Few: all threads together on each.
        for (uint64_t i = 0; i < segments; ++i)
            scan_one(i, false);
        return;
    }
    const Chunks chunks(segments, 1);
    for_each_index(chunks.count(), [&](size_t chunk) {
        for (uint64_t i = chunks.begin(chunk); i < chunks.end(chunk); ++i)
            scan_one(i, true);
    });
}

Status segmented_scan(const Source* input, uint64_t segments, const void* begins, const void* ends,
                      uint64_t offsets_size, int32_t is_exclusive, OpNumber op, TypeNumber accumulator,
                      const void* init, void* output) {
    const PrefixSum prefix_sum(*input, is_exclusive != 0, op, accumulator, output);
    if (offsets_size == sizeof(int32_t)) {
        scan_segments<int32_t>(prefix_sum, segments, begins, ends, init);
    } else {
        scan_segments<int64_t>(prefix_sum, segments, begins, ends, init);
    }
    return success;
}

const Registration registration(&Functions::scan, scan);
const Registration segmented_registration(&Functions::segmented_scan, segmented_scan);

}  // namespace

}  // namespace cuprum::parallel::host
