// Where an algorithm reads its elements.
#pragma once

#include <memory>

#include "cuprum/core/buffer.hpp"
#include "cuprum/parallel/operator.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// A sequence of elements that is read at positions 0 to n - 1. Its kind and types are compiled in; addresses, values
/// and operators' states are bound per call: an algorithm built for one iterator takes every other of the same kind.
///
/// The memory behind it stays the caller's, who keeps it until the stream has passed the call. Copies are cheap and
/// copy no elements. Thread-safe.
class Iterator {
public:
    enum class Kind : int32_t { pointer, constant, counting, transform, indexed };

    /// Nested iterators: transform() and indexed() throw InvalidArgument beyond.
    static constexpr uint32_t max_depth = 64;

    /// Elements in device memory. Address 0 is for building ahead of a call.
    static Iterator pointer(const Type& type, core::DevicePointer address = 0);
    template <class T>
    static Iterator pointer(const core::BufferRef& buffer) {
        return pointer(Type::of<T>(), buffer.handle());
    }
    /// The same value everywhere.
    static Iterator constant(const Value& value);
    /// start, start + 1, ...: of an integer or floating-point type. Throws InvalidArgument for others.
    static Iterator counting(const Value& start);
    /// op(a) of the elements of `base`.
    static Iterator transform(const Iterator& base, const Operator& op, const Type& result);
    /// The elements of `base` with their positions: struct cuprum_indexed { int64 index; value }.
    static Iterator indexed(const Iterator& base);

    Kind kind() const;
    /// Of the elements.
    const Type& value_type() const;
    /// Null except for transform and indexed.
    const Iterator* base() const;
    /// Null except for transform.
    const Operator* op() const;

    /// The address of a pointer; 0 for the other kinds.
    core::DevicePointer address() const;
    /// What the kernel is passed.
    const Bytes& state() const { return state_; }
    /// Kind and types as text: iterators of one kind have one text.
    const std::string& shape_text() const;
    bool has_shape_of(const Iterator& other) const;

private:
    struct Shape;
    friend class ArgReduce;
    /// Of an indexed iterator: the same over another base of the same shape, given by its state.
    Iterator over(const std::byte* base_state) const;
    Iterator(const detail::Shared<Shape>& shape, const Bytes& state) : shape_(shape), state_(state) {}
    detail::Shared<Shape> shape_;
    Bytes state_;
};

}  // namespace cuprum::parallel
