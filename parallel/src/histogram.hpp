// What histograms share: how samples and levels are compared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "cuprum/parallel/type.hpp"
#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {

inline bool is_float_kind(TypeKind kind) {
    return kind == TypeKind::float16 || kind == TypeKind::bfloat16 || kind == TypeKind::float32 ||
           kind == TypeKind::float64;
}
inline bool is_unsigned_kind(TypeKind kind) {
    return kind == TypeKind::uint32 || kind == TypeKind::uint64;
}

// What C++ makes of numbers of two types: int32, uint32, int64, uint64, float32 or float64.
inline TypeKind common_kind(TypeKind first, TypeKind second) {
    const auto promoted = [](TypeKind kind) {
        if (kind == TypeKind::float16 || kind == TypeKind::bfloat16) return TypeKind::float32;
        return Type(kind).size() < 4 ? TypeKind::int32 : kind;
    };
    const TypeKind a = promoted(first);
    const TypeKind b = promoted(second);
    if (a == TypeKind::float64 || b == TypeKind::float64) return TypeKind::float64;
    if (a == TypeKind::float32 || b == TypeKind::float32) return TypeKind::float32;
    const uint64_t size = std::max(Type(a).size(), Type(b).size());
    const auto is_wide_unsigned = [&](TypeKind kind) { return is_unsigned_kind(kind) && Type(kind).size() == size; };
    const bool has_unsigned = is_wide_unsigned(a) || is_wide_unsigned(b);
    if (size == 4) return has_unsigned ? TypeKind::uint32 : TypeKind::int32;
    return has_unsigned ? TypeKind::uint64 : TypeKind::int64;
}

inline void require_real_number(const char* algorithm, const char* what, const Type& type) {
    if (type.is_structure() || type.is_complex() || type.kind() == TypeKind::boolean || type.is_wide_integer()) {
        throw InvalidArgument(std::string("building ") + algorithm, std::string(what) + " of type " + type.name(),
                              "expected an integer of at most 64 bits or a floating-point type");
    }
}

}  // namespace cuprum::parallel
