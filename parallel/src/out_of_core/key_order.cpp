#include "key_order.hpp"

#include <cstring>

#include "../key_bits.hpp"

namespace cuprum::parallel::out_of_core {

namespace {

bool is_floating(TypeKind kind) {
    return kind == TypeKind::float16 || kind == TypeKind::bfloat16 || kind == TypeKind::float32 ||
           kind == TypeKind::float64;
}

// Bits that are in order as unsigned numbers.
uint128 ordered_bits(const std::byte* number, TypeKind kind, uint64_t size) {
    uint128 bits = 0;
    std::memcpy(&bits, number, size);  // little-endian
    const uint128 sign = uint128{1} << (8 * size - 1);
    if (is_signed_kind(kind)) return bits ^ sign;
    if (!is_floating(kind)) return bits;
    if (bits == sign) bits = 0;  // -0 is +0
    return (bits & sign) != 0 ? (sign | (sign - 1)) ^ bits : bits | sign;
}

}  // namespace

int KeyOrder::compare(const std::byte* left, const std::byte* right) const {
    for (const KeyField& field : fields_) {
        const TypeKind kind = field.type.kind();
        const uint128 first = ordered_bits(left + field.offset, kind, field.type.size());
        const uint128 second = ordered_bits(right + field.offset, kind, field.type.size());
        if (first == second) continue;
        return (first < second) == (field.order == SortOrder::ascending) ? -1 : 1;
    }
    return 0;
}

}  // namespace cuprum::parallel::out_of_core
