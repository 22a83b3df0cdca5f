// From one type to another, and sequences that are counted.
#include <cstring>

#include "blocks.hpp"
#include "tables.hpp"
#include "versions.hpp"

namespace cuprum::parallel::host {

namespace {

template <class From, class To>
void convert_elements(const void* from, void* to, size_t count) {
    const auto* const in = static_cast<const From*>(from);
    auto* const out = static_cast<To*>(to);
    for (size_t i = 0; i < count; ++i)
        out[i] = convert<To>(in[i]);
}

constexpr auto converters = type_pair_table([]<int32_t from, int32_t to>() -> Versions<ConvertBlock> {
    if constexpr (is_convertible<TypeAt<from>, TypeAt<to>>) {
        return versions_of<convert_elements<TypeAt<from>, TypeAt<to>>>();
    } else {
        return {};
    }
});

template <class T>
void count_elements(const void* start, uint64_t position, void* result, size_t count) {
    T first;
    std::memcpy(&first, start, sizeof(T));
    auto* const out = static_cast<T*>(result);
    for (size_t i = 0; i < count; ++i) {
        // As the device has it: the position as one of the elements' type, then added.
        out[i] = convert<T>(apply_binary<plus>(first, convert<T>(static_cast<int64_t>(position + i))));
    }
}

constexpr auto counters = type_table([]<int32_t type>() -> CountBlock {
    if constexpr (is_complex<TypeAt<type>> || std::is_same_v<TypeAt<type>, bool>) {
        return nullptr;
    } else {
        return count_elements<TypeAt<type>>;
    }
});

constexpr auto sizes = type_table([]<int32_t type>() { return sizeof(TypeAt<type>); });

template <class T>
constexpr bool has_arithmetic = std::is_arithmetic_v<T> || is_wide_integer<T>;

// Before an operator of two operands: what C++ makes of numbers of two types. Halves and complex numbers go with their
// own kind only.
constexpr auto common_types = type_pair_table([]<int32_t first, int32_t second>() -> TypeNumber {
    using First = TypeAt<first>;
    using Second = TypeAt<second>;
    if constexpr (first == second) {
        return first;
    } else if constexpr (has_arithmetic<First> && has_arithmetic<Second>) {
        return number_of<std::common_type_t<First, Second>>();
    } else {
        return -1;
    }
});

}  // namespace

size_t size_of(TypeNumber type) {
    return sizes[static_cast<size_t>(type)];
}
ConvertBlock convert_block(TypeNumber from, TypeNumber to) {
    return converters[static_cast<size_t>(from)][static_cast<size_t>(to)].best();
}
CountBlock count_block(TypeNumber type) {
    return counters[static_cast<size_t>(type)];
}
TypeNumber common_type(TypeNumber first, TypeNumber second) {
    return common_types[static_cast<size_t>(first)][static_cast<size_t>(second)];
}

}  // namespace cuprum::parallel::host
