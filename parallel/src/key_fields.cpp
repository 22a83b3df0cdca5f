#include "key_fields.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {

namespace {

constexpr size_t most_fields = 64;

void add_fields(std::vector<KeyField>& found, const std::string& path, const Type& type, uint64_t offset) {
    if (type.is_structure()) {
        for (const Type::Field& field : type.fields())
            add_fields(found, path + '.' + field.name, field.type, offset + field.offset);
        return;
    }
    if (type.is_complex()) {
        throw InvalidArgument(
            "building radix_sort",
            path.empty() ? "keys of type " + type.name() : "field '" + path.substr(1) + "' of the keys",
            "it is complex, and only numbers and bool have an order of their bits", "use MergeSort with a comparison");
    }
    found.push_back({path, type, offset});
}

// Elements of `size` bytes, each `stride` bytes behind the one before it, in the order of their numbers.
void gather(const std::byte* from, uint64_t stride, uint64_t size, const std::vector<uint64_t>& numbers,
            std::byte* to) {
    for (size_t i = 0; i < numbers.size(); ++i)
        std::memcpy(to + i * size, from + numbers[i] * stride, size);
}

void move_elements(const Input& in, const Output& out, const Type& type, const std::vector<uint64_t>& numbers) {
    const auto* from = reinterpret_cast<const std::byte*>(in.address());
    auto* const to = reinterpret_cast<std::byte*>(out.address());
    std::vector<std::byte> copy;
    if (from == to) {
        copy.assign(from, from + numbers.size() * type.size());
        from = copy.data();
    }
    gather(from, type.size(), type.size(), numbers, to);
}

// A column of one field, aligned for any number.
struct Column {
    explicit Column(uint64_t bytes) : memory(ceil_divide(bytes, sizeof(uint128))) {}
    std::byte* data() { return reinterpret_cast<std::byte*>(memory.data()); }
    std::vector<uint128> memory;
};

}  // namespace

std::vector<KeyField> key_fields(const Type& keys) {
    std::vector<KeyField> found;
    add_fields(found, "", keys, 0);
    if (found.size() > most_fields) {
        throw InvalidArgument(
            "building radix_sort", "struct '" + keys.name() + "'",
            "it has " + std::to_string(found.size()) + " numbers, expected at most " + std::to_string(most_fields),
            "use MergeSort with a comparison");
    }
    return found;
}

uint64_t key_bits(const Type& keys) {
    uint64_t bits = 0;
    for (const KeyField& field : key_fields(keys))
        bits += 8 * field.type.size();
    return bits;
}

std::string decomposer_text(SourceBuilder& source, const Type& keys) {
    std::string types;
    std::string members;
    for (const KeyField& field : key_fields(keys)) {
        types += (types.empty() ? "" : ", ") + source.type(field.type) + '&';
        members += (members.empty() ? "key" : ", key") + field.path;
    }
    return "struct decomposer_t {\n    __host__ __device__ ::cuda::std::tuple<" + types +
           "> operator()(key_t& key) const { return {" + members + "}; }\n};";
}

void sort_fields_on_host(const HostCall& call, const SortMemory& memory, SortOrder order, int32_t begin_bit,
                         int32_t end_bit) {
    check_sort_on_host(call, memory);
    if (call.count == 0) return;
    const auto* const keys = reinterpret_cast<const std::byte*>(memory.keys_in.address());
    auto status = host::success;
    try {
        std::vector<uint64_t> numbers(call.count);
        std::vector<uint64_t> sorted(call.count);
        std::iota(numbers.begin(), numbers.end(), uint64_t{0});
        const std::vector<KeyField> fields = key_fields(memory.keys);
        int32_t lowest = 0;  // bit of the field
        for (auto field = fields.rbegin(); field != fields.rend() && status == host::success; ++field) {
            const auto width = static_cast<int32_t>(8 * field->type.size());
            const int32_t begin = std::max(begin_bit - lowest, 0);
            const int32_t end = std::min(end_bit - lowest, width);
            lowest += width;
            if (begin >= end) continue;
            Column column(call.count * field->type.size());
            Column ordered(call.count * field->type.size());
            gather(keys + field->offset, memory.keys.size(), field->type.size(), numbers, column.data());
            status = host_functions().sort(host_execution::number_of(field->type),
                                           order == SortOrder::descending ? 1 : 0, column.data(), ordered.data(),
                                           sizeof(uint64_t), numbers.data(), sorted.data(), call.count, begin, end);
            std::swap(numbers, sorted);
        }
        if (status == host::success) {
            move_elements(memory.keys_in, memory.keys_out, memory.keys, numbers);
            if (memory.values != nullptr) move_elements(*memory.values_in, *memory.values_out, *memory.values, numbers);
        }
    } catch (const std::bad_alloc&) {
        status = host::out_of_memory;
    }
    host_execution::check(status, call);
}

}  // namespace cuprum::parallel
