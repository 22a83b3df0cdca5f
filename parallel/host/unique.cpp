// An element is kept unless it is equal to the one before it.
#include "compact.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

Status unique(const Source* input, uint64_t count, OpNumber op, void* output, uint64_t* selected) {
    const Pipeline elements(*input);
    const CombineBlocks are_equal = binary_block(op, elements.type());
    auto* const target = static_cast<std::byte*>(output);
    *selected = compact(
        count, is_in_place(*input, output),
        [&](uint64_t begin, size_t in_block, Marks* marks) { mark_first(elements, are_equal, begin, in_block, marks); },
        [&](uint64_t begin, size_t in_block, const Marks* marks, uint64_t position) {
            return copy_marked(elements, begin, in_block, marks, target, position);
        });
    return success;
}

const Registration registration(&Functions::unique, unique);

}  // namespace

}  // namespace cuprum::parallel::host
