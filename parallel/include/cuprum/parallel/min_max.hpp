// The smallest and the largest element in one sweep.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// The smallest and the largest of elements that are numbers or bool, in one sweep over them. If there are NaNs both
/// are NaN, as with NumPy. Built for one kind of input.
class MinMax {
public:
    /// Throws what Reduce throws, and InvalidArgument for structs and complex numbers.
    explicit MinMax(const Iterator& input, const Execution& execution = {}, const BuildOptions& options = {});

    /// For any call with at most `count` elements.
    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes two elements to `output`, the smallest and the largest; nothing if there are no elements. `output` may
    /// not overlap the input.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                    const CallOptions& options = {}) const;

    const Type& element_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Writes the smallest and the largest element to `output`. Throws InvalidArgument where there are no elements.
void min_max(const HostInput& data, const HostOutput& output, const Execution& execution = {});

/// The smallest and the largest element.
template <core::HostRange Data>
std::array<detail::ElementOf<Data>, 2> min_max(const Data& data, const Execution& execution = {}) {
    std::array<detail::ElementOf<Data>, 2> extremes{};
    min_max(host_input(data), host_output(extremes), execution);
    return extremes;
}

}  // namespace cuprum::parallel
