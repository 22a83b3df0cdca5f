// Bins of one width.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cuprum/parallel/value.hpp"

namespace cuprum::parallel {

// The bins of one call, as the kernels and libcuprum_host are passed them: two bounds, and what an offset is multiplied
// with (floating point), or divided by (integers).
struct EvenBins {
    std::array<std::byte, 8> lower{}, upper{}, scale{};
    int32_t count = 0;
};

// That many from the lower to the upper bound; `common`: the type that samples and bounds are compared as. Throws
// InvalidArgument.
EvenBins even_bins(TypeKind common, uint64_t count, const Value& lower, const Value& upper);

}  // namespace cuprum::parallel
