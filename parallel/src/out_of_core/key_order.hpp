// The order of a radix sort, on the host.
#pragma once

#include <cstddef>
#include <vector>

#include "../key_fields.hpp"

namespace cuprum::parallel::out_of_core {

class KeyOrder {
public:
    // Throws InvalidArgument for keys that have no order of bits.
    KeyOrder(SortOrder order, const Type& keys) : fields_(radix_fields(keys, std::nullopt, order)) {}

    // Negative where the key at `left` comes first, 0 where neither does.
    int compare(const std::byte* left, const std::byte* right) const;

private:
    std::vector<KeyField> fields_;
};

}  // namespace cuprum::parallel::out_of_core
