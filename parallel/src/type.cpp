#include "cuprum/parallel/type.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

#include "cuprum/pathfinder/error.hpp"
#include "layout.hpp"

namespace cuprum::parallel {

struct Type::Record {
    TypeKind kind;
    std::string name;
    std::string text;
    uint64_t size;
    uint64_t alignment;
    std::vector<Field> fields;
};

namespace {

struct Scalar {
    const char* name;
    uint64_t size;
    uint64_t alignment;
};

// In the order of TypeKind.
constexpr std::array<Scalar, 15> scalars{{{"bool", 1, 1},
                                          {"int8", 1, 1},
                                          {"int16", 2, 2},
                                          {"int32", 4, 4},
                                          {"int64", 8, 8},
                                          {"uint8", 1, 1},
                                          {"uint16", 2, 2},
                                          {"uint32", 4, 4},
                                          {"uint64", 8, 8},
                                          {"float16", 2, 2},
                                          {"bfloat16", 2, 2},
                                          {"float32", 4, 4},
                                          {"float64", 8, 8},
                                          {"complex64", 8, 8},  // cuda::std::complex is aligned to its size
                                          {"complex128", 16, 16}}};

constexpr const char* operation = "describing a type";

bool is_identifier(std::string_view text) {
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    return !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), [&](char c) {
        return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
    });
}

bool is_power_of_two(uint64_t number) {
    return number != 0 && (number & (number - 1)) == 0;
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
                    "bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32, float64, complex64, complex128 "
                    "or a struct's name and '{'");
            }
            return Type(static_cast<TypeKind>(known - scalars.begin()));
        }
        return structure(name);
    }

    Type structure(const std::string& name) {
        std::vector<Type::Field> fields;
        uint64_t end = 0;
        uint64_t alignment = 1;
        do {
            std::string field = identifier();
            if (!take(':')) fail("':' and the field's type");
            Type type = any();
            const uint64_t offset = take('@') ? number() : align_up(end, type.alignment());
            end = std::max(end, offset + type.size());
            alignment = std::max(alignment, type.alignment());
            fields.push_back({std::move(field), std::move(type), offset});
        } while (take(','));
        if (!take('}')) fail("',' and a field, or '}'");
        std::optional<uint64_t> size;
        if (take(':')) size = number();
        if (size && take(':')) alignment = number();
        return Type::structure(name, std::move(fields), size.value_or(align_up(end, alignment)), alignment);
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
        size_t end = at_;
        while (end < text_.size() && is_identifier(text_.substr(at_, end - at_ + 1)))
            ++end;
        if (end == at_) fail("a name");
        return std::string(text_.substr(std::exchange(at_, end), end - at_));
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
        throw InvalidArgument("reading the text of a type", "'" + std::string(text_) + "'",
                              "expected " + expected + " at character " + std::to_string(at_ + 1));
    }

    std::string_view text_;
    size_t at_ = 0;
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
                Record{static_cast<TypeKind>(i), scalar.name, scalar.name, scalar.size, scalar.alignment, {}});
        }
        return all;
    }();
    record_ = records[index];
}

Type Type::structure(std::string name, std::vector<Field> fields, uint64_t size, uint64_t alignment) {
    const std::string object = "struct '" + name + "'";
    const auto require = [&](bool holds, const std::string& detail) {
        if (!holds) throw InvalidArgument(operation, object, detail);
    };
    require(is_identifier(name), "its name is not a C++ identifier");
    require(!fields.empty(), "it has no fields");
    require(is_power_of_two(alignment), "its alignment of " + std::to_string(alignment) + " is not a power of two");
    require(size % alignment == 0, "its size of " + std::to_string(size) + " bytes is no multiple of its alignment, " +
                                       std::to_string(alignment));
    std::sort(fields.begin(), fields.end(),
              [](const Field& left, const Field& right) { return left.offset < right.offset; });
    uint64_t end = 0;
    for (const Field& field : fields) {
        require(is_identifier(field.name), "'" + field.name + "' is not a C++ identifier");
        const std::string where = "field '" + field.name + "' at byte " + std::to_string(field.offset);
        require(field.offset >= end, where + " overlaps the field before it, which ends at " + std::to_string(end));
        require(field.offset % field.type.alignment() == 0,
                where + " is not aligned to " + std::to_string(field.type.alignment()) + " bytes, which " +
                    field.type.name() + " needs on the device");
        require(alignment % field.type.alignment() == 0, "its alignment of " + std::to_string(alignment) +
                                                             " is less than that of field '" + field.name + "', " +
                                                             std::to_string(field.type.alignment()));
        end = field.offset + field.type.size();
        require(end <= size, where + " ends beyond the size of " + std::to_string(size) + " bytes");
        require(std::count_if(fields.begin(), fields.end(),
                              [&](const Field& other) { return other.name == field.name; }) == 1,
                "there are two fields '" + field.name + "'");
    }
    std::string text = structure_text(name, fields, size, alignment);
    return Type(std::make_shared<const Record>(
        Record{TypeKind::structure, std::move(name), std::move(text), size, alignment, std::move(fields)}));
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
