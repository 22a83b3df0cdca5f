// Which of CUDA's documented rules a tensor map breaks that the driver has refused; a driver says only that a value is
// invalid. Source: CUDA driver API, "Tensor Map Object Management".
#pragma once

#include <cuda.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace cuprum::core {

// What the driver was given, in its order: the innermost dimension first.
struct TensorMapRequest {
    uint64_t address = 0;
    std::span<const cuuint64_t> sizes;              // one for each dimension
    std::span<const cuuint64_t> strides;            // in bytes, without the innermost dimension's
    std::span<const cuuint32_t> element_strides;    // one for each dimension
    int32_t type = 0, interleave = 0, swizzle = 0;  // the driver's numbers
    int32_t l2_promotion = 0, oob_fill = 0;
    uint32_t element_bytes = 0;
};

struct TensorMapColumns {
    std::span<const int> lower_corner, upper_corner;  // of D, H, W, as many as there are
    bool corners_of_width_only = false;               // a wide map
    uint32_t channels = 0, pixels = 0;
    bool pixels_are_ignored = false;
};

// The first rule that is broken, with the driver's name of the parameter; nothing where all are kept.
std::optional<std::string> broken_rule_of_tile(const TensorMapRequest& request, std::span<const cuuint32_t> box);
std::optional<std::string> broken_rule_of_columns(const TensorMapRequest& request, const TensorMapColumns& columns);

}  // namespace cuprum::core
