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

    // Without an initial value the first element is its own result.
    void write_first(void* sum) const {
        Scratch scratch;
        std::memcpy(sum, elements_.read(0, 1, scratch), size_);
        std::memcpy(output_, sum, size_);
    }

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

private:
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
    const PrefixSum prefix_sum(*input, is_exclusive != 0, op, accumulator, output);
    Partial sum;
    if (init == nullptr) {
        prefix_sum.write_first(sum.value);
        prefix_sum.run(1, count, sum.value);
    } else {
        std::memcpy(sum.value, init, size_of(accumulator));
        prefix_sum.run(0, count, sum.value);
    }
    return success;
}

const Registration registration(&Functions::scan, scan);

}  // namespace

}  // namespace cuprum::parallel::host
