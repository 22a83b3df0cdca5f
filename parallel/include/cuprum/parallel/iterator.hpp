// Where an algorithm reads its elements, and where it writes its results.
#pragma once

#include <memory>
#include <span>

#include "cuprum/core/buffer.hpp"
#include "cuprum/parallel/operator.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// A sequence of elements that is read or written at positions 0 to n - 1. Its kind and types are compiled in;
/// addresses, values and operators' states are bound per call: an algorithm built for one iterator takes every other of
/// the same kind.
///
/// Iterators are made of each other. Each factory says what can be read and what can be written; using one for what it
/// cannot do throws InvalidArgument, where it becomes part of another one or where an algorithm is built.
///
/// The memory behind it stays the caller's, who keeps it until the stream has passed the call. Copies are cheap and
/// copy no elements. Thread-safe.
class Iterator {
public:
    enum class Kind : int32_t {
        pointer,
        constant,
        counting,
        transform,
        indexed,
        discard,
        strided,
        permutation,
        zip,
        transform_output,
        cache_modified,
        shuffle
    };
    /// How memory is loaded, as PTX has it: `stream` is likely to be read once (ld.cs), `global` is cached for all
    /// multiprocessors only (ld.cg), `is_volatile` is fetched again (ld.cv).
    enum class CacheModifier : int32_t { stream = 0, global = 1, is_volatile = 2 };

    /// Iterators within each other: what is made of others throws InvalidArgument beyond.
    static constexpr uint32_t max_depth = 64;
    static constexpr uint32_t max_within = 256;  ///< the same of all iterators that one is made of
    static constexpr uint64_t max_zipped = 64;

    /// Elements in device memory, to be read or written. Address 0 is for building ahead of a call.
    static Iterator pointer(const Type& type, core::DevicePointer address = 0);
    template <class T>
    static Iterator pointer(const core::BufferRef& buffer) {
        return pointer(Type::of<T>(), buffer.handle());
    }
    /// The same value everywhere. Read only.
    static Iterator constant(const Value& value);
    /// start, start + 1, ...: of an integer or floating-point type. Read only. Throws InvalidArgument for others.
    static Iterator counting(const Value& start);
    /// op(a) of the elements of `base`. Read only.
    static Iterator transform(const Iterator& base, const Operator& op, const Type& result);
    /// The elements of `base` with their positions: struct cuprum_indexed { int64 index; value }. Read only.
    static Iterator indexed(const Iterator& base);
    /// Throws what is written away, of a type. Write only.
    static Iterator discard(const Type& type);
    /// The elements of `base` from `last` backwards: position i is position `last` - i of `base`. Of n elements `last`
    /// is n - 1. Read or written as `base` is.
    static Iterator reverse(const Iterator& base, int64_t last);
    /// Elements of `base` at a distance from each other: position i is position `start` + i * `step` of `base`. A step
    /// of 1 skips the first ones. Read or written as `base` is.
    static Iterator strided(const Iterator& base, int64_t step, int64_t start = 0);
    /// Position i is position indices[i] of `values`, which is read or written. The indices are integers, read by an
    /// iterator of their own, and not checked. Written elements must have different indices.
    static Iterator permutation(const Iterator& values, const Iterator& indices);
    /// Structs of the elements of several iterators, in their order: field k of `value` is the element of `parts[k]`,
    /// and of its type. Read where all parts can be, written where all can be. 1 to `max_zipped` parts.
    static Iterator zip(std::span<const Iterator> parts, const Type& value);
    /// The same with a struct of its own: its fields are field_0, field_1, ... laid out as in C.
    static Iterator zip(std::span<const Iterator> parts);
    /// Writes op(a) to `base` of what is written, which is of type `value`. Write only.
    static Iterator transform_output(const Iterator& base, const Operator& op, const Type& value);
    /// Elements in device memory, loaded with a modifier. Read only.
    static Iterator cache_modified(const Type& type, CacheModifier modifier, core::DevicePointer address = 0);
    /// A permutation of 0 to n - 1 as int64, at random: the same for the same `seed`, on every device and on the host's
    /// cores. Positions from n on begin again. Read only. Throws InvalidArgument for 0 and for more than 2^62.
    ///
    /// It is a Feistel network of 8 rounds over as many bits as n - 1 has; what falls on n or more goes through it
    /// again.
    static Iterator shuffle(uint64_t n, uint64_t seed);

    Kind kind() const;
    /// Of the elements that are read, or else of those that are written.
    const Type& value_type() const;
    bool is_readable() const;
    bool is_writable() const;

    /// What it is made of: the values and the indices of a permutation, the parts of a zip.
    size_t part_count() const;
    const Iterator& part(size_t index) const;
    /// Where the part is in state(): bytes.
    uint64_t part_offset(size_t index) const;
    /// Where in state() what follows the parts is: bytes.
    uint64_t own_offset() const;
    /// The first part; null where there is none.
    const Iterator* base() const;
    /// Null except for transform and transform_output.
    const Operator* op() const;
    /// Of cache_modified.
    CacheModifier cache_modifier() const;

    /// The address of a pointer; 0 for the other kinds.
    core::DevicePointer address() const;
    /// What the kernel is passed.
    const Bytes& state() const { return state_; }
    /// Kind and types as text: iterators of one kind have one text.
    const std::string& shape_text() const;
    bool has_shape_of(const Iterator& other) const;

private:
    struct Shape;
    class Maker;
    friend class ArgReduce;
    /// Of an indexed iterator: the same over another base of the same shape, given by its state.
    Iterator over(const std::byte* base_state) const;
    Iterator(const detail::Shared<Shape>& shape, const Bytes& state) : shape_(shape), state_(state) {}
    detail::Shared<Shape> shape_;
    Bytes state_;
};

}  // namespace cuprum::parallel
