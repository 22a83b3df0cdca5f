// Keys that are structs: the numbers in them, in the order in which they are compared.
#pragma once

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

// The numbers of a key, most significant first. Throws InvalidArgument for one that has no order of bits.
std::vector<KeyField> key_fields(const Type& keys);

// Some numbers of a struct, most significant first, and the order of each: "age, -place.x". Throws InvalidArgument.
std::vector<KeyField> chosen_fields(const Type& type, std::string_view names);

// How many bits are compared: those of the numbers, in order and without padding.
uint64_t key_bits(const Type& keys);

// What tells CUB's kernels of the numbers in a struct.
std::string decomposer_text(SourceBuilder& source, const Type& keys);

// sort_on_host for structs: by one number after the other, the least significant one first. The second sorts by the
// given numbers, each in its own order.
void sort_fields_on_host(const HostCall& call, const SortMemory& memory, SortOrder order, int32_t begin_bit,
                         int32_t end_bit);
void sort_chosen_fields_on_host(const HostCall& call, const SortMemory& memory, const std::vector<KeyField>& fields,
                                int32_t begin_bit, int32_t end_bit);

}  // namespace cuprum::parallel
