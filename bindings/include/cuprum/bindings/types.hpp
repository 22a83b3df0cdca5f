// The types of CUDA's headers as data, for programs that need them at run time, such as the tracer and the languages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cuprum::bindings {

// Shapes. What a type is to a program that does not know its C declaration:
//
//   i8 u8 i16 u16 i32 u32 i64 u64 f32 f64   numbers; char (text, one byte); void
//   enum:TAG struct:TAG union:TAG           named types, by value
//   handle:TAG                              a pointer to a structure that no header defines
//   function                                a pointer to a function
//   ptr(SHAPE)  ptr(const_SHAPE)            a pointer
//   array(N,SHAPE)  record                  an array; a structure without a name: in structures only
//
// A function's signature is the shape of its result and, each after a comma, "in|out|inout SHAPE NAME" for each
// parameter: "enum:cudaError_enum,out ptr(u64) dptr,in u64 bytesize". "out" is memory that the library writes.

/// A named value of an enumeration.
struct Enumerator {
    const char* enumeration;  ///< its tag, "cudaError_enum"
    const char* name;         ///< "CUDA_SUCCESS"
    std::int64_t value;
};

/// A structure or union that the headers define.
struct Record {
    const char* type;
    std::uint32_t size;         ///< bytes
    std::uint32_t alignment;    ///< bytes
    std::uint32_t first_field;  ///< index in Types::fields
    std::uint32_t field_count;
};

/// A field of a record; those of a structure without a name stand in its place, "launchAttributes.priority".
struct Field {
    const char* path;
    std::uint32_t offset;  ///< bytes from the start of the record
    std::uint32_t size;    ///< bytes
    const char* shape;
};

/// A macro that stands for a number, or for a pointer of that address.
struct Constant {
    const char* name;
    std::uint64_t value;  ///< negative ones as two's complement
};

/// The types of one library's headers. Enumerators of one enumeration lie together, in the header's order; records and
/// constants are sorted by name.
struct Types {
    std::span<const Enumerator> enumerators;
    std::span<const Record> records;
    std::span<const Field> fields;
    std::span<const Constant> constants;

    /// Null if there is none.
    const Record* find_record(std::string_view type) const noexcept;
    /// The first enumerator of that enumeration with that value, null if there is none.
    const Enumerator* find_enumerator(std::string_view enumeration, std::int64_t value) const noexcept;
    /// The enumerator of that name, null if there is none in that enumeration.
    const Enumerator* find_enumerator(std::string_view enumeration, std::string_view name) const noexcept;
    std::span<const Field> fields_of(const Record& record) const noexcept {
        return fields.subspan(record.first_field, record.field_count);
    }
};

}  // namespace cuprum::bindings
