// Keeping the elements that are flagged.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// The elements whose flags are true, in their order; and how many there are. Built for one kind of input and of flags,
/// bool or numbers, of which 0 is false.
class SelectFlagged {
public:
    /// Throws what Reduce throws, and InvalidArgument for flags that are structs or complex numbers.
    SelectFlagged(const Iterator& input, const Iterator& flags, const Execution& execution = {},
                  const BuildOptions& options = {});

    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes those of `count` elements whose flags, as many, are true, and their number as a uint64_t to
    /// `selected_count`. `output` has room for all `count`, in case all are selected; what follows the selected ones is
    /// not changed. It may overlap neither input; on the host's cores it may be the input's own memory.
    void operator()(core::StreamRef stream, const Input& input, const Input& flags, const Output& output,
                    const Output& selected_count, uint64_t count, const CallOptions& options = {}) const;

    const Type& element_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Writes the elements whose flags are true to the start of `output`, in their order, and returns how many there are.
/// `output` is of the input's type, has room for all, and may be the input's own memory.
uint64_t select_flagged(const HostInput& data, const HostInput& flags, const HostOutput& output,
                        const Execution& execution = {});

template <core::HostRange Data, core::HostRange Flags, core::WritableHostRange Results>
    requires std::same_as<detail::ElementOf<Data>, detail::ElementOf<Results>>
uint64_t select_flagged(const Data& data, const Flags& flags, Results&& output, const Execution& execution = {}) {
    return select_flagged(host_input(data), host_input(flags), host_output(output), execution);
}

}  // namespace cuprum::parallel
