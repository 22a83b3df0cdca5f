// Writes JSON text. What is written between a begin and its end belongs to that object or array.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cuprum::capi {

/// `text` as a JSON string, with its quotes. Bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

class JsonWriter {
public:
    void begin_object() { open('{'); }
    void end_object() { close('}'); }
    void begin_array() { open('['); }
    void end_array() { close(']'); }
    /// The name of the member that follows.
    void key(std::string_view name);
    void text(std::string_view value);
    void number(uint64_t value);
    void number(int32_t value);
    void boolean(bool value);
    void null();

    void member(std::string_view name, std::string_view value) {
        key(name);
        text(value);
    }

    const std::string& get() const { return json_; }

private:
    void open(char bracket);
    void close(char bracket);
    void separate();

    std::string json_;
    bool needs_comma_ = false;
};

}  // namespace cuprum::capi
