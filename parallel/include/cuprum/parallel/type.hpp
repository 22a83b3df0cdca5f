// Element types, as the algorithms are compiled for them.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

enum class TypeKind : int32_t {
    boolean = 0,
    int8 = 1,
    int16 = 2,
    int32 = 3,
    int64 = 4,
    uint8 = 5,
    uint16 = 6,
    uint32 = 7,
    uint64 = 8,
    float16 = 9,
    bfloat16 = 10,
    float32 = 11,
    float64 = 12,
    complex64 = 13,
    complex128 = 14,
    int128 = 15,
    uint128 = 16,
    structure = 17,
};

/// The bits of an IEEE half on the host, which has no such type in C++20.
struct float16 {
    uint16_t bits = 0;
    friend bool operator==(const float16&, const float16&) = default;
};
/// The upper 16 bits of a float.
struct bfloat16 {
    uint16_t bits = 0;
    friend bool operator==(const bfloat16&, const bfloat16&) = default;
};

/// Integers of 128 bits, which C++ has no name for; aligned to 16 bytes.
__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

class Type;

/// Specialise it for a struct of your own: `static Type type()`, which returns Type::structure_of<T>(...).
template <class T>
struct TypeTraits;

/// One member of a struct, for Type::structure_of.
template <class Struct, class Member>
struct MemberField {
    const char* name;
    Member Struct::*member;
};
template <class Struct, class Member>
MemberField<Struct, Member> field(const char* name, Member Struct::*member) {
    return {name, member};
}

/// A value; copies are cheap and share one immutable record. Thread-safe.
class Type {
public:
    struct Field;

    /// What a struct may be at most: beyond it nothing compiles or nothing fits into a kernel's parameters.
    static constexpr uint64_t max_size = 65536;       ///< bytes
    static constexpr uint32_t max_depth = 32;         ///< structs within each other
    static constexpr uint64_t max_text_size = 65536;  ///< characters of text()

    /// Throws InvalidArgument for `structure`, which needs fields.
    explicit Type(TypeKind kind);
    /// A struct with that size and alignment in bytes, its fields in the order of their offsets. `name` and the fields'
    /// names are identifiers; operators see them. Throws InvalidArgument for fields that overlap, are misaligned or
    /// reach beyond `size`, for a size that is not a multiple of the alignment, and beyond the limits above.
    static Type structure(std::string name, std::vector<Field> fields, uint64_t size, uint64_t alignment);
    /// "float32", "uint8", "Point{x:float32,y:float32}": fields follow each other as in C. Offsets, size and alignment
    /// in bytes may be given: "Point{x:float32@0,y:int8@8}:12:4". Takes time in proportion to the text. Throws
    /// InvalidArgument that shows where it is wrong.
    static Type parse(std::string_view text);

    /// The type of C++ values: numbers (int128 and uint128 too), bool, float16, bfloat16, std::complex, and what
    /// TypeTraits describes.
    template <class T>
    static Type of();
    /// structure_of<Point>("Point", field("x", &Point::x), field("y", &Point::y))
    template <class T, class... Members>
    static Type structure_of(const std::string& name, MemberField<T, Members>... members);

    TypeKind kind() const;
    uint64_t size() const;       ///< bytes
    uint64_t alignment() const;  ///< bytes
    /// "float32"; a struct's own name.
    const std::string& name() const;
    const std::vector<Field>& fields() const;  ///< empty unless it is a struct
    /// What parse() takes; equal types have equal texts.
    const std::string& text() const;

    bool is_structure() const { return kind() == TypeKind::structure; }
    bool is_wide_integer() const { return kind() == TypeKind::int128 || kind() == TypeKind::uint128; }
    bool is_complex() const { return kind() == TypeKind::complex64 || kind() == TypeKind::complex128; }

    friend bool operator==(const Type& left, const Type& right) {
        return left.record_ == right.record_ || left.text() == right.text();
    }

private:
    struct Record;
    explicit Type(const detail::Shared<Record>& record) : record_(record) {}
    detail::Shared<Record> record_;
};

struct Type::Field {
    std::string name;
    Type type;
    uint64_t offset = 0;  ///< bytes
};

namespace detail {

template <class T>
concept Described = requires {
    { TypeTraits<T>::type() } -> std::convertible_to<Type>;
};

template <class T>
constexpr TypeKind kind_of() {
    if constexpr (std::is_same_v<T, bool>) return TypeKind::boolean;
    if constexpr (std::is_same_v<T, float16>) return TypeKind::float16;
    if constexpr (std::is_same_v<T, bfloat16>) return TypeKind::bfloat16;
    if constexpr (std::is_same_v<T, float>) return TypeKind::float32;
    if constexpr (std::is_same_v<T, double>) return TypeKind::float64;
    if constexpr (std::is_same_v<T, std::complex<float>>) return TypeKind::complex64;
    if constexpr (std::is_same_v<T, std::complex<double>>) return TypeKind::complex128;
    if constexpr (std::is_same_v<T, int128>) return TypeKind::int128;
    if constexpr (std::is_same_v<T, uint128>) return TypeKind::uint128;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8) {
        constexpr int log2 = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
        return static_cast<TypeKind>(static_cast<int>(std::is_signed_v<T> ? TypeKind::int8 : TypeKind::uint8) + log2);
    }
    return TypeKind::structure;
}

template <class T, class Member>
uint64_t offset_of(Member T::*member) {
    const T object{};
    return static_cast<uint64_t>(reinterpret_cast<const char*>(&(object.*member)) -
                                 reinterpret_cast<const char*>(&object));
}

}  // namespace detail

template <class T>
Type Type::of() {
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied byte by byte");
    if constexpr (detail::Described<T>) {
        static const Type described = TypeTraits<T>::type();
        return described;
    } else {
        static_assert(detail::kind_of<T>() != TypeKind::structure,
                      "not a type that Cuprum knows: specialise cuprum::parallel::TypeTraits for it");
        static const Type scalar(detail::kind_of<T>());
        return scalar;
    }
}

template <class T, class... Members>
Type Type::structure_of(const std::string& name, MemberField<T, Members>... members) {
    return structure(name, {Field{members.name, of<Members>(), detail::offset_of(members.member)}...}, sizeof(T),
                     alignof(T));
}

}  // namespace cuprum::parallel
