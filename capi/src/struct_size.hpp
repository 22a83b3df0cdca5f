// Structs that begin with struct_size: the caller's sizeof, which may be another version's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "call.hpp"
#include "cuprum/core/error.hpp"

namespace cuprum::capi {

// No struct of this ABI comes near it; what is larger was never set.
constexpr uint32_t largest_struct_size = 4096;

/// Throws InvalidArgument unless `size` can be the size of some version of the struct.
inline void check_struct_size(const Call& call, const char* parameter, uint32_t size, size_t own_size,
                              uint32_t first_size = 2 * sizeof(uint32_t)) {
    // Fields are added at the end and are multiples of 4 bytes; struct_size and one field are always there.
    if (size < first_size || size > largest_struct_size || size % sizeof(uint32_t) != 0) {
        call.refuse(parameter,
                    "struct_size is " + std::to_string(size) + "; expected the struct's sizeof, " +
                        std::to_string(own_size) + " in this version",
                    "set struct_size = sizeof(the struct) before the call");
    }
}

/// A struct passed in: the fields that the caller's version has, and zero, which is every field's default, for those
/// that it lacks. Fields that only a newer version knows must be zero: they ask for something that this version cannot
/// do. `first_size`: the size that the struct had in the first version that had it.
template <class Struct>
    requires std::is_trivially_copyable_v<Struct>
Struct read_struct(const Call& call, const char* parameter, const Struct* given,
                   uint32_t first_size = 2 * sizeof(uint32_t)) {
    call.require(given, parameter);
    const uint32_t size = given->struct_size;
    check_struct_size(call, parameter, size, sizeof(Struct), first_size);
    const auto* bytes = reinterpret_cast<const unsigned char*>(given);
    for (size_t index = sizeof(Struct); index < size; ++index) {
        if (bytes[index] != 0) {
            ErrorInfo info;
            info.status = Status::unsupported;
            info.operation = call.operation().text();
            info.object = std::string("parameter `") + parameter + "`";
            info.detail = "sets the field at byte " + std::to_string(index) + ", which this version (" +
                          std::to_string(sizeof(Struct)) + " bytes) does not have";
            info.advice = "use the libcuprum that the program was built for, or a newer one";
            throw_error(std::move(info));
        }
    }
    Struct result{};
    std::memcpy(&result, given, std::min<size_t>(size, sizeof(Struct)));
    result.struct_size = sizeof(Struct);
    return result;
}

/// Fills a caller's struct: the fields that its version has; those that only a newer version knows become zero.
/// `struct_size` stays the caller's. To be called last: it does not fail once check_struct_size() has passed.
template <class Struct>
    requires std::is_trivially_copyable_v<Struct>
void write_struct(Struct* out, Struct values) {
    const uint32_t size = out->struct_size;
    values.struct_size = size;
    std::memcpy(static_cast<void*>(out), &values, std::min<size_t>(size, sizeof(Struct)));
    if (size > sizeof(Struct)) {
        std::memset(reinterpret_cast<unsigned char*>(out) + sizeof(Struct), 0, size - sizeof(Struct));
    }
}

}  // namespace cuprum::capi
