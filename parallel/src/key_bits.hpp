// Keys that are ordered by their bits, in programs.
#pragma once

#include <string>

#include "histogram.hpp"
#include "source.hpp"

namespace cuprum::parallel {

inline bool is_signed_kind(TypeKind kind) {
    return kind == TypeKind::int8 || kind == TypeKind::int16 || kind == TypeKind::int32 || kind == TypeKind::int64 ||
           kind == TypeKind::int128;
}

// The unsigned integer of a number's size in bytes.
inline const char* bits_of(uint64_t size) {
    switch (size) {
        case 1:
            return "unsigned char";
        case 2:
            return "unsigned short";
        case 4:
            return "unsigned int";
        case 8:
            return "unsigned long long";
        default:
            return "unsigned __int128";
    }
}

inline void add_flag(SourceBuilder& source, const char* name, bool value) {
    source.line(std::string("constexpr bool ") + name + (value ? " = true;" : " = false;"));
}

}  // namespace cuprum::parallel
