// Each thread finds the extremes of its part, block by block.
#include <array>
#include <cstring>

#include "operators.hpp"
#include "pipeline.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

// Both NaN where there is one.
struct alignas(64) Extremes {
    std::byte low[max_element_size];
    std::byte high[max_element_size];
};

Status min_max(const Source* input, uint64_t count, void* output) {
    const Pipeline elements(*input);
    const size_t size = elements.element_size();
    const FoldBlock smallest = fold_block(minimum, elements.type());
    const FoldBlock largest = fold_block(maximum, elements.type());
    const FindNan nan = find_nan(elements.type());
    const Chunks chunks(count, 1U << 13, 16);
    std::array<Extremes, Chunks::max_count> of_chunks;
    const auto widen = [&](Extremes& extremes, const std::byte* block, size_t in_block) {
        if (const size_t at = nan(block, in_block); at < in_block) {
            std::memcpy(extremes.low, block + at * size, size);
            std::memcpy(extremes.high, block + at * size, size);
            return true;
        }
        smallest(block, in_block, extremes.low);
        largest(block, in_block, extremes.high);
        return false;
    };
    for_each_index(chunks.count(), [&](size_t chunk) {
        Scratch scratch;
        Extremes extremes;
        bool is_nan = false;
        for_each_block(chunks.begin(chunk), chunks.end(chunk), [&](uint64_t begin, size_t in_block) {
            if (is_nan) return;
            const std::byte* const block = elements.read(begin, in_block, scratch);
            if (begin == chunks.begin(chunk)) {
                std::memcpy(extremes.low, block, size);
                std::memcpy(extremes.high, block, size);
            }
            is_nan = widen(extremes, block, in_block);
        });
        of_chunks[chunk] = extremes;
    });
    Extremes result = of_chunks[0];
    if (nan(result.low, 1) == 1) {
        for (size_t chunk = 1; chunk < chunks.count(); ++chunk) {
            if (widen(result, of_chunks[chunk].low, 1) || widen(result, of_chunks[chunk].high, 1)) break;
        }
    }
    std::memcpy(output, result.low, size);
    std::memcpy(static_cast<std::byte*>(output) + size, result.high, size);
    return success;
}

const Registration registration(&Functions::min_max, min_max);

}  // namespace

}  // namespace cuprum::parallel::host
