// Tables of functions over all types and operators, made by the compiler.
#pragma once

#include <array>
#include <utility>

#include "operators.hpp"

namespace cuprum::parallel::host {

// Entry i is entry.template operator()<Op or type i>().
template <class Entry, int32_t... Index>
constexpr auto make_array(Entry entry, std::integer_sequence<int32_t, Index...>) {
    return std::array { entry.template operator()<Index>()... };
}

template <class Entry>
constexpr auto type_table(Entry entry) {
    return make_array(entry, std::make_integer_sequence<int32_t, type_count>());
}
// [first][second]
template <class Entry>
constexpr auto type_pair_table(Entry entry) {
    return type_table([entry]<int32_t first>() {
        return type_table([entry]<int32_t second>() { return entry.template operator()<first, second>(); });
    });
}
// [op][type]
template <class Entry>
constexpr auto op_table(Entry entry) {
    return make_array(
        [entry]<int32_t op>() {
            return type_table(
                [entry]<int32_t type>() { return entry.template operator()<static_cast<Op>(op), type>(); });
        },
        std::make_integer_sequence<int32_t, op_count>());
}

}  // namespace cuprum::parallel::host
