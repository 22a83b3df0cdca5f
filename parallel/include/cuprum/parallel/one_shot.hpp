// The algorithms over host memory, in one call: copies in, runs on the device, copies back, and returns when it is
// done. On the host's cores they run where the memory is, and copy nothing. Execution::ahead_of_time is
// InvalidArgument.
//
// For elements that are on the device already, and for many calls, build an algorithm once and call it (reduce.hpp and
// the others). What these functions build is shared through the same caches.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <ranges>

#include "cuprum/core/host_range.hpp"
#include "cuprum/parallel/arg_reduce.hpp"
#include "cuprum/parallel/operator.hpp"
#include "cuprum/parallel/radix_sort.hpp"
#include "cuprum/parallel/scan.hpp"

namespace cuprum::parallel {

/// Elements in host memory, by their type and not by a C++ one.
struct HostInput {
    Type type;
    const void* data;
    uint64_t count;
};
struct HostOutput {
    Type type;
    void* data;
    uint64_t count;
};

/// Writes one value of init's type to `result`. Throws what Reduce throws, and OutOfMemory.
void reduce(const HostInput& data, const Value& init, const Operator& op, void* result,
            const Execution& execution = {});
/// `init` is not used by ScanKind::inclusive. Throws InvalidArgument where the counts differ. `output` may be the
/// input's own memory.
void scan(ScanKind kind, const HostInput& data, const std::optional<Value>& init, const Operator& op,
          const HostOutput& output, const Execution& execution = {});
/// op(x) of every element, or op(x, y) of every pair.
void transform(const HostInput& data, const Operator& op, const HostOutput& output, const Execution& execution = {});
void transform(const HostInput& first, const HostInput& second, const Operator& op, const HostOutput& output,
               const Execution& execution = {});
/// In place; by the bits of the keys, or by a comparison. `values`, if any, move with their keys.
void sort(const HostOutput& keys, const std::optional<HostOutput>& values, SortOrder order,
          const Execution& execution = {});
void sort(const HostOutput& keys, const std::optional<HostOutput>& values, const Operator& compare,
          const Execution& execution = {});
/// Writes the elements of which the condition is true to the start of `output`, in their order, and returns how many
/// they are. `output` is of the input's type, has room for all, and may be the input's own memory.
uint64_t select(const HostInput& data, const Operator& condition, const HostOutput& output,
                const Execution& execution = {});
/// In place: moves the first key of each run of equal ones, and its value, to the start, and returns how many runs
/// there are. What follows them is left as it was.
uint64_t unique_by_key(const HostOutput& keys, const HostOutput& values, const Operator& op,
                       const Execution& execution = {});
/// The position of the first extreme element, -1 of none.
int64_t arg_reduce(ArgKind kind, const HostInput& data, const Execution& execution = {});

// The same for C++ elements: of a std::vector, std::array, std::span or C array (core::HostRange).
//
// Say parallel::transform and so on in calls with an execution or with two ranges of one type and an operator: through
// the arguments' own namespace, std::transform(begin, end, ...) is found too and takes anything.

namespace detail {
template <class Range>
using ElementOf = std::ranges::range_value_t<Range>;

// `From` becomes a `To` and keeps its value: int a long, but neither double an int nor int an unsigned.
template <class From, class To>
concept FitsInto = requires(const From& from) { To{from}; };
}  // namespace detail

template <core::HostRange Range>
HostInput host_input(const Range& data) {
    return {Type::of<detail::ElementOf<Range>>(), std::ranges::data(data), std::ranges::size(data)};
}
template <core::WritableHostRange Range>
HostOutput host_output(Range&& data) {
    return {Type::of<detail::ElementOf<Range>>(), std::ranges::data(data), std::ranges::size(data)};
}

/// reduce(data, 0.0, "a + b"): of the initial value's type.
template <core::HostRange Data, class Accumulator>
Accumulator reduce(const Data& data, Accumulator init, const Operator& op = OpKind::plus,
                   const Execution& execution = {}) {
    Accumulator result{};
    reduce(host_input(data), Value(init), op, &result, execution);
    return result;
}

template <core::HostRange Data, core::WritableHostRange Results>
void inclusive_scan(const Data& data, Results&& output, const Operator& op = OpKind::plus,
                    const Execution& execution = {}) {
    scan(ScanKind::inclusive, host_input(data), std::nullopt, op, host_output(output), execution);
}
template <core::HostRange Data, core::WritableHostRange Results,
          detail::FitsInto<detail::ElementOf<Results>> Accumulator>
void exclusive_scan(const Data& data, Results&& output, const Accumulator& init, const Operator& op = OpKind::plus,
                    const Execution& execution = {}) {
    scan(ScanKind::exclusive, host_input(data), Value(detail::ElementOf<Results>{init}), op, host_output(output),
         execution);
}

template <core::HostRange Data, core::WritableHostRange Results>
void transform(const Data& data, Results&& output, const Operator& op, const Execution& execution = {}) {
    transform(host_input(data), op, host_output(output), execution);
}
template <core::HostRange First, core::HostRange Second, core::WritableHostRange Results>
void transform(const First& first, const Second& second, Results&& output, const Operator& op,
               const Execution& execution = {}) {
    transform(host_input(first), host_input(second), op, host_output(output), execution);
}

template <core::WritableHostRange Keys>
void sort(Keys&& keys, SortOrder order = SortOrder::ascending, const Execution& execution = {}) {
    sort(host_output(keys), std::nullopt, order, execution);
}
template <core::WritableHostRange Keys>
void sort(Keys&& keys, const Operator& compare, const Execution& execution = {}) {
    sort(host_output(keys), std::nullopt, compare, execution);
}
template <core::WritableHostRange Keys, core::WritableHostRange Values>
void sort_by_key(Keys&& keys, Values&& values, SortOrder order = SortOrder::ascending,
                 const Execution& execution = {}) {
    sort(host_output(keys), host_output(values), order, execution);
}
template <core::WritableHostRange Keys, core::WritableHostRange Values>
void sort_by_key(Keys&& keys, Values&& values, const Operator& compare, const Execution& execution = {}) {
    sort(host_output(keys), host_output(values), compare, execution);
}

template <core::HostRange Data, core::WritableHostRange Results>
    requires std::same_as<detail::ElementOf<Data>, detail::ElementOf<Results>>
uint64_t select(const Data& data, Results&& output, const Operator& condition, const Execution& execution = {}) {
    return select(host_input(data), condition, host_output(output), execution);
}

template <core::WritableHostRange Keys, core::WritableHostRange Values>
uint64_t unique_by_key(Keys&& keys, Values&& values, const Operator& op = OpKind::equal_to,
                       const Execution& execution = {}) {
    return unique_by_key(host_output(keys), host_output(values), op, execution);
}

template <core::HostRange Data>
int64_t argmin(const Data& data, const Execution& execution = {}) {
    return arg_reduce(ArgKind::minimum, host_input(data), execution);
}
template <core::HostRange Data>
int64_t argmax(const Data& data, const Execution& execution = {}) {
    return arg_reduce(ArgKind::maximum, host_input(data), execution);
}

}  // namespace cuprum::parallel
