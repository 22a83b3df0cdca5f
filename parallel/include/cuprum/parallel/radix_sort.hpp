// Sorting by the bits of the keys.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/double_buffer.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

enum class SortOrder : int32_t { ascending = 0, descending = 1 };

/// Which bits of the keys are compared: [begin, end), 0 being the lowest. By default all of them. Those of a struct are
/// the bits of its fields, or of the fields that were chosen, concatenated without padding: the first field has the
/// most significant ones, and bit 0 is the lowest bit of the last field.
struct BitRange {
    int32_t begin = 0;
    std::optional<int32_t> end{};
};

/// A stable radix sort built for one type of keys, and of values that go with them, if any. Keys are numbers or bool,
/// or structs of such, which are compared by their fields in the order of their offsets, as NumPy does; values are of
/// any type. Others are sorted by MergeSort.
///
/// Floating-point keys are in the order of their bits, with -0 and +0 equal: NaNs with the sign bit set come first of
/// all, other NaNs last (in descending order the other way round).
class RadixSort {
public:
    /// Throws InvalidArgument for keys that are complex numbers, or structs of such or of more than 64 numbers,
    /// and on a device for keys of more than 48 bytes (CUB's limit).
    RadixSort(SortOrder order, const Type& keys, const std::optional<Type>& values = std::nullopt,
              const Execution& execution = {}, const BuildOptions& options = {});
    /// By some numbers of a struct, each in its own order: "age, -place.x" goes by age first, and of equal ages the
    /// largest place.x comes first. The fields are named as for Operator::by_fields, and MergeSort with that comparison
    /// gives the same. What is not named moves along. Throws InvalidArgument for keys that are no structs, for fields
    /// that they lack, that are named twice or are complex numbers, for more than 64 numbers, and on a device for keys
    /// of more than 48 bytes.
    RadixSort(std::string_view fields, const Type& keys, const std::optional<Type>& values = std::nullopt,
              const Execution& execution = {}, const BuildOptions& options = {});

    uint64_t temp_storage_bytes(uint64_t count, const BitRange& bits = {}) const;

    /// Keys alone. Input and output may not overlap, but on the host's cores they may be the same memory; otherwise the
    /// input is not changed. Throws InvalidArgument for a sort that was built with values.
    void operator()(core::StreamRef stream, const Input& keys_in, const Output& keys_out, uint64_t count,
                    const BitRange& bits = {}, const CallOptions& options = {}) const;
    /// Keys and values.
    void operator()(core::StreamRef stream, const Input& keys_in, const Output& keys_out, const Input& values_in,
                    const Output& values_out, uint64_t count, const BitRange& bits = {},
                    const CallOptions& options = {}) const;

    /// Between the arrays of a double buffer, which may not overlap; afterwards its current one has the keys in order.
    /// With an odd number of passes over the keys (one for each 8 bits) that is the other one, with an even number the
    /// same; small sorts and those on the host's cores make one pass. Values move with them: both are then current or
    /// neither is, so the selectors of the two have to agree.
    void operator()(core::StreamRef stream, DoubleBuffer& keys, uint64_t count, const BitRange& bits = {},
                    const CallOptions& options = {}) const;
    void operator()(core::StreamRef stream, DoubleBuffer& keys, DoubleBuffer& values, uint64_t count,
                    const BitRange& bits = {}, const CallOptions& options = {}) const;
    /// As temp_storage_bytes(), for the two above: less, by the size of the keys and values.
    uint64_t double_buffer_storage_bytes(uint64_t count, const BitRange& bits = {}) const;

    /// Ascending for one that was built with fields.
    SortOrder order() const;
    /// As they were given; none for a sort by all of a key.
    const std::optional<std::string>& fields() const;
    const Type& key_type() const;
    const std::optional<Type>& value_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// In place, by the bits of the keys. `values`, if any, move with their keys.
void sort(const HostOutput& keys, const std::optional<HostOutput>& values, SortOrder order,
          const Execution& execution = {});
/// The same to other memory, which is the keys' own or does not overlap it; `moved` for the values.
void sort(const HostInput& keys, const HostOutput& sorted, const std::optional<HostInput>& values,
          const std::optional<HostOutput>& moved, SortOrder order, const Execution& execution = {});

template <core::WritableHostRange Keys>
void sort(Keys&& keys, SortOrder order = SortOrder::ascending, const Execution& execution = {}) {
    sort(host_output(keys), std::nullopt, order, execution);
}
template <core::WritableHostRange Keys, core::WritableHostRange Values>
void sort_by_key(Keys&& keys, Values&& values, SortOrder order = SortOrder::ascending,
                 const Execution& execution = {}) {
    sort(host_output(keys), host_output(values), order, execution);
}

}  // namespace cuprum::parallel
