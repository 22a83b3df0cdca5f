// Host memory whose length is known from its type or object.
#pragma once

#include <ranges>
#include <type_traits>

namespace cuprum::core {

// Elements that are contiguous in memory and can be copied byte by byte: std::vector, std::array, std::span, a
// C array, std::string; const or not. Not std::vector<bool>, which has no elements in memory.
template <class Range>
concept HostRange = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                    std::is_trivially_copyable_v<std::ranges::range_value_t<Range>>;

// One whose elements stay where they are when the expression that names it has ended: a variable or a span, and no
// temporary container. `Range` is a type as a forwarding reference deduces it.
template <class Range>
concept LastingHostRange = HostRange<Range> && std::ranges::borrowed_range<Range>;

// One that can be written to. That of a temporary container would be lost.
template <class Range>
concept WritableHostRange =
    LastingHostRange<Range> && !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Range>>>;

}  // namespace cuprum::core
