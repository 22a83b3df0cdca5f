// Tables that are looked up by an enumerator, which each row names.
#pragma once

#include <cstddef>

namespace cuprum::parallel {

/// Whether the rows are those of the enumerators from 0 to `last`, in their order.
template <class Table, class Kind>
constexpr bool has_a_row_for_each(const Table& table, Kind last) {
    for (size_t i = 0; i < table.size(); ++i) {
        if (static_cast<size_t>(table[i].kind) != i) return false;
    }
    return table.size() == static_cast<size_t>(last) + 1;
}

}  // namespace cuprum::parallel
