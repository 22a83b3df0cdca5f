// Each thread combines the last run of its piece, learns what the pieces before leave to its first one, and scans.
#include <array>
#include <cstring>

#include "compact.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

// Of one piece, and then of those up to and including it: the elements of the run that reaches out of it, combined.
struct Piece {
    bool has_first = false;  // a run begins in it
    alignas(16) std::array<std::byte, max_element_size> sum;
};

class ScanOfRuns {
public:
    ScanOfRuns(const Source& keys, const Source& values, OpNumber equal, OpNumber op, TypeNumber accumulator,
               const void* init, void* output)
        : keys_(keys),
          values_(values),
          are_equal_(binary_block(equal, keys_.type())),
          fold_(fold_block(op, accumulator)),
          scan_(init != nullptr ? exclusive_scan_block(op, accumulator) : inclusive_scan_block(op, accumulator)),
          size_(size_of(accumulator)),
          init_(init),
          output_(static_cast<std::byte*>(output)) {
        values_.convert_to(accumulator);
    }

    // function(values, count, position, is_first) for each stretch of one run within a block.
    template <class Function>
    void for_each_stretch(uint64_t begin, uint64_t end, const Function& function) const {
        std::array<Marks, block_elements> marks;
        Scratch scratch;
        for_each_block(begin, end, [&](uint64_t at, size_t in_block) {
            mark_first(keys_, are_equal_, at, in_block, marks.data());
            const std::byte* const block = values_.read(at, in_block, scratch);
            for (size_t i = 0; i < in_block;) {
                size_t next = i + 1;
                while (next < in_block && marks[next] == Marks{0})
                    ++next;
                function(block + i * size_, next - i, at + i, marks[i] != Marks{0});
                i = next;
            }
        });
    }

    // What comes before the elements of a new run: nothing, which takes the first of them, or the initial value.
    size_t begin_run(const std::byte* values, std::byte* sum) const {
        std::memcpy(sum, init_ != nullptr ? static_cast<const std::byte*>(init_) : values, size_);
        return init_ != nullptr ? 0 : 1;
    }

    // The last run of a piece; of one without a beginning of its own, all elements.
    void combine(uint64_t begin, uint64_t end, Piece& piece) const {
        bool has_any = false;
        for_each_stretch(begin, end, [&](const std::byte* values, size_t count, uint64_t, bool is_first) {
            piece.has_first = piece.has_first || is_first;
            size_t done = 0;
            if (is_first) {
                done = begin_run(values, piece.sum.data());
            } else if (!has_any) {
                std::memcpy(piece.sum.data(), values, size_);
                done = 1;
            }
            has_any = true;
            if (done < count) fold_(values + done * size_, count - done, piece.sum.data());
        });
    }

    void append(const Piece& before, Piece& piece) const {
        if (piece.has_first) return;
        const auto own = piece.sum;
        piece.sum = before.sum;
        fold_(own.data(), 1, piece.sum.data());
    }

    // `before`: what the pieces in front leave.
    void scan(uint64_t begin, uint64_t end, std::array<std::byte, max_element_size> before) const {
        for_each_stretch(begin, end, [&](const std::byte* values, size_t count, uint64_t at, bool is_first) {
            const size_t done = is_first ? begin_run(values, before.data()) : 0;
            std::byte* const to = output_ + at * size_;
            if (done == 1) std::memcpy(to, before.data(), size_);
            if (done < count) scan_(values + done * size_, to + done * size_, count - done, before.data());
        });
    }

private:
    Pipeline keys_, values_;
    CombineBlocks are_equal_;
    FoldBlock fold_;
    ScanBlock scan_;
    size_t size_;
    const void* init_;
    std::byte* output_;
};

Status scan_by_key(const Source* keys, const Source* values, uint64_t count, OpNumber equal, OpNumber op,
                   TypeNumber accumulator, const void* init, void* output) {
    const ScanOfRuns scan(*keys, *values, equal, op, accumulator, init, output);
    const Chunks chunks(count);
    std::array<Piece, Chunks::max_count> pieces;
    if (chunks.count() > 1) {
        for_each_index(chunks.count(),
                       [&](size_t chunk) { scan.combine(chunks.begin(chunk), chunks.end(chunk), pieces[chunk]); });
    }
    for (size_t chunk = 1; chunk < chunks.count(); ++chunk)
        scan.append(pieces[chunk - 1], pieces[chunk]);
    for_each_index(chunks.count(), [&](size_t chunk) {
        scan.scan(chunks.begin(chunk), chunks.end(chunk), pieces[chunk == 0 ? 0 : chunk - 1].sum);
    });
    return success;
}

const Registration registration(&Functions::scan_by_key, scan_by_key);

}  // namespace

}  // namespace cuprum::parallel::host
