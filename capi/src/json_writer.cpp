#include "json_writer.hpp"

#include <cstdio>

#include "utf8.hpp"

namespace cuprum::capi {

std::string json_string(std::string_view text) {
    std::string result = "\"";
    for (const char character : to_utf8(text)) {
        switch (character) {
            case '"':
                result += "\\\"";
                break;
            case '\\':
                result += "\\\\";
                break;
            case '\n':
                result += "\\n";
                break;
            case '\t':
                result += "\\t";
                break;
            default:
                if (static_cast<unsigned char>(character) < 0x20) {
                    char escape[8];
                    std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(character));
                    result += escape;
                } else {
                    result += character;
                }
        }
    }
    return result + '"';
}

void JsonWriter::separate() {
    if (needs_comma_) {
        json_ += ',';
    }
    needs_comma_ = true;
}

void JsonWriter::open(char bracket) {
    separate();
    json_ += bracket;
    needs_comma_ = false;
}

void JsonWriter::close(char bracket) {
    json_ += bracket;
    needs_comma_ = true;
}

void JsonWriter::key(std::string_view name) {
    separate();
    json_ += json_string(name) + ':';
    needs_comma_ = false;
}

void JsonWriter::text(std::string_view value) {
    separate();
    json_ += json_string(value);
}

void JsonWriter::number(uint64_t value) {
    separate();
    json_ += std::to_string(value);
}

void JsonWriter::number(int32_t value) {
    separate();
    json_ += std::to_string(value);
}

void JsonWriter::boolean(bool value) {
    separate();
    json_ += value ? "true" : "false";
}

void JsonWriter::null() {
    separate();
    json_ += "null";
}

}  // namespace cuprum::capi
