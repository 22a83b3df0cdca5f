// Many copies at once.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Many copies of any sizes in one call: copy i is of sizes[i] bytes from the address sources[i] to the address
/// targets[i]. Built for the kinds of the three inputs, whose elements are uint64 and, for the sizes, integers of 32 or
/// 64 bits.
class BatchedMemcpy {
public:
    /// Throws what Reduce throws.
    BatchedMemcpy(const Iterator& sources, const Iterator& targets, const Iterator& sizes,
                  const Execution& execution = {}, const BuildOptions& options = {});

    /// For any call with at most `count` copies.
    uint64_t temp_storage_bytes(uint64_t count) const;

    /// `count` copies, in no order. What is written may not overlap anything that is read or written, and neither that
    /// nor the addresses are checked: they are on the device. Sizes below 0 copy nothing.
    void operator()(core::StreamRef stream, const Input& sources, const Input& targets, const Input& sizes,
                    uint64_t count, const CallOptions& options = {}) const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

}  // namespace cuprum::parallel
