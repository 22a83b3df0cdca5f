// Each thread reduces the runs of its piece. What a piece begins with belongs to the last run of the pieces before, and
// is combined with it in the end.
#include <array>
#include <cstring>

#include "compact.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

// Of one piece.
struct Piece {
    uint64_t first_run = 0;  // that begins in it
    uint64_t runs = 0;       // that begin in it
    bool has_front = false;  // begins with elements of a run from before
    alignas(16) std::array<std::byte, max_element_size> front;
};

Status reduce_by_key(const Source* keys, const Source* values, uint64_t count, OpNumber equal, OpNumber op,
                     TypeNumber accumulator, void* keys_out, void* values_out, uint64_t* runs) {
    const Pipeline key_elements(*keys);
    Pipeline value_elements(*values);
    value_elements.convert_to(accumulator);
    const CombineBlocks are_equal = binary_block(equal, key_elements.type());
    const FoldBlock fold = fold_block(op, accumulator);
    const size_t size = size_of(accumulator);
    auto* const to_keys = static_cast<std::byte*>(keys_out);
    auto* const to_values = static_cast<std::byte*>(values_out);
    *runs = 0;
    if (count == 0) return success;

    const Chunks chunks(count);
    std::array<Piece, Chunks::max_count> pieces;
    for_each_index(chunks.count(), [&](size_t chunk) {
        std::array<Marks, block_elements> marks;
        uint64_t found = 0;
        for_each_block(chunks.begin(chunk), chunks.end(chunk), [&](uint64_t begin, size_t in_block) {
            mark_first(key_elements, are_equal, begin, in_block, marks.data());
            for (size_t i = 0; i < in_block; ++i)
                found += marks[i] != Marks{0} ? 1 : 0;
        });
        pieces[chunk].runs = found;
    });
    for (size_t chunk = 0; chunk < chunks.count(); ++chunk) {
        pieces[chunk].first_run = *runs;
        *runs += pieces[chunk].runs;
    }
    for_each_index(chunks.count(), [&](size_t chunk) {
        Piece& piece = pieces[chunk];
        std::array<Marks, block_elements> marks;
        uint64_t run = piece.first_run;  // behind the one at hand
        for_each_block(chunks.begin(chunk), chunks.end(chunk), [&](uint64_t begin, size_t in_block) {
            mark_first(key_elements, are_equal, begin, in_block, marks.data());
            copy_marked(key_elements, begin, in_block, marks.data(), to_keys, run);
            Scratch scratch;
            const std::byte* const block = value_elements.read(begin, in_block, scratch);
            for (size_t i = 0; i < in_block;) {
                const bool is_first = marks[i] != Marks{0};
                run += is_first ? 1 : 0;
                size_t end = i + 1;
                while (end < in_block && marks[end] == Marks{0})
                    ++end;
                const bool is_front = run == piece.first_run;
                std::byte* const sum = is_front ? piece.front.data() : to_values + (run - 1) * size;
                if (is_first || (is_front && !piece.has_front)) {
                    std::memcpy(sum, block + i * size, size);
                    piece.has_front = piece.has_front || is_front;
                    ++i;
                }
                if (i < end) fold(block + i * size, end - i, sum);
                i = end;
            }
        });
    });
    for (size_t chunk = 1; chunk < chunks.count(); ++chunk) {
        const Piece& piece = pieces[chunk];
        if (piece.has_front) fold(piece.front.data(), 1, to_values + (piece.first_run - 1) * size);
    }
    return success;
}

const Registration registration(&Functions::reduce_by_key, reduce_by_key);

}  // namespace

}  // namespace cuprum::parallel::host
