// A function called for each element.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Calls an operator for each element, for what it does: what it returns is dropped. It writes through addresses in its
/// state. The calls are in no order. Over positions, 0 to n - 1, with a counting iterator. Built for one kind of input
/// and one operator; not for the host's cores, whose operators do nothing.
class ForEach {
public:
    /// `op`: sees an element as `a`; its result is one that becomes a bool. Throws what Reduce throws, and Unsupported
    /// for the host's cores.
    ForEach(const Iterator& input, const Operator& op, const Execution& execution = {},
            const BuildOptions& options = {});

    /// Needs no temporary storage.
    void operator()(core::StreamRef stream, const Input& input, uint64_t count, const CallOptions& options = {}) const;

    const Type& element_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

}  // namespace cuprum::parallel
