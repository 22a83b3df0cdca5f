// Arguments and results as text, by their shapes (types.hpp). Not installed.
#pragma once

#include <bit>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cuprum/bindings/table.hpp"

namespace cuprum::bindings::detail {

/// A text that is written anew for each call, into memory that it keeps.
class TextBuffer {
public:
    void clear() noexcept { size_ = 0; }
    std::string_view view() const noexcept { return {memory_.get(), size_}; }
    std::size_t size() const noexcept { return size_; }

    /// Room for `size` more characters, to be written and then added.
    char* room(std::size_t size) {
        if (capacity_ - size_ <= size) [[unlikely]]
            grow(size);
        return memory_.get() + size_;
    }
    void add(std::size_t size) noexcept { size_ += size; }

    TextBuffer& operator+=(std::string_view text) {
        std::memcpy(room(text.size()), text.data(), text.size());
        size_ += text.size();
        return *this;
    }
    /// A literal, whose size the compiler knows.
    template <std::size_t size>
    TextBuffer& operator+=(const char (&text)[size]) {
        std::memcpy(room(size - 1), text, size - 1);
        size_ += size - 1;
        return *this;
    }
    TextBuffer& operator+=(char character) {
        *room(1) = character;
        ++size_;
        return *this;
    }
    void digits(std::integral auto number) {
        constexpr std::size_t longest = 24;
        char* const begin = room(longest);
        size_ += static_cast<std::size_t>(std::to_chars(begin, begin + longest, number).ptr - begin);
    }
    void hexadecimal_digits(std::uint64_t number) {
        const auto count = static_cast<std::size_t>(std::bit_width(number | 1) + 3) / 4;
        char* const begin = room(count);
        for (std::size_t i = count; i > 0; --i, number >>= 4)
            begin[i - 1] = "0123456789abcdef"[number & 15];
        size_ += count;
    }

private:
    void grow(std::size_t more);

    std::unique_ptr<char[]> memory_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

enum class TextFormat { plain, json };

/// A shape of types.hpp, as values of it are read and written.
struct Shape {
    enum class Kind : std::uint8_t {
        i8,
        u8,
        i16,
        u16,
        i32,
        u32,
        i64,
        u64,
        f32,
        f64,
        hexadecimal,  // handles, functions, and pointers that are not followed
        enumerator,
        record,
        unknown,  // a record that the headers do not define
        array,
        characters,  // an array of them
        pointer,
        text,  // a pointer to characters
    };
    struct Member {
        std::string before;  // its name, as it stands before the value
        std::uint32_t offset;
        std::unique_ptr<Shape> shape;
    };

    Kind kind = Kind::i8;
    std::size_t size = 0;                     // bytes; 0 where it is not known
    std::size_t count = 0;                    // elements of an array
    std::span<const Enumerator> enumerators;  // of the enumeration
    std::vector<Member> members;              // of a record
    std::unique_ptr<Shape> target;            // a pointer's, an array's elements
};

/// How the calls of one function are written: its signature, read once.
class CallText {
public:
    CallText(TextFormat format, const Library& library, const Function& function);

    /// Appends the result and the arguments of a call that has returned: in JSON the members of an object, else
    /// "(name=value, ...) = result", a status by its name or as a number. What pointers lead to is read where the
    /// function's success says that it is there.
    void append(TextBuffer& out, const void* const* arguments, const void* result, bool result_as_number) const;

private:
    enum class Follow : std::uint8_t { never, after_success, always };
    struct Argument {
        std::string before;
        Shape shape;
        Follow follow = Follow::never;
        bool has_size = false;  // bytes, whose number is the next argument
    };

    TextFormat format_;
    bool returns_status_ = false;
    std::vector<Argument> arguments_;
    std::string before_result_;
    Shape result_;
    std::string success_;  // a status of 0, and what is before it
};

/// Appends a JSON string.
void append_json_text(TextBuffer& out, std::string_view text);

}  // namespace cuprum::bindings::detail
