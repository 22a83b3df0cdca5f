// Where runs begin and where they end are found one after the other; the lengths are the differences.
#include <array>
#include <cstring>

#include "compact.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

template <class Position>
uint64_t find_runs(const Pipeline& elements, uint64_t count, CombineBlocks are_equal, Position* offsets,
                   Position* lengths) {
    // Writes the positions of the first elements of runs, or of the last ones.
    const auto find = [&](bool is_first, Position* positions) {
        const auto mark = [&](uint64_t begin, size_t in_block, Marks* marks) {
            std::array<Marks, block_elements> begins;
            mark_first(elements, are_equal, begin, in_block, begins.data());
            const uint64_t next = begin + in_block;
            Marks behind{1};
            if (next < count) mark_first(elements, are_equal, next, 1, &behind);
            for (size_t i = 0; i < in_block; ++i) {
                const Marks after = i + 1 < in_block ? begins[i + 1] : behind;
                // Alone, an element is both.
                marks[i] = is_first ? begins[i] & (after ^ Marks{1}) : after & (begins[i] ^ Marks{1});
            }
        };
        return compact(count, false, mark, [&](uint64_t begin, size_t in_block, const Marks* marks, uint64_t position) {
            uint64_t found = 0;
            for (size_t i = 0; i < in_block; ++i) {
                if (marks[i] != Marks{0}) positions[position + found++] = static_cast<Position>(begin + i);
            }
            return found;
        });
    };
    const uint64_t runs = find(true, offsets);
    find(false, lengths);
    const Chunks chunks(runs);
    for_each_index(chunks.count(), [&](size_t chunk) {
        for (uint64_t run = chunks.begin(chunk); run < chunks.end(chunk); ++run)
            lengths[run] = static_cast<Position>(lengths[run] - offsets[run] + 1);
    });
    return runs;
}

Status non_trivial_runs(const Source* input, uint64_t count, OpNumber op, uint64_t position_size, void* offsets,
                        void* lengths, uint64_t* runs) {
    const Pipeline elements(*input);
    const CombineBlocks are_equal = binary_block(op, elements.type());
    *runs =
        position_size == sizeof(uint32_t)
            ? find_runs(elements, count, are_equal, static_cast<uint32_t*>(offsets), static_cast<uint32_t*>(lengths))
            : find_runs(elements, count, are_equal, static_cast<uint64_t*>(offsets), static_cast<uint64_t*>(lengths));
    return success;
}

const Registration registration(&Functions::non_trivial_runs, non_trivial_runs);

}  // namespace

}  // namespace cuprum::parallel::host
