#include "operators.hpp"
#include "pipeline.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

void transform_each(const Source& input, uint64_t count, OpNumber op, TypeNumber result, std::byte* output) {
    Pipeline elements(input);
    elements.apply(op, result);
    const size_t size = elements.element_size();
    const Chunks chunks(count);
    for_each_index(chunks.count(), [&](size_t chunk) {
        Scratch scratch;
        for_each_block(chunks.begin(chunk), chunks.end(chunk), [&](uint64_t position, size_t elements_here) {
            elements.read_to(position, elements_here, scratch, output + position * size);
        });
    });
}

void transform_pairs(const Source& first, const Source& second, uint64_t count, OpNumber op, TypeNumber result,
                     std::byte* output) {
    Pipeline left(first);
    Pipeline right(second);
    const TypeNumber operands = common_type(left.type(), right.type());
    left.convert_to(operands);
    right.convert_to(operands);
    const CombineBlocks combine = binary_block(op, operands);
    const TypeNumber combined = result_of(op, operands);
    const ConvertBlock convert = combined == result ? nullptr : convert_block(combined, result);
    const size_t size = size_of(result);
    const Chunks chunks(count);
    for_each_index(chunks.count(), [&](size_t chunk) {
        Scratch left_scratch;
        Scratch right_scratch;
        Block results;
        for_each_block(chunks.begin(chunk), chunks.end(chunk), [&](uint64_t position, size_t elements_here) {
            std::byte* const target = output + position * size;
            const std::byte* const a = left.read(position, elements_here, left_scratch);
            const std::byte* const b = right.read(position, elements_here, right_scratch);
            combine(a, b, convert == nullptr ? target : results.bytes, elements_here);
            if (convert != nullptr) convert(results.bytes, target, elements_here);
        });
    });
}

Status transform(const Source* first, const Source* second, uint64_t count, OpNumber op, TypeNumber result,
                 void* output) {
    if (second == nullptr) {
        transform_each(*first, count, op, result, static_cast<std::byte*>(output));
    } else {
        transform_pairs(*first, *second, count, op, result, static_cast<std::byte*>(output));
    }
    return success;
}

const Registration registration(&Functions::transform, transform);

}  // namespace

}  // namespace cuprum::parallel::host
