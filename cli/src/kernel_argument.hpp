// The arguments that `cuprum run` gives a kernel: typed numbers, and arrays in device memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cuprum::cli {

/// One argument as it was written, "f32:2.5" or "f32[1000]=1", and the bytes that the kernel is to see.
class KernelArgument {
public:
    /// Throws UsageError that names the part of the text that it does not understand.
    explicit KernelArgument(const std::string& text);

    bool is_array() const { return is_array_; }
    /// "f32", or "f32[1000]".
    std::string type_text() const;
    std::size_t length() const { return bytes_.size() / element_size(); }
    std::size_t element_size() const;

    /// Of the number, or of the array's elements.
    const std::vector<std::byte>& bytes() const { return bytes_; }
    std::vector<std::byte>& bytes() { return bytes_; }

    /// An element as text, as C's printf %g would have it, or with all of its digits.
    std::string element(std::size_t index, bool with_all_digits) const;

private:
    enum class Type { i8, i16, i32, i64, u8, u16, u32, u64, f32, f64 };
    struct TypeName;
    static const TypeName& find_type(const std::string& text, std::string_view name);
    static const TypeName& name_of(Type type);

    void append(const std::string& text, std::string_view number);
    void append_index(std::size_t index);
    void fill(const std::string& text, std::string_view values, std::size_t length);

    Type type_ = Type::i32;
    bool is_array_ = false;
    std::vector<std::byte> bytes_;
};

}  // namespace cuprum::cli
