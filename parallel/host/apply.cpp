// Operators applied to each element, or each pair.
#include "blocks.hpp"
#include "tables.hpp"
#include "versions.hpp"

namespace cuprum::parallel::host {

namespace {

template <Op op, class T>
using UnaryResult = decltype(apply_unary<op>(T{}));
template <Op op, class T>
using BinaryResult = decltype(apply_binary<op>(T{}, T{}));

constexpr bool is_unary(Op op) {
    return op >= first_unary_op;
}

template <Op op, class T>
void apply_to_each(const void* from, void* to, size_t count) {
    const auto* const in = static_cast<const T*>(from);
    auto* const out = static_cast<UnaryResult<op, T>*>(to);
    for (size_t i = 0; i < count; ++i)
        out[i] = apply_unary<op>(in[i]);
}
template <Op op, class T>
void apply_to_pairs(const void* first, const void* second, void* result, size_t count) {
    const auto* const left = static_cast<const T*>(first);
    const auto* const right = static_cast<const T*>(second);
    auto* const out = static_cast<BinaryResult<op, T>*>(result);
    for (size_t i = 0; i < count; ++i)
        out[i] = apply_binary<op>(left[i], right[i]);
}

constexpr auto unary_functions = op_table([]<Op op, int32_t type>() -> Versions<ConvertBlock> {
    if constexpr (is_unary(op) && is_defined<op, TypeAt<type>>) {
        return versions_of<apply_to_each<op, TypeAt<type>>>();
    } else {
        return {};
    }
});
constexpr auto binary_functions = op_table([]<Op op, int32_t type>() -> Versions<CombineBlocks> {
    if constexpr (!is_unary(op) && is_defined<op, TypeAt<type>>) {
        return versions_of<apply_to_pairs<op, TypeAt<type>>>();
    } else {
        return {};
    }
});
constexpr auto results = op_table([]<Op op, int32_t type>() -> TypeNumber {
    if constexpr (!is_defined<op, TypeAt<type>>) {
        return -1;
    } else if constexpr (is_unary(op)) {
        return number_of<UnaryResult<op, TypeAt<type>>>();
    } else {
        return number_of<BinaryResult<op, TypeAt<type>>>();
    }
});

}  // namespace

ConvertBlock unary_block(OpNumber op, TypeNumber type) {
    return unary_functions[static_cast<size_t>(op)][static_cast<size_t>(type)].best();
}
CombineBlocks binary_block(OpNumber op, TypeNumber type) {
    return binary_functions[static_cast<size_t>(op)][static_cast<size_t>(type)].best();
}
TypeNumber result_of(OpNumber op, TypeNumber operands) {
    return results[static_cast<size_t>(op)][static_cast<size_t>(operands)];
}

}  // namespace cuprum::parallel::host
