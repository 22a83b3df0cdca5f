// Where things lie: in kernel parameters, which the host packs as the device's compiler lays structs out, and in
// temporary storage.
#pragma once

#include <algorithm>
#include <cstdint>

namespace cuprum::parallel {

constexpr uint64_t align_up(uint64_t offset, uint64_t alignment) {
    return (offset + alignment - 1) / alignment * alignment;
}

constexpr uint64_t ceil_divide(uint64_t dividend, uint64_t divisor) {
    return (dividend + divisor - 1) / divisor;
}

struct Layout {
    uint64_t size = 0;
    uint64_t alignment = 1;
};

// Adds a member at the end of a struct and returns its offset.
constexpr uint64_t append(Layout& structure, Layout member) {
    const uint64_t offset = align_up(structure.size, member.alignment);
    structure.alignment = std::max(structure.alignment, member.alignment);
    structure.size = offset + member.size;
    return offset;
}

}  // namespace cuprum::parallel
