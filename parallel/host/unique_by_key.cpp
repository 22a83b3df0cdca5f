// A key is kept unless it is equal to the one before it.
#include "compact.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

Status unique_by_key(const Source* keys, const Source* values, uint64_t count, OpNumber op, void* keys_out,
                     void* values_out, uint64_t* selected) {
    const Pipeline key_elements(*keys);
    const Pipeline value_elements(*values);
    const CombineBlocks are_equal = binary_block(op, key_elements.type());
    const size_t key_size = key_elements.element_size();
    auto* const to_keys = static_cast<std::byte*>(keys_out);
    auto* const to_values = static_cast<std::byte*>(values_out);
    *selected = compact(
        count, is_in_place(*keys, keys_out) || is_in_place(*values, values_out),
        [&](uint64_t begin, size_t in_block, Marks* marks) {
            Scratch scratch;
            const std::byte* const block = key_elements.read(begin, in_block, scratch);
            are_equal(block, block + key_size, marks + 1, in_block - 1);
            if (begin == 0) {
                marks[0] = Marks{0};
            } else {
                // In place too: as many keys as were read have been written at most, each where it was or further
                // front.
                Scratch before;
                are_equal(key_elements.read(begin - 1, 1, before), block, marks, 1);
            }
            for (size_t i = 0; i < in_block; ++i)
                marks[i] ^= Marks{1};
        },
        [&](uint64_t begin, size_t in_block, const Marks* marks, uint64_t position) {
            copy_marked(key_elements, begin, in_block, marks, to_keys, position);
            return copy_marked(value_elements, begin, in_block, marks, to_values, position);
        });
    return success;
}

const Registration registration(&Functions::unique_by_key, unique_by_key);

}  // namespace

}  // namespace cuprum::parallel::host
