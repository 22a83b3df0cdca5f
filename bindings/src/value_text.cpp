#include "value_text.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
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

class Writer {
public:
    Writer(std::string& out, TextFormat format, const Types& types)
        : out_(out), json_(format == TextFormat::json), types_(types) {}

    /// The value at `address`. `follow`: pointers to what is known are followed once.
    void value(std::string_view shape, const void* address, bool follow) {
        if (const auto target = inside(shape, "ptr")) {
            pointer(without_const(*target), read<const void*>(address), follow);
        } else if (shape.starts_with("handle:") || shape == "function") {
            hexadecimal(read<std::uint64_t>(address));
        } else if (shape.starts_with("enum:")) {
            enumerator(shape.substr(5), address);
        } else if (const std::size_t colon = shape.find(':'); colon != std::string_view::npos) {
            record(shape.substr(colon + 1), address);
        } else if (const auto array_of = inside(shape, "array")) {
            array(*array_of, address);
        } else {
            number(shape, address);
        }
    }

    void name(std::string_view text) {
        if (json_) {
            append_json_text(out_, text);
            out_ += ": ";
        } else {
            out_ += text;
            out_ += '=';
        }
    }

    void text(std::string_view content) {
        const bool cut = content.size() > longest_text;
        append_json_text(out_, std::string(content.substr(0, longest_text)) + (cut ? "..." : ""));
    }

    /// A pointer to text that need not end with a NUL, and the number of its bytes.
    void bytes(const void* address, const void* size) {
        if (const char* content = read<const char*>(address)) {
            text({content, strnlen(content, read<std::uint64_t>(size))});
        } else {
            hexadecimal(0);
        }
    }

private:
    /// Something that JSON has no notation for.
    void word(std::string_view content) {
        const char* quote = json_ ? "\"" : "";
        (out_ += quote) += content;
        out_ += quote;
    }

    template <class Number>
    void digits(Number number, int base = 10) {
        char buffer[32];
        const auto end = std::to_chars(buffer, buffer + sizeof buffer, number, base).ptr;
        out_.append(buffer, end);
    }

    void hexadecimal(std::uint64_t number) {
        if (number == 0) {
            out_ += json_ ? "null" : "NULL";
            return;
        }
        char buffer[24] = "0x";
        const auto end = std::to_chars(buffer + 2, buffer + sizeof buffer, number, 16).ptr;
        word({buffer, static_cast<std::size_t>(end - buffer)});
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

    void number(std::string_view shape, const void* address) {
        if (shape == "f32") {
            floating(read<float>(address), 9);
        } else if (shape == "f64") {
            floating(read<double>(address), 17);
        } else if (shape == "i32") {
            digits(read<std::int32_t>(address));
        } else if (shape == "u32") {
            digits(read<std::uint32_t>(address));
        } else if (shape == "i64") {
            digits(read<std::int64_t>(address));
        } else if (shape == "u64") {
            const auto content = read<std::uint64_t>(address);
            content < looks_like_address ? digits(content) : hexadecimal(content);
        } else if (shape == "i16") {
            digits(read<std::int16_t>(address));
        } else if (shape == "u16") {
            digits(read<std::uint16_t>(address));
        } else if (shape == "u8") {
            digits(read<std::uint8_t>(address));
        } else {
            digits(static_cast<int>(read<signed char>(address)));  // i8, char
        }
    }

    void enumerator(std::string_view enumeration, const void* address) {
        const auto content = read<std::int32_t>(address);
        if (const Enumerator* found = types_.find_enumerator(enumeration, content)) {
            word(found->name);
        } else {
            digits(content);
        }
    }

    void pointer(std::string_view target, const void* address, bool follow) {
        if (address == nullptr || !follow || target == "void" || target == "function") {
            hexadecimal(reinterpret_cast<std::uintptr_t>(address));
            return;
        }
        if (target == "char") {
            text(static_cast<const char*>(address));
            return;
        }
        out_ += '[';
        value(target, address, target == "ptr(const_char)");
        out_ += ']';
    }

    void record(std::string_view type, const void* address) {
        const Record* known = types_.find_record(type);
        if (known == nullptr) {
            word("?");
            return;
        }
        out_ += '{';
        std::string_view separator;
        for (const Field& field : types_.fields_of(*known)) {
            if (std::string_view(field.path).find("reserved") != std::string_view::npos) {
                continue;
            }
            out_ += separator;
            separator = ", ";
            name(field.path);
            value(field.shape, static_cast<const char*>(address) + field.offset, false);
        }
        out_ += '}';
    }

    void array(std::string_view count_and_shape, const void* address) {
        const std::size_t comma = count_and_shape.find(',');
        std::size_t count = 0;
        std::from_chars(count_and_shape.data(), count_and_shape.data() + comma, count);
        const std::string_view shape = count_and_shape.substr(comma + 1);
        if (shape == "char") {
            const char* begin = static_cast<const char*>(address);
            text({begin, strnlen(begin, count)});
            return;
        }
        const std::size_t size = size_of(shape);
        out_ += '[';
        for (std::size_t i = 0; i < count && i < longest_array && size != 0; ++i) {
            out_ += i == 0 ? "" : ", ";
            value(shape, static_cast<const char*>(address) + i * size, false);
        }
        out_ += ']';
    }

    /// 0 where it is not known.
    std::size_t size_of(std::string_view shape) const {
        if (shape.ends_with('8') || shape == "char") {
            return 1;
        }
        if (shape == "i16" || shape == "u16") {
            return 2;
        }
        if (shape == "i32" || shape == "u32" || shape == "f32" || shape.starts_with("enum:")) {
            return 4;
        }
        if (shape.starts_with("struct:") || shape.starts_with("union:")) {
            const Record* known = types_.find_record(shape.substr(shape.find(':') + 1));
            return known == nullptr ? 0 : known->size;
        }
        return shape == "record" || shape.starts_with("array") ? 0 : 8;
    }

    std::string& out_;
    bool json_;
    const Types& types_;
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

void append_json_text(std::string& out, std::string_view text) {
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

void append_call(std::string& out, TextFormat format, const Library& library, const Function& function,
                 const void* const* arguments, const void* result, bool result_as_number) {
    Writer writer(out, format, library.types());
    std::string_view signature = function.signature;
    const std::string_view result_shape = next(signature);
    const bool failed = result_shape.starts_with("enum:") && read<std::int32_t>(result) != 0;
    // Asked for where it matters: a call that is traced waits for this.
    std::optional<bool> known_counted;
    const auto counted = [&] {
        if (!known_counted) known_counted = takes_counted_arrays(function.signature);
        return *known_counted;
    };
    // What is created is one, whatever the counted arrays that it is created from.
    const std::string_view called = function.name;
    const auto creates = [called] {
        return called.find("Create") != std::string_view::npos || called.find("Load") != std::string_view::npos ||
               called.find("Add") != std::string_view::npos;
    };
    const auto has_length = [&function] {
        return std::string_view(function.signature).find(" len") != std::string_view::npos;
    };

    std::string_view separator;
    out += format == TextFormat::json ? "" : "(";
    while (!signature.empty()) {
        const Parameter parameter = parse(next(signature));
        out += separator;
        separator = ", ";
        writer.name(parameter.name);
        bool follow = parameter.shape.starts_with("ptr(const_") && !counted();
        if (parameter.shape == "ptr(const_char)") {
            follow = true;
        } else if (parameter.shape == "ptr(char)") {
            follow = !failed && has_length();
        } else if (parameter.direction == "out") {
            follow = !failed && (!counted() || creates());
        } else if (parameter.direction == "inout") {
            follow = !failed;
        }
        // Text or bytes with their length beside them.
        std::string_view rest = signature;
        if (parameter.shape == "ptr(const_char)" && parse(next(rest)).name == "size") {
            writer.bytes(arguments[0], arguments[1]);
            ++arguments;
            continue;
        }
        writer.value(parameter.shape, *arguments++, follow);
    }
    if (format == TextFormat::json) {
        out += separator;
        writer.name("result");
    } else {
        out += ") = ";
    }
    if (result_as_number) {
        out += std::to_string(read<std::int32_t>(result));
    } else {
        writer.value(result_shape, result, true);
    }
}

}  // namespace cuprum::bindings::detail
