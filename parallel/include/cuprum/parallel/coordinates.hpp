// The positions of a grid, as elements.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cuprum/parallel/iterator.hpp"

namespace cuprum::parallel {

constexpr size_t max_rank = 8;

/// The positions of an array with these extents, the last of which is that of neighbours: element i is a struct of
/// int64 with the fields `index`, which is i, and `i0` to `i<rank - 1>`, its coordinates. There are as many as the
/// product of the extents says; positions behind them begin again. Read only, and on devices alone: ForEach over it
/// calls its operator once for each position of the array.
///
/// 1 to `max_rank` extents, whose product is at most 2^62; one may be 0. Throws InvalidArgument for others, and for a
/// `type`, which may be given in place of the struct's own, that has not as many fields of int64.
Iterator coordinates(std::span<const uint64_t> extents, const std::optional<Type>& type = std::nullopt);

/// How many positions such an array has. Throws InvalidArgument as above.
uint64_t position_count(std::span<const uint64_t> extents);

}  // namespace cuprum::parallel
