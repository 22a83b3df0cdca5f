#include "compact.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

constexpr TypeNumber boolean = 0;

Status select(const Source* input, uint64_t count, OpNumber condition, void* output, uint64_t* selected) {
    const Pipeline elements(*input);
    Pipeline conditions(*input);
    conditions.apply(condition, boolean);
    auto* const target = static_cast<std::byte*>(output);
    *selected = compact(
        count, is_in_place(*input, output),
        [&](uint64_t begin, size_t in_block, Marks* marks) {
            Scratch scratch;
            conditions.read_to(begin, in_block, scratch, marks);
        },
        [&](uint64_t begin, size_t in_block, const Marks* marks, uint64_t position) {
            return copy_marked(elements, begin, in_block, marks, target, position);
        });
    return success;
}

const Registration registration(&Functions::select, select);

}  // namespace

}  // namespace cuprum::parallel::host
