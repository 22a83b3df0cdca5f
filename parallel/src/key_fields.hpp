// Keys that are structs: the numbers in them, in the order in which they are compared.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sort.hpp"

namespace cuprum::parallel {

// A number in a struct, or the whole of a key that is one.
struct KeyField {
    std::string path;  // ".inner.x"; empty for the key itself
    Type type;
    uint64_t offset;  // bytes from the key's begin
    SortOrder order = SortOrder::ascending;
};

// Some numbers of a struct, most significant first, and the order of each: "age, -place.x". Throws InvalidArgument.
std::vector<KeyField> chosen_fields(const char* operation, const Type& type, std::string_view names);

// The numbers that a radix sort goes by, most significant first: those that `names` chooses, each in its own order, or
// all of a key's. Throws InvalidArgument for keys that have no order of bits.
std::vector<KeyField> radix_fields(const Type& keys, const std::optional<std::string>& names, SortOrder order);

// How many bits are compared: those of the numbers, in order and without padding.
uint64_t compared_bits(const std::vector<KeyField>& fields);

// What tells CUB's kernels, which sort in that order, of the numbers in a struct.
std::string decomposer_text(SourceBuilder& source, const std::vector<KeyField>& fields, SortOrder order);

// sort_on_host for structs: by one number after the other, the least significant one first, each in its own order.
void sort_fields_on_host(const HostCall& call, const SortMemory& memory, const std::vector<KeyField>& fields,
                         int32_t begin_bit, int32_t end_bit);

}  // namespace cuprum::parallel
