#include "compact.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

constexpr TypeNumber boolean = 0;

// Those of a block that are not marked, each before the one that was written last; `end` is behind their places.
void copy_rest(const Pipeline& elements, uint64_t begin, size_t count, const Marks* marks, std::byte* end) {
    const size_t size = elements.element_size();
    Scratch scratch;
    const std::byte* const block = elements.read(begin, count, scratch);
    for (size_t i = 0; i < count; ++i) {
        if (marks[i] == Marks{0}) std::memcpy(end -= size, block + i * size, size);
    }
}

Status select(const Source* input, const Source* flags, uint64_t count, OpNumber condition, int32_t keeps_rest,
              void* output, uint64_t* selected) {
    const Pipeline elements(*input);
    Pipeline conditions(*flags);
    conditions.apply(condition, boolean);
    auto* const target = static_cast<std::byte*>(output);
    *selected = compact(
        count, is_in_place(*input, output),
        [&](uint64_t begin, size_t in_block, Marks* marks) {
            Scratch scratch;
            conditions.read_to(begin, in_block, scratch, marks);
        },
        [&](uint64_t begin, size_t in_block, const Marks* marks, uint64_t position) {
            if (keeps_rest != 0) {
                const uint64_t rest_before = begin - position;
                copy_rest(elements, begin, in_block, marks, target + (count - rest_before) * elements.element_size());
            }
            return copy_marked(elements, begin, in_block, marks, target, position);
        });
    return success;
}

const Registration registration(&Functions::select, select);

}  // namespace

}  // namespace cuprum::parallel::host
