// Types of lengths, positions and counts.
#pragma once

#include <string>

#include "cuprum/parallel/type.hpp"
#include "cuprum/parallel/value.hpp"
#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {

// Throws InvalidArgument for others than integers of 32 or 64 bits. `what`: "lengths".
inline void require_wide_integers(const char* algorithm, const char* what, const Type& type) {
    const TypeKind kind = type.kind();
    if (kind == TypeKind::int32 || kind == TypeKind::uint32 || kind == TypeKind::int64 || kind == TypeKind::uint64)
        return;
    throw InvalidArgument(std::string("building ") + algorithm, std::string(what) + " of type " + type.name(),
                          "expected int32, uint32, int64 or uint64");
}

// 1, in such a type.
inline Value one_of(const Type& integers) {
    if (integers.size() == sizeof(uint32_t)) {
        const uint32_t one = 1;
        return {integers, &one};
    }
    const uint64_t one = 1;
    return {integers, &one};
}

}  // namespace cuprum::parallel
