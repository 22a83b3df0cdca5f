// The algorithms over host memory, in one call: copies in, runs on the device, copies back, and returns when it is
// done. With Execution::host they run where the memory is, and copy nothing: see there what they take then.
//
// For elements that are on the device already, and for many calls, build an algorithm once and call it (reduce.hpp and
// the others). What these functions build is shared through the same caches.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cuprum/parallel/arg_reduce.hpp"
#include "cuprum/parallel/operator.hpp"
#include "cuprum/parallel/radix_sort.hpp"
#include "cuprum/parallel/scan.hpp"

namespace cuprum::parallel {

/// Where such a call runs: on a device, by its number, or on the host.
struct Where {
    Execution execution = Execution::device;
    int32_t device_id = 0;

    Where() = default;
    Where(int32_t device) : device_id(device) {}
    Where(Execution place) : execution(place) {}
};

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
void reduce(const HostInput& data, const Value& init, const Operator& op, void* result, const Where& where = {});
/// `init` is not used by ScanKind::inclusive. Throws InvalidArgument where the counts differ. `output` may be the
/// input's own memory.
void scan(ScanKind kind, const HostInput& data, const std::optional<Value>& init, const Operator& op,
          const HostOutput& output, const Where& where = {});
/// op(x) of every element, or op(x, y) of every pair.
void transform(const HostInput& data, const Operator& op, const HostOutput& output, const Where& where = {});
void transform(const HostInput& first, const HostInput& second, const Operator& op, const HostOutput& output,
               const Where& where = {});
/// In place; by the bits of the keys, or by a comparison. `values`, if any, move with their keys.
void sort(const HostOutput& keys, const std::optional<HostOutput>& values, SortOrder order, const Where& where = {});
void sort(const HostOutput& keys, const std::optional<HostOutput>& values, const Operator& compare,
          const Where& where = {});
/// Writes the elements of which the condition is true to the begin of `output`, in their order, and returns how many
/// they are. `output` is of the input's type, has room for all, and may be the input's own memory. Not on the host
/// (Unsupported).
uint64_t select(const HostInput& data, const Operator& condition, const HostOutput& output, const Where& where = {});
/// The position of the first extreme element, -1 of none.
int64_t arg_reduce(ArgKind kind, const HostInput& data, const Where& where = {});

// The same for C++ elements. With `where` they are to be called by their qualified names, parallel::transform: the
// standard library's templates would take two spans and two more arguments too.

template <class T>
HostInput host_input(std::span<const T> data) {
    return {Type::of<T>(), data.data(), data.size()};
}
template <class T>
HostOutput host_output(std::span<T> data) {
    return {Type::of<T>(), data.data(), data.size()};
}

/// reduce(std::span(data), 0.0, "a + b"): of the initial value's type.
template <class T, size_t Extent, class Accumulator>
Accumulator reduce(std::span<T, Extent> data, Accumulator init, const Operator& op = OpKind::plus,
                   const Where& where = {}) {
    Accumulator result{};
    reduce(host_input<std::remove_const_t<T>>(data), Value(init), op, &result, where);
    return result;
}

template <class T, size_t Extent, class Accumulator, size_t OutputExtent>
void inclusive_scan(std::span<T, Extent> data, std::span<Accumulator, OutputExtent> output,
                    const Operator& op = OpKind::plus, const Where& where = {}) {
    scan(ScanKind::inclusive, host_input<std::remove_const_t<T>>(data), std::nullopt, op,
         host_output<Accumulator>(output), where);
}
template <class T, size_t Extent, class Accumulator, size_t OutputExtent>
void exclusive_scan(std::span<T, Extent> data, std::span<Accumulator, OutputExtent> output, Accumulator init,
                    const Operator& op = OpKind::plus, const Where& where = {}) {
    scan(ScanKind::exclusive, host_input<std::remove_const_t<T>>(data), Value(init), op,
         host_output<Accumulator>(output), where);
}

template <class T, size_t Extent, class Result, size_t OutputExtent>
void transform(std::span<T, Extent> data, std::span<Result, OutputExtent> output, const Operator& op,
               const Where& where = {}) {
    transform(host_input<std::remove_const_t<T>>(data), op, host_output<Result>(output), where);
}
template <class T, size_t Extent, class U, size_t SecondExtent, class Result, size_t OutputExtent>
void transform(std::span<T, Extent> first, std::span<U, SecondExtent> second, std::span<Result, OutputExtent> output,
               const Operator& op) {
    transform(host_input<std::remove_const_t<T>>(first), host_input<std::remove_const_t<U>>(second), op,
              host_output<Result>(output));
}

template <class Key, size_t Extent>
void sort(std::span<Key, Extent> keys, SortOrder order = SortOrder::ascending, const Where& where = {}) {
    sort(host_output<Key>(keys), std::nullopt, order, where);
}
template <class Key, size_t Extent>
void sort(std::span<Key, Extent> keys, const Operator& compare, const Where& where = {}) {
    sort(host_output<Key>(keys), std::nullopt, compare, where);
}
template <class Key, size_t Extent, class T, size_t ValuesExtent>
void sort_by_key(std::span<Key, Extent> keys, std::span<T, ValuesExtent> values, SortOrder order = SortOrder::ascending,
                 const Where& where = {}) {
    sort(host_output<Key>(keys), host_output<T>(values), order, where);
}

template <class Key, size_t Extent, class T, size_t ValuesExtent>
void sort_by_key(std::span<Key, Extent> keys, std::span<T, ValuesExtent> values, const Operator& compare) {
    sort(host_output<Key>(keys), host_output<T>(values), compare);
}

template <class T, size_t Extent, size_t OutputExtent>
uint64_t select(std::span<T, Extent> data, std::span<std::remove_const_t<T>, OutputExtent> output,
                const Operator& condition, const Where& where = {}) {
    return select(host_input<std::remove_const_t<T>>(data), condition, host_output<std::remove_const_t<T>>(output),
                  where);
}

template <class T, size_t Extent>
int64_t argmin(std::span<T, Extent> data, const Where& where = {}) {
    return arg_reduce(ArgKind::minimum, host_input<std::remove_const_t<T>>(data), where);
}
template <class T, size_t Extent>
int64_t argmax(std::span<T, Extent> data, const Where& where = {}) {
    return arg_reduce(ArgKind::maximum, host_input<std::remove_const_t<T>>(data), where);
}

}  // namespace cuprum::parallel
