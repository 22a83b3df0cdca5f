#include "algorithms.hpp"
#include "compact.hpp"

namespace cuprum::parallel::host {

namespace {

constexpr TypeNumber boolean = 0;

}  // namespace

Status select(const Source* input, uint64_t count, OpNumber condition, void* output, uint64_t* selected) {
    const Pipeline elements(*input);
    Pipeline conditions(*input);
    conditions.apply(condition, boolean);
    const size_t size = size_of(elements.type());
    auto* const target = static_cast<std::byte*>(output);
    const bool is_in_place = input->kind == Source::memory && input->memory_or_value == output;
    *selected = compact(
        count, is_in_place,
        [&](uint64_t begin, size_t in_block, Marks* marks) {
            Scratch scratch;
            conditions.read_to(begin, in_block, scratch, marks);
        },
        [&](uint64_t begin, size_t in_block, const Marks* marks, uint64_t position) {
            Scratch scratch;
            Block kept;
            const size_t found =
                keep_marked(elements.read(begin, in_block, scratch), marks, in_block, size, kept.bytes);
            std::memcpy(target + position * size, kept.bytes, found * size);
            return found;
        });
    return success;
}

}  // namespace cuprum::parallel::host
