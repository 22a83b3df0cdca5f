// The smallest or largest element and where it is.
#pragma once

#include <memory>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// What Iterator::indexed and ArgReduce return: an element with its position; -1 if there is none.
template <class T>
struct Indexed {
    int64_t index = -1;
    T value{};
    friend bool operator==(const Indexed&, const Indexed&) = default;
};

template <class T>
struct TypeTraits<Indexed<T>> {
    static Type type() {
        return Type::structure_of<Indexed<T>>("cuprum_indexed", field("index", &Indexed<T>::index),
                                              field("value", &Indexed<T>::value));
    }
};

enum class ArgKind : int32_t { minimum = 0, maximum = 1 };

/// The first of the smallest (largest) elements. Of floating-point elements a NaN counts as the extreme: if
/// there are NaNs, the result is the first of them, as in NumPy. Elements are numbers or bool.
class ArgReduce {
public:
    /// Throws InvalidArgument for elements that are structs or complex numbers.
    ArgReduce(ArgKind kind, const Iterator& input, const Execution& execution = {}, const BuildOptions& options = {});

    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes one Indexed<T>; if there are no elements, the index -1 and the value 0.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                    const CallOptions& options = {}) const;

    /// Of the result: struct cuprum_indexed.
    const Type& result_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// The position of the first extreme element, -1 if there are no elements.
int64_t arg_reduce(ArgKind kind, const HostInput& data, const Execution& execution = {});

template <core::HostRange Data>
int64_t argmin(const Data& data, const Execution& execution = {}) {
    return arg_reduce(ArgKind::minimum, host_input(data), execution);
}
template <core::HostRange Data>
int64_t argmax(const Data& data, const Execution& execution = {}) {
    return arg_reduce(ArgKind::maximum, host_input(data), execution);
}

}  // namespace cuprum::parallel
