#include "value_text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cuprum::bindings::detail {

namespace {

constexpr std::size_t longest_text = 120;  // characters of a text that are shown
constexpr std::size_t longest_array = 16;  // elements of an array
constexpr std::uint64_t looks_like_address = std::uint64_t{1} << 32;

template <class Value>
Value read(const void* address) {
    Value value;
    std::memcpy(&value, address, sizeof value);
    return value;
}

/// "ptr(const_char)" -> "const_char"; nothing if it is not of that kind.
std::optional<std::string_view> inside(std::string_view shape, std::string_view kind) {
    if (!shape.starts_with(kind) || !shape.ends_with(')') || shape.size() <= kind.size() || shape[kind.size()] != '(') {
        return {};
    }
    return shape.substr(kind.size() + 1, shape.size() - kind.size() - 2);
}

std::string_view without_const(std::string_view shape) {
    return shape.starts_with("const_") ? shape.substr(6) : shape;
}

struct Parameter {
    std::string_view direction;
    std::string_view shape;
    std::string_view name;
};

/// Takes the next item off a signature.
std::string_view next(std::string_view& signature) {
    int depth = 0;
    std::size_t end = 0;
    while (end < signature.size() && (signature[end] != ',' || depth > 0)) {
        depth += signature[end] == '(' ? 1 : signature[end] == ')' ? -1 : 0;
        ++end;
    }
    const std::string_view item = signature.substr(0, end);
    signature.remove_prefix(end < signature.size() ? end + 1 : end);
    return item;
}

Parameter parse(std::string_view item) {
    const std::size_t first = item.find(' ');
    const std::size_t second = item.rfind(' ');
    return {item.substr(0, first), item.substr(first + 1, second - first - 1), item.substr(second + 1)};
}

/// A name as it stands before its value.
std::string before_value(TextFormat format, std::string_view separator, std::string_view name) {
    std::string text(separator);
    return format == TextFormat::json ? text.append("\"").append(name).append("\": ") : text.append(name).append("=");
}

/// Those of one enumeration, which lie together.
std::span<const Enumerator> enumerators_of(const Types& types, std::string_view enumeration) {
    const auto is_of_it = [&](const Enumerator& each) { return each.enumeration == enumeration; };
    const auto begin = std::ranges::find_if(types.enumerators, is_of_it);
    return {begin, std::find_if_not(begin, types.enumerators.end(), is_of_it)};
}

/// Reads shapes.
class ShapeReader {
public:
    ShapeReader(TextFormat format, const Types& types) : format_(format), types_(types) {}

    /// `follow`: pointers to what is known are followed once.
    Shape shape(std::string_view text, bool follow) const {
        Shape made;
        if (const auto target = inside(text, "ptr")) {
            pointer(made, without_const(*target), follow);
        } else if (text.starts_with("handle:") || text == "function") {
            made.kind = Shape::Kind::hexadecimal;
            made.size = sizeof(void*);
        } else if (text.starts_with("enum:")) {
            made.kind = Shape::Kind::enumerator;
            made.size = sizeof(std::int32_t);
            made.enumerators = enumerators_of(types_, text.substr(5));
        } else if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
            record(made, text.substr(colon + 1));
        } else if (const auto array_of = inside(text, "array")) {
            array(made, *array_of);
        } else {
            number(made, text);
        }
        return made;
    }

private:
    void pointer(Shape& made, std::string_view target, bool follow) const {
        made.size = sizeof(void*);
        if (!follow || target == "void" || target == "function") {
            made.kind = Shape::Kind::hexadecimal;
        } else if (target == "char") {
            made.kind = Shape::Kind::text;
        } else {
            made.kind = Shape::Kind::pointer;
            made.target = std::make_unique<Shape>(shape(target, target == "ptr(const_char)"));
        }
    }

    void record(Shape& made, std::string_view type) const {
        const Record* known = types_.find_record(type);
        made.kind = known == nullptr ? Shape::Kind::unknown : Shape::Kind::record;
        if (known == nullptr) return;
        made.size = known->size;
        for (const Field& field : types_.fields_of(*known)) {
            if (std::string_view(field.path).find("reserved") != std::string_view::npos) continue;
            made.members.push_back({before_value(format_, made.members.empty() ? "" : ", ", field.path), field.offset,
                                    std::make_unique<Shape>(shape(field.shape, false))});
        }
    }

    void array(Shape& made, std::string_view count_and_shape) const {
        const std::size_t comma = count_and_shape.find(',');
        std::from_chars(count_and_shape.data(), count_and_shape.data() + comma, made.count);
        const std::string_view element = count_and_shape.substr(comma + 1);
        made.kind = element == "char" ? Shape::Kind::characters : Shape::Kind::array;
        made.target = std::make_unique<Shape>(shape(element, false));
    }

    static void number(Shape& made, std::string_view shape) {
        using Kind = Shape::Kind;
        struct Number {
            std::string_view shape;
            Kind kind;
            std::size_t size;
        };
        static constexpr Number numbers[] = {{"i8", Kind::i8, 1},   {"char", Kind::i8, 1}, {"u8", Kind::u8, 1},
                                             {"i16", Kind::i16, 2}, {"u16", Kind::u16, 2}, {"i32", Kind::i32, 4},
                                             {"u32", Kind::u32, 4}, {"i64", Kind::i64, 8}, {"u64", Kind::u64, 8},
                                             {"f32", Kind::f32, 4}, {"f64", Kind::f64, 8}};
        const auto* const known = std::ranges::find(numbers, shape, &Number::shape);
        if (known == std::end(numbers)) return;
        made.kind = known->kind;
        made.size = known->size;
    }

    TextFormat format_;
    const Types& types_;
};

class Writer {
public:
    Writer(TextBuffer& out, TextFormat format) : out_(out), json_(format == TextFormat::json) {}

    /// The value at `address`.
    void value(const Shape& shape, const void* address) {
        switch (shape.kind) {
            case Shape::Kind::i8:
                return out_.digits(static_cast<int>(read<signed char>(address)));
            case Shape::Kind::u8:
                return out_.digits(read<std::uint8_t>(address));
            case Shape::Kind::i16:
                return out_.digits(read<std::int16_t>(address));
            case Shape::Kind::u16:
                return out_.digits(read<std::uint16_t>(address));
            case Shape::Kind::i32:
                return out_.digits(read<std::int32_t>(address));
            case Shape::Kind::u32:
                return out_.digits(read<std::uint32_t>(address));
            case Shape::Kind::i64:
                return out_.digits(read<std::int64_t>(address));
            case Shape::Kind::u64:
                return size_or_address(read<std::uint64_t>(address));
            case Shape::Kind::f32:
                return floating(read<float>(address), 9);
            case Shape::Kind::f64:
                return floating(read<double>(address), 17);
            case Shape::Kind::hexadecimal:
                return hexadecimal(address);
            case Shape::Kind::enumerator:
                return enumerator(shape.enumerators, read<std::int32_t>(address));
            case Shape::Kind::record:
                return record(shape, address);
            case Shape::Kind::unknown:
                return word("?");
            case Shape::Kind::array:
                return array(shape, address);
            case Shape::Kind::characters:
                return text(
                    {static_cast<const char*>(address), strnlen(static_cast<const char*>(address), shape.count)});
            case Shape::Kind::pointer:
                return pointer(shape, address);
            case Shape::Kind::text:
                if (const char* const content = read<const char*>(address)) return text(content);
                return hexadecimal(address);
        }
    }

    /// The address at `address` itself.
    void hexadecimal(const void* address) { hexadecimal(read<std::uint64_t>(address)); }

    /// A pointer to text that need not end with a NUL, and the number of its bytes.
    void bytes(const void* address, const void* size) {
        if (const char* content = read<const char*>(address)) {
            text({content, strnlen(content, read<std::uint64_t>(size))});
        } else {
            hexadecimal(std::uint64_t{0});
        }
    }

private:
    void text(std::string_view content) {
        const bool cut = content.size() > longest_text;
        append_json_text(out_, std::string(content.substr(0, longest_text)) + (cut ? "..." : ""));
    }

    /// Something that JSON has no notation for.
    void word(std::string_view content) {
        if (json_) out_ += '"';
        out_ += content;
        if (json_) out_ += '"';
    }

    void hexadecimal(std::uint64_t number) {
        if (number == 0) {
            out_ += json_ ? "null" : "NULL";
            return;
        }
        if (json_) out_ += '"';
        out_ += "0x";
        out_.hexadecimal_digits(number);
        if (json_) out_ += '"';
    }

    void size_or_address(std::uint64_t number) {
        number < looks_like_address ? out_.digits(number) : hexadecimal(number);
    }

    void floating(double number, int precision) {
        char buffer[64];
        const auto end =
            std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::general, precision).ptr;
        const std::string_view content(buffer, static_cast<std::size_t>(end - buffer));
        if (std::isfinite(number)) {
            out_ += content;
        } else {
            word(content);
        }
    }

    void enumerator(std::span<const Enumerator> enumerators, std::int32_t content) {
        for (const Enumerator& each : enumerators) {
            if (each.value == content) return word(each.name);
        }
        out_.digits(content);
    }

    void pointer(const Shape& shape, const void* address) {
        const void* const target = read<const void*>(address);
        if (target == nullptr) return hexadecimal(std::uint64_t{0});
        out_ += '[';
        value(*shape.target, target);
        out_ += ']';
    }

    void record(const Shape& shape, const void* address) {
        out_ += '{';
        for (const Shape::Member& member : shape.members) {
            out_ += member.before;
            value(*member.shape, static_cast<const char*>(address) + member.offset);
        }
        out_ += '}';
    }

    void array(const Shape& shape, const void* address) {
        const std::size_t size = shape.target->size;
        out_ += '[';
        for (std::size_t i = 0; i < shape.count && i < longest_array && size != 0; ++i) {
            if (i > 0) out_ += ", ";
            value(*shape.target, static_cast<const char*>(address) + i * size);
        }
        out_ += ']';
    }

    TextBuffer& out_;
    bool json_;
};

/// Whether a function takes arrays whose length is an argument: then a pointer may lead to nothing.
bool takes_counted_arrays(std::string_view signature) {
    next(signature);
    while (!signature.empty()) {
        const Parameter parameter = parse(next(signature));
        for (const std::string_view word : {"num", "Num", "count", "Count", "nb"}) {
            if (parameter.name.find(word) != std::string_view::npos && parameter.shape != "ptr(const_char)" &&
                parameter.direction != "out") {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

void TextBuffer::grow(std::size_t more) {
    const std::size_t capacity = std::max<std::size_t>(2 * (size_ + more), 1024);
    auto larger = std::make_unique<char[]>(capacity);
    std::copy_n(memory_.get(), size_, larger.get());
    memory_ = std::move(larger);
    capacity_ = capacity;
}

void append_json_text(TextBuffer& out, std::string_view text) {
    constexpr char hexadecimal[] = "0123456789abcdef";
    out += '"';
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        if (character == '"' || character == '\\') {
            (out += '\\') += character;
        } else if (character == '\n') {
            out += "\\n";
        } else if (byte < 0x20 || byte >= 0x7f) {
            // Texts of unknown encoding: each byte on its own keeps the file valid.
            out += "\\u00";
            (out += hexadecimal[byte >> 4]) += hexadecimal[byte & 15];
        } else {
            out += character;
        }
    }
    out += '"';
}

CallText::CallText(TextFormat format, const Library& library, const Function& function) : format_(format) {
    const ShapeReader reader(format, library.types());
    std::string_view signature = function.signature;
    const std::string_view result_shape = next(signature);
    returns_status_ = result_shape.starts_with("enum:");
    result_ = reader.shape(result_shape, true);

    const bool counted = takes_counted_arrays(function.signature);
    // What is created is one, whatever the counted arrays that it is created from.
    const std::string_view called = function.name;
    const bool creates = called.find("Create") != std::string_view::npos ||
                         called.find("Load") != std::string_view::npos || called.find("Add") != std::string_view::npos;
    const bool has_length = std::string_view(function.signature).find(" len") != std::string_view::npos;
    while (!signature.empty()) {
        const Parameter parameter = parse(next(signature));
        Argument& made = arguments_.emplace_back();
        made.before = before_value(format, arguments_.size() > 1 ? ", " : "", parameter.name);
        made.shape = reader.shape(parameter.shape, true);
        if (parameter.shape == "ptr(const_char)") {
            made.follow = Follow::always;
            std::string_view rest = signature;
            made.has_size = parse(next(rest)).name == "size";
        } else if (parameter.shape == "ptr(char)") {
            made.follow = has_length ? Follow::after_success : Follow::never;
        } else if (parameter.direction == "out") {
            made.follow = !counted || creates ? Follow::after_success : Follow::never;
        } else if (parameter.direction == "inout") {
            made.follow = Follow::after_success;
        } else if (parameter.shape.starts_with("ptr(const_") && !counted) {
            made.follow = Follow::always;
        }
    }
    before_result_ =
        format == TextFormat::json ? before_value(format, arguments_.empty() ? "" : ", ", "result") : ") = ";
    if (returns_status_) {
        constexpr std::int32_t success = 0;
        TextBuffer text;
        text += before_result_;
        Writer(text, format).value(result_, &success);
        success_ = text.view();
    }
}

void CallText::append(TextBuffer& out, const void* const* arguments, const void* result, bool result_as_number) const {
    Writer writer(out, format_);
    const bool failed = returns_status_ && read<std::int32_t>(result) != 0;
    if (format_ == TextFormat::plain) out += '(';
    for (const Argument& argument : arguments_) {
        out += argument.before;
        const bool follow = argument.follow == Follow::always || (argument.follow == Follow::after_success && !failed);
        if (argument.has_size) {
            writer.bytes(arguments[0], arguments[1]);
        } else if (argument.shape.kind >= Shape::Kind::pointer && !follow) {
            writer.hexadecimal(*arguments);
        } else {
            writer.value(argument.shape, *arguments);
        }
        ++arguments;
    }
    if (returns_status_ && !failed && !result_as_number) {
        out += success_;
        return;
    }
    out += before_result_;
    if (result_as_number) {
        out.digits(read<std::int32_t>(result));
    } else {
        writer.value(result_, result);
    }
}

}  // namespace cuprum::bindings::detail
