#include <cstring>

#include "pipeline.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

Status adjacent_difference(const Source* input, uint64_t count, int32_t is_right, OpNumber op, TypeNumber result,
                           void* output) {
    const Pipeline elements(*input);
    Pipeline alone(*input);
    alone.convert_to(result);
    const CombineBlocks combine = binary_block(op, elements.type());
    const TypeNumber combined = result_of(op, elements.type());
    const ConvertBlock convert = combined == result ? nullptr : convert_block(combined, result);
    const size_t size = size_of(elements.type());
    const size_t result_size = size_of(result);
    auto* const target = static_cast<std::byte*>(output);
    const Chunks chunks(count);
    for_each_index(chunks.count(), [&](size_t chunk) {
        Scratch scratch;
        Block results;
        // Pairs: as many as a block has, less one.
        for (uint64_t begin = chunks.begin(chunk); begin < chunks.end(chunk); begin += block_elements - 1) {
            const auto in_block =
                static_cast<size_t>(std::min<uint64_t>(chunks.end(chunk) - begin, block_elements - 1));
            const bool is_edge = is_right != 0 ? begin + in_block == count : begin == 0;
            const uint64_t first = is_right != 0 || is_edge ? begin : begin - 1;
            const size_t pairs = is_edge ? in_block - 1 : in_block;
            const std::byte* const block = elements.read(first, pairs + 1, scratch);
            const std::byte* const own = is_right != 0 ? block : block + size;
            const std::byte* const other = is_right != 0 ? block + size : block;
            std::byte* const to = target + (begin + (is_right == 0 && is_edge ? 1 : 0)) * result_size;
            if (convert == nullptr) {
                combine(own, other, to, pairs);
            } else {
                combine(own, other, results.bytes, pairs);
                convert(results.bytes, to, pairs);
            }
            if (is_edge) {
                const uint64_t edge = is_right != 0 ? count - 1 : 0;
                alone.read_to(edge, 1, scratch, target + edge * result_size);
            }
        }
    });
    return success;
}

const Registration registration(&Functions::adjacent_difference, adjacent_difference);

}  // namespace

}  // namespace cuprum::parallel::host
