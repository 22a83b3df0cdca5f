// Elements in host memory, for the algorithms over them in one call: reduce(), sort() and so on, each beside its class.
//
// Such a call copies in, runs on the device, copies back, and returns when it is done. On the host's cores it runs
// where the memory is, and copies nothing but the input of what works in place and cannot write over what it reads.
// Execution::ahead_of_time is InvalidArgument. It throws what building and calling the algorithm throws, and
// OutOfMemory. For elements that are on the device already, and for many calls, build an algorithm once and call it;
// what these functions build is shared through the same caches.
//
// There is each for elements by their type and for C++ elements: of a std::vector, std::array, std::span or C array
// (core::HostRange). Say parallel::transform and so on in calls with an execution or with two ranges of one type and an
// operator: through the arguments' own namespace, std::transform(begin, end, ...) is found too and takes anything.
#pragma once

#include <concepts>
#include <cstdint>
#include <ranges>

#include "cuprum/core/host_range.hpp"
#include "cuprum/parallel/type.hpp"

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

}  // namespace cuprum::parallel
