// Two sweeps over a part of the input that the caches hold: each thread combines its piece, then, knowing what comes
// before it, scans it. One thread alone needs one sweep.
#include <cstring>

#include "algorithms.hpp"
#include "pipeline.hpp"

namespace cuprum::parallel::host {

namespace {

struct alignas(64) Partial {
    std::byte value[max_element_size];
};

// Bytes of a thread's piece: of a second-level cache, as large as they are on small machines.
constexpr size_t piece_bytes = size_t{1} << 18;

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

    void run(uint64_t begin, uint64_t end, void* sum) const {
        const uint64_t window = Chunks::max_count < thread_count() ? end - begin : thread_count() * piece_bytes / size_;
        for (; begin < end; begin += window)
            run_window(begin, std::min(end, begin + window), sum);
    }

private:
    void run_window(uint64_t begin, uint64_t end, void* sum) const {
        const Chunks chunks(end - begin);
        if (chunks.count() == 1) {
            scan_range(begin, end, sum);
            return;
        }
        std::array<Partial, Chunks::max_count + 1> sums;  // of all that is before a piece
        for_each_index(chunks.count(), [&](size_t chunk) {
            combine(begin + chunks.begin(chunk), begin + chunks.end(chunk), sums[chunk + 1].value);
        });
        std::memcpy(sums[0].value, sum, size_);
        for (size_t chunk = 0; chunk < chunks.count(); ++chunk) {
            Partial total = sums[chunk];
            fold_(sums[chunk + 1].value, 1, total.value);
            sums[chunk + 1] = total;
        }
        std::memcpy(sum, sums[chunks.count()].value, size_);
        for_each_index(chunks.count(), [&](size_t chunk) {
            scan_range(begin + chunks.begin(chunk), begin + chunks.end(chunk), sums[chunk].value);
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

}  // namespace

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

}  // namespace cuprum::parallel::host
