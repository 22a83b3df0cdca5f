#include "cuprum/parallel/coordinates.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* making = "making an iterator of coordinates";
constexpr uint64_t most_positions = uint64_t{1} << 62;

// A struct of int64 fields without padding.
Type structure_of(const std::string& name, const std::vector<std::string>& fields) {
    const Type number(TypeKind::int64);
    std::vector<Type::Field> members;
    members.reserve(fields.size());
    for (const std::string& field : fields)
        members.push_back({field, number, members.size() * number.size()});
    return Type::structure(name, std::move(members), fields.size() * number.size(), number.alignment());
}

std::vector<std::string> numbered(const std::string& name, size_t count) {
    std::vector<std::string> names;
    names.reserve(count);
    for (size_t i = 0; i < count; ++i)
        names.push_back(name + std::to_string(i));
    return names;
}

Type own_type(size_t rank) {
    std::vector<std::string> fields = numbered("i", rank);
    fields.insert(fields.begin(), "index");
    return structure_of("cuprum_coordinates_" + std::to_string(rank), fields);
}

void check_type(const Type& type, size_t rank) {
    const auto is_number = [](const Type::Field& field) { return field.type.kind() == TypeKind::int64; };
    if (type.fields().size() == rank + 1 && std::all_of(type.fields().begin(), type.fields().end(), is_number)) return;
    throw InvalidArgument(making, "type " + type.text(),
                          "expected a struct of " + std::to_string(rank + 1) + " int64: the index and the coordinates");
}

// Of position `a`, whose last coordinate counts fastest. Divisions of 32 bits take a fraction of the time.
std::string text_of(const Type& type, size_t rank) {
    std::string text = "const auto split = [&](auto rest) {\n    using number = decltype(rest);\n    " + type.name() +
                       " at;\n    at." + type.fields()[0].name + " = a;\n";
    for (size_t i = rank; i-- > 0;) {
        const std::string number = std::to_string(i);
        const std::string extent = "static_cast<number>(extent" + number + ")";
        text += "    at." + type.fields()[i + 1].name + " = rest % " + extent + ";\n    rest /= " + extent + ";\n";
    }
    return text +
           "    return at;\n};\nreturn fits_in_32_bits != 0 ? split(static_cast<unsigned int>(a)) : "
           "split(static_cast<unsigned long long>(a));";
}

}  // namespace

uint64_t position_count(std::span<const uint64_t> extents) {
    if (extents.empty() || extents.size() > max_rank) {
        throw InvalidArgument(making, std::to_string(extents.size()) + " extents",
                              "expected 1 to " + std::to_string(max_rank));
    }
    uint64_t count = 1;
    for (const uint64_t extent : extents) {
        if (extent != 0 && count > most_positions / extent) {
            throw InvalidArgument(making, "extent " + std::to_string(extent),
                                  "with it there are more than 2^62 positions");
        }
        count *= extent;
    }
    return count;
}

Iterator coordinates(std::span<const uint64_t> extents, const std::optional<Type>& type) {
    const uint64_t count = position_count(extents);
    const size_t rank = extents.size();
    const Type result = type.value_or(own_type(rank));
    check_type(result, rank);
    std::vector<std::string> names = numbered("extent", rank);
    names.emplace_back("fits_in_32_bits");
    // A division by 0 is undefined even where nothing reads its result.
    std::vector<int64_t> state;
    for (const uint64_t extent : extents)
        state.push_back(static_cast<int64_t>(std::max<uint64_t>(extent, 1)));
    state.push_back(count <= UINT32_MAX ? 1 : 0);
    const Operator split(text_of(result, rank), Value(structure_of("cuprum_extents", names), state.data()));
    return Iterator::transform(Iterator::counting(int64_t{0}), split, result);
}

}  // namespace cuprum::parallel
