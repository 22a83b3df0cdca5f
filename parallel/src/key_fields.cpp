#include "key_fields.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <numeric>
#include <utility>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {

namespace {

constexpr size_t most_fields = 64;

void add_fields(const char* operation, std::vector<KeyField>& found, const std::string& path, const Type& type,
                uint64_t offset) {
    if (type.is_structure()) {
        for (const Type::Field& field : type.fields())
            add_fields(operation, found, path + '.' + field.name, field.type, offset + field.offset);
        return;
    }
    if (type.is_complex()) {
        throw InvalidArgument(
            operation, path.empty() ? "keys of type " + type.name() : "field '" + path.substr(1) + "' of the keys",
            "it is complex, and only numbers and bool have an order of their bits", "use MergeSort with a comparison");
    }
    found.push_back({path, type, offset});
}

std::string_view trimmed(std::string_view text) {
    const size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// The field that a name with dots leads to, and where it is: bytes from the struct's begin.
std::pair<Type, uint64_t> field_called(const char* operation, const Type& structure, std::string_view name) {
    Type type = structure;
    uint64_t offset = 0;
    std::string_view rest = name;
    for (bool is_last = false; !is_last;) {
        const size_t dot = rest.find('.');
        is_last = dot == std::string_view::npos;
        const std::string part(rest.substr(0, dot));
        rest = is_last ? std::string_view() : rest.substr(dot + 1);
        const Type::Field* found = nullptr;
        std::string known;
        if (type.is_structure()) {
            for (const Type::Field& field : type.fields()) {
                known += (known.empty() ? "" : ", ") + field.name;
                if (field.name == part) found = &field;
            }
        }
        if (found == nullptr) {
            throw InvalidArgument(
                operation, "field '" + std::string(name) + "'",
                known.empty() ? type.name() + " has no fields" : "'" + type.name() + "' has " + known);
        }
        offset += found->offset;
        type = Type(found->type);
    }
    return {type, offset};
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

// What gives references to those members of a key.
std::string members_text(SourceBuilder& source, const char* name, const std::vector<KeyField>& fields) {
    std::string types;
    std::string members;
    for (const KeyField& field : fields) {
        types += (types.empty() ? "" : ", ") + source.type(field.type) + '&';
        members += (members.empty() ? "key" : ", key") + field.path;
    }
    return std::string("struct ") + name + " {\n    __host__ __device__ ::cuda::std::tuple<" + types +
           "> operator()(key_t& key) const { return {" + members + "}; }\n};\n";
}

// CUB sorts all members of a key in one order. For those of the other order (inverted_t) a key's bits, once they have
// their numbers' order, are inverted too, and the least key is the greatest.
constexpr std::string_view traits_of_keys = R"(
template <> struct cub::detail::radix::traits_t<key_t, false> {
    using bit_ordered_type = key_t;
    using bit_ordered_inversion_policy = cub::detail::radix::custom_bit_inversion_policy_t;
    struct bit_ordered_conversion_policy {
        using numbers_t = cub::detail::radix::custom_bit_conversion_policy_t;
        template <class Decomposer> static __host__ __device__ key_t to_bit_ordered(Decomposer decomposer, key_t key) {
            return bit_ordered_inversion_policy::inverse(inverted_t{}, numbers_t::to_bit_ordered(decomposer, key));
        }
        template <class Decomposer> static __host__ __device__ key_t from_bit_ordered(Decomposer decomposer, key_t key) {
            return numbers_t::from_bit_ordered(decomposer, bit_ordered_inversion_policy::inverse(inverted_t{}, key));
        }
    };
    template <class, class Decomposer>
    using digit_extractor_t = cub::detail::radix::custom_digit_extractor_t<Decomposer>;
    template <class Extractor, class Decomposer>
    static __host__ __device__ digit_extractor_t<Extractor, Decomposer> digit_extractor(
        int begin_bit, int num_bits, Decomposer decomposer) {
        return digit_extractor_t<Extractor, Decomposer>(decomposer, begin_bit, num_bits);
    }
    template <class Decomposer> static __host__ __device__ key_t min_raw_binary_key(Decomposer decomposer) {
        key_t key{};
        cub::detail::radix::min_raw_binary_key(decomposer, key);
        cub::detail::radix::max_raw_binary_key(inverted_t{}, key);
        return key;
    }
    template <class Decomposer> static __host__ __device__ key_t max_raw_binary_key(Decomposer decomposer) {
        key_t key{};
        cub::detail::radix::max_raw_binary_key(decomposer, key);
        cub::detail::radix::min_raw_binary_key(inverted_t{}, key);
        return key;
    }
    template <class Decomposer> static __host__ __device__ int default_end_bit(Decomposer decomposer) {
        key_t key{};
        return cub::detail::radix::default_end_bit(decomposer, key);
    }
};)";

}  // namespace

std::vector<KeyField> chosen_fields(const char* operation, const Type& type, std::string_view names) {
    if (!type.is_structure()) {
        throw InvalidArgument(operation, "type " + type.name(), "it is no struct", "sort numbers by the operator less");
    }
    std::vector<KeyField> found;
    for (bool is_last = false; !is_last;) {
        const size_t comma = names.find(',');
        is_last = comma == std::string_view::npos;
        std::string_view name = trimmed(names.substr(0, comma));
        names = is_last ? std::string_view() : names.substr(comma + 1);
        const bool is_descending = name.starts_with('-');
        if (is_descending) name = trimmed(name.substr(1));
        const size_t before = found.size();
        const auto [field, offset] = field_called(operation, type, name);
        add_fields(operation, found, '.' + std::string(name), field, offset);
        for (size_t i = before; i < found.size(); ++i) {
            found[i].order = is_descending ? SortOrder::descending : SortOrder::ascending;
            for (size_t earlier = 0; earlier < before; ++earlier) {
                if (found[earlier].offset != found[i].offset) continue;
                throw InvalidArgument(operation, "field '" + found[i].path.substr(1) + "'", "it is named twice");
            }
        }
    }
    return found;
}

std::vector<KeyField> radix_fields(const Type& keys, const std::optional<std::string>& names, SortOrder order) {
    constexpr const char* operation = "building radix_sort";
    std::vector<KeyField> found;
    if (names) {
        found = chosen_fields(operation, keys, *names);
    } else {
        add_fields(operation, found, "", keys, 0);
        for (KeyField& field : found)
            field.order = order;
    }
    if (found.size() > most_fields) {
        throw InvalidArgument(
            operation, names ? "fields '" + *names + "'" : "struct '" + keys.name() + "'",
            "it has " + std::to_string(found.size()) + " numbers, expected at most " + std::to_string(most_fields),
            "use MergeSort with a comparison");
    }
    return found;
}

uint64_t compared_bits(const std::vector<KeyField>& fields) {
    uint64_t bits = 0;
    for (const KeyField& field : fields)
        bits += 8 * field.type.size();
    return bits;
}

std::string decomposer_text(SourceBuilder& source, const std::vector<KeyField>& fields, SortOrder order) {
    std::string text = members_text(source, "decomposer_t", fields);
    std::vector<KeyField> inverted;
    std::copy_if(fields.begin(), fields.end(), std::back_inserter(inverted),
                 [order](const KeyField& field) { return field.order != order; });
    if (!inverted.empty()) text += members_text(source, "inverted_t", inverted) + std::string(traits_of_keys);
    return text;
}

void sort_fields_on_host(const HostCall& call, const SortMemory& memory, const std::vector<KeyField>& fields,
                         int32_t begin_bit, int32_t end_bit) {
    check_sort_on_host(call, memory);
    if (call.count == 0) return;
    const auto* const keys = reinterpret_cast<const std::byte*>(memory.keys_in.address());
    auto status = host::success;
    try {
        std::vector<uint64_t> numbers(call.count);
        std::vector<uint64_t> sorted(call.count);
        std::iota(numbers.begin(), numbers.end(), uint64_t{0});
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
                                           field->order == SortOrder::descending ? 1 : 0, column.data(), ordered.data(),
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
