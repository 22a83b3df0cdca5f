#include "cuprum/parallel/type.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <unordered_set>
#include <utility>

#include "cuprum/pathfinder/error.hpp"
#include "layout.hpp"
#include "table_by_kind.hpp"

namespace cuprum::parallel {

struct Type::Record {
    TypeKind kind;
    std::string name;
    std::string text;
    uint64_t size;
    uint64_t alignment;
    std::vector<Field> fields;
    uint32_t depth = 0;  // structs within each other; 0 for a scalar
};

namespace {

struct Scalar {
    TypeKind kind;
    const char* name;
    uint64_t size;
    uint64_t alignment;
};

constexpr std::array<Scalar, 17> scalars{{
    {TypeKind::boolean, "bool", 1, 1},
    {TypeKind::int8, "int8", 1, 1},
    {TypeKind::int16, "int16", 2, 2},
    {TypeKind::int32, "int32", 4, 4},
    {TypeKind::int64, "int64", 8, 8},
    {TypeKind::uint8, "uint8", 1, 1},
    {TypeKind::uint16, "uint16", 2, 2},
    {TypeKind::uint32, "uint32", 4, 4},
    {TypeKind::uint64, "uint64", 8, 8},
    {TypeKind::float16, "float16", 2, 2},
    {TypeKind::bfloat16, "bfloat16", 2, 2},
    {TypeKind::float32, "float32", 4, 4},
    {TypeKind::float64, "float64", 8, 8},
    {TypeKind::complex64, "complex64", 8, 8},  // cuda::std::complex is aligned to its size
    {TypeKind::complex128, "complex128", 16, 16},
    {TypeKind::int128, "int128", 16, 16},
    {TypeKind::uint128, "uint128", 16, 16},
}};
static_assert(has_a_row_for_each(scalars, TypeKind::uint128));

constexpr const char* operation = "describing a type";

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The length of the identifier that the text begins with; 0 if it begins with none.
size_t identifier_length(std::string_view text) {
    if (text.empty() || !is_letter(text.front())) return 0;
    const auto end = std::find_if_not(text.begin(), text.end(), [](char c) {
        return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
    });
    return static_cast<size_t>(end - text.begin());
}

bool is_identifier(std::string_view text) {
    return !text.empty() && identifier_length(text) == text.size();
}

// For errors: names and texts may be of any length.
constexpr size_t longest_shown = 100;
// Not called quoted: with <iomanip>, which GCC 13 includes from <chrono>, std::quoted would be meant.
std::string in_quotes(std::string_view text) {
    if (text.size() <= longest_shown) return "'" + std::string(text) + "'";
    return "'" + std::string(text.substr(0, longest_shown)) + "...'";
}

bool is_power_of_two(uint64_t number) {
    return number != 0 && (number & (number - 1)) == 0;
}

// None, or the name of two fields.
std::optional<std::string_view> repeated_name(const std::vector<Type::Field>& fields) {
    std::unordered_set<std::string_view> names;
    for (const Type::Field& field : fields) {
        if (!names.insert(field.name).second) return field.name;
    }
    return std::nullopt;
}

// At least as long as structure_text(), which is not made where this is too long.
size_t longest_structure_text(const std::string& name, const std::vector<Type::Field>& fields) {
    constexpr size_t numbers = 2 * 21, punctuation = 2, offset = 21, of_field = 2;
    size_t length = name.size() + punctuation + numbers;
    for (const Type::Field& field : fields)
        length += field.name.size() + field.type.text().size() + of_field + offset;
    return length;
}

std::string structure_text(const std::string& name, const std::vector<Type::Field>& fields, uint64_t size,
                           uint64_t alignment) {
    std::string text = name + '{';
    for (const Type::Field& field : fields) {
        if (text.back() != '{') text += ',';
        text += field.name + ':' + field.type.text() + '@' + std::to_string(field.offset);
    }
    return text + "}:" + std::to_string(size) + ':' + std::to_string(alignment);
}

// A type's text, from left to right.
class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    Type whole() {
        if (text_.size() > Type::max_text_size) {
            throw InvalidArgument(reading, in_quotes(text_),
                                  "it has " + std::to_string(text_.size()) + " characters, expected at most " +
                                      std::to_string(Type::max_text_size));
        }
        Type type = any();
        skip_blanks();
        if (at_ < text_.size()) fail("nothing more");
        return type;
    }

private:
    Type any() {
        const std::string name = identifier();
        if (!take('{')) {
            const auto known =
                std::find_if(scalars.begin(), scalars.end(), [&](const Scalar& scalar) { return name == scalar.name; });
            if (known == scalars.end()) {
                at_ -= name.size();
                fail(
                    "bool, int8 to int128, uint8 to uint128, float16, bfloat16, float32, float64, complex64, "
                    "complex128 "
                    "or a struct's name and '{'");
            }
            return Type(known->kind);
        }
        return structure(name);
    }

    Type structure(const std::string& name) {
        if (depth_ == Type::max_depth) {
            fail("at most " + std::to_string(Type::max_depth) + " structs within each other");
        }
        ++depth_;
        std::vector<Type::Field> fields;
        uint64_t end = 0;
        uint64_t alignment = 1;
        do {
            std::string field = identifier();
            if (!take(':')) fail("':' and the field's type");
            Type type = any();
            const uint64_t offset = take('@') ? offset_number() : align_up(end, type.alignment());
            end = std::max(end, offset + type.size());
            alignment = std::max(alignment, type.alignment());
            fields.push_back({std::move(field), std::move(type), offset});
        } while (take(','));
        if (!take('}')) fail("',' and a field, or '}'");
        uint64_t size = align_up(end, alignment);
        if (take(':')) {
            size = number();
            if (take(':')) alignment = number();
        }
        --depth_;
        return Type::structure(name, std::move(fields), size, alignment);
    }

    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
            ++at_;
    }
    bool take(char wanted) {
        skip_blanks();
        if (at_ >= text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    std::string identifier() {
        skip_blanks();
        const size_t length = identifier_length(text_.substr(at_));
        if (length == 0) fail("a name");
        return std::string(text_.substr(std::exchange(at_, at_ + length), length));
    }
    uint64_t offset_number() {
        const size_t begin = at_;
        const uint64_t value = number();
        if (value > Type::max_size) {
            at_ = begin;
            fail("an offset of at most " + std::to_string(Type::max_size) + " bytes");
        }
        return value;
    }
    uint64_t number() {
        skip_blanks();
        uint64_t value = 0;
        const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error != std::errc()) fail("a number of bytes");
        at_ = static_cast<size_t>(end - text_.data());
        return value;
    }
    [[noreturn]] void fail(const std::string& expected) const {
        std::string detail = "expected " + expected + " at character " + std::to_string(at_ + 1);
        // Where the text is shown in part only.
        constexpr size_t longest = 40;
        if (text_.size() > longest_shown && at_ < text_.size())
            detail += ", which is " + in_quotes(text_.substr(at_, longest));
        throw InvalidArgument(reading, in_quotes(text_), std::move(detail));
    }

    static constexpr const char* reading = "reading the text of a type";

    std::string_view text_;
    size_t at_ = 0;
    uint32_t depth_ = 0;
};

}  // namespace

Type::Type(TypeKind kind) {
    const auto index = static_cast<size_t>(kind);
    if (index >= scalars.size()) {
        throw InvalidArgument(operation, "type " + std::to_string(index),
                              "only the scalar kinds are types by themselves; a struct needs its fields",
                              "make a structure type");
    }
    static const std::array<std::shared_ptr<const Record>, scalars.size()> records = [] {
        std::array<std::shared_ptr<const Record>, scalars.size()> all;
        for (size_t i = 0; i < all.size(); ++i) {
            const Scalar& scalar = scalars[i];
            all[i] = std::make_shared<const Record>(
                Record{static_cast<TypeKind>(i), scalar.name, scalar.name, scalar.size, scalar.alignment, {}, 0});
        }
        return all;
    }();
    record_ = records[index];
}

Type Type::structure(std::string name, std::vector<Field> fields, uint64_t size, uint64_t alignment) {
    const std::string object = "struct " + in_quotes(name);
    const auto require = [&](bool holds, const std::string& detail) {
        if (!holds) throw InvalidArgument(operation, object, detail);
    };
    require(is_identifier(name), "its name is not a C++ identifier");
    require(!fields.empty(), "it has no fields");
    const std::string too_long =
        "its text would have more than the " + std::to_string(max_text_size) + " characters that a type may have";
    require(longest_structure_text(name, fields) <= 4 * max_text_size, too_long);
    require(size <= max_size, "its size of " + std::to_string(size) + " bytes is more than " +
                                  std::to_string(max_size) + ", the most that a type may have");
    require(is_power_of_two(alignment), "its alignment of " + std::to_string(alignment) + " is not a power of two");
    require(size % alignment == 0, "its size of " + std::to_string(size) +
                                       " bytes is not a multiple of its alignment, " + std::to_string(alignment));
    std::sort(fields.begin(), fields.end(),
              [](const Field& left, const Field& right) { return left.offset < right.offset; });
    uint64_t end = 0;
    uint32_t depth = 0;
    for (const Field& field : fields) {
        require(is_identifier(field.name), in_quotes(field.name) + " is not a C++ identifier");
        const std::string where = "field " + in_quotes(field.name) + " at byte " + std::to_string(field.offset);
        require(field.offset >= end, where + " overlaps the field before it, which ends at " + std::to_string(end));
        require(field.offset % field.type.alignment() == 0,
                where + " is not aligned to " + std::to_string(field.type.alignment()) + " bytes, which " +
                    field.type.name() + " needs on the device");
        require(alignment % field.type.alignment() == 0, "its alignment of " + std::to_string(alignment) +
                                                             " is less than that of field " + in_quotes(field.name) +
                                                             ", " + std::to_string(field.type.alignment()));
        // Offsets are any numbers: no sum of one is taken before it is known to be within the size.
        require(field.offset <= size && field.type.size() <= size - field.offset,
                where + " ends beyond the size of " + std::to_string(size) + " bytes");
        end = field.offset + field.type.size();
        depth = std::max(depth, field.type.record_->depth);
    }
    if (const auto repeated = repeated_name(fields)) require(false, "there are two fields " + in_quotes(*repeated));
    require(depth < max_depth, "it holds " + std::to_string(depth) + " structs within each other, expected at most " +
                                   std::to_string(max_depth - 1));
    std::string text = structure_text(name, fields, size, alignment);
    require(text.size() <= max_text_size, too_long);
    return Type(std::make_shared<const Record>(
        Record{TypeKind::structure, std::move(name), std::move(text), size, alignment, std::move(fields), depth + 1}));
}

Type Type::parse(std::string_view text) {
    return Parser(text).whole();
}

TypeKind Type::kind() const {
    return record_->kind;
}
uint64_t Type::size() const {
    return record_->size;
}
uint64_t Type::alignment() const {
    return record_->alignment;
}
const std::string& Type::name() const {
    return record_->name;
}
const std::vector<Type::Field>& Type::fields() const {
    return record_->fields;
}
const std::string& Type::text() const {
    return record_->text;
}

}  // namespace cuprum::parallel
