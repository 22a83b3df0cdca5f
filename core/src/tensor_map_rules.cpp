#include "tensor_map_rules.hpp"

#include <initializer_list>

#include "describe.hpp"

namespace cuprum::core {

namespace {

using BrokenRule = std::optional<std::string>;

constexpr uint64_t largest_size = uint64_t{1} << 32;  // elements of a dimension
constexpr uint64_t stride_limit = uint64_t{1} << 40;  // bytes
constexpr uint32_t most_elements = 256;               // of a box, in one dimension
constexpr uint32_t most_pixels = 1024;                // of a column
constexpr uint32_t largest_element_stride = 8;
constexpr uint32_t box_granularity = 16;  // bytes of a box's row
constexpr int width_limit = 32768;        // of a corner of a tensor {N, W, C}

std::string parameter_element(const char* parameter, size_t index) {
    return std::string(parameter) + "[" + std::to_string(index) + "]";
}

// In the words of the simulator's driver, whose own report then is not repeated.
std::string value_is(const std::string& parameter, auto value, const std::string& rule) {
    return parameter + " is " + std::to_string(value) + ", " + rule;
}

// The first that breaks a rule, in the order of the calls.
BrokenRule first_broken(std::initializer_list<BrokenRule (*)(const TensorMapRequest&)> checks,
                        const TensorMapRequest& request) {
    for (const auto check : checks) {
        if (BrokenRule broken = check(request)) return broken;
    }
    return std::nullopt;
}

uint64_t map_granularity(const TensorMapRequest& request) {
    return request.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16;
}

BrokenRule broken_by_word(const char* parameter, int32_t value, int32_t count) {
    if (value >= 0 && value < count) return std::nullopt;
    return std::string(parameter) + " is " + std::to_string(value) + "; known are 0 to " + std::to_string(count - 1);
}

BrokenRule broken_by_words(const TensorMapRequest& request) {
    if (BrokenRule broken = broken_by_word("interleave", request.interleave, 3)) return broken;
    if (BrokenRule broken = broken_by_word("swizzle", request.swizzle, 7)) return broken;
    if (BrokenRule broken = broken_by_word("l2Promotion", request.l2_promotion, 4)) return broken;
    return broken_by_word("oobFill", request.oob_fill, 2);
}

BrokenRule broken_by_rank(const TensorMapRequest& request) {
    if (request.interleave == CU_TENSOR_MAP_INTERLEAVE_NONE || request.sizes.size() >= 3) return std::nullopt;
    return value_is("tensorRank", request.sizes.size(), "not 3 to 5 as an interleaved tensor needs");
}

BrokenRule broken_by_address(const TensorMapRequest& request) {
    if (request.address % map_granularity(request) == 0) return std::nullopt;
    return "globalAddress is " + hexadecimal(request.address) + ", not aligned to " +
           std::to_string(map_granularity(request)) + " bytes";
}

BrokenRule broken_by_sizes(const TensorMapRequest& request) {
    for (size_t i = 0; i < request.sizes.size(); ++i) {
        if (request.sizes[i] == 0 || request.sizes[i] > largest_size)
            return value_is(parameter_element("globalDim", i), request.sizes[i], "not 1 to 2^32");
    }
    return std::nullopt;
}

BrokenRule broken_by_strides(const TensorMapRequest& request) {
    for (size_t i = 0; i < request.strides.size(); ++i) {
        if (request.strides[i] % map_granularity(request) != 0 || request.strides[i] >= stride_limit) {
            return value_is(parameter_element("globalStrides", i), request.strides[i],
                            "no multiple of " + std::to_string(map_granularity(request)) + " below 2^40");
        }
    }
    // That of the innermost dimension is ignored unless the tensor is interleaved.
    const bool is_interleaved = request.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE;
    for (size_t i = is_interleaved ? 0 : 1; i < request.element_strides.size(); ++i) {
        const cuuint32_t stride = request.element_strides[i];
        if (stride == 0 || stride > largest_element_stride)
            return value_is(parameter_element("elementStrides", i), stride, "not 1 to 8");
    }
    return std::nullopt;
}

BrokenRule broken_by_layout(const TensorMapRequest& request) {
    if (request.interleave == CU_TENSOR_MAP_INTERLEAVE_32B && request.swizzle != CU_TENSOR_MAP_SWIZZLE_32B)
        return "interleave 32B needs swizzle 32B";
    const bool is_floating =
        request.type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16 && request.type <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ;
    if (request.oob_fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE && !is_floating)
        return "oobFill asks for NaN, which the type of the elements has not";
    return std::nullopt;
}

BrokenRule broken_by_any(const TensorMapRequest& request) {
    return first_broken(
        {broken_by_words, broken_by_rank, broken_by_address, broken_by_sizes, broken_by_strides, broken_by_layout},
        request);
}

uint32_t swizzle_span(int32_t swizzle) {
    switch (swizzle) {
        case CU_TENSOR_MAP_SWIZZLE_NONE:
            return 0;
        case CU_TENSOR_MAP_SWIZZLE_32B:
            return 32;
        case CU_TENSOR_MAP_SWIZZLE_64B:
            return 64;
        default:
            return 128;
    }
}

// Of `elements` that one copy moves side by side.
BrokenRule broken_by_row(const TensorMapRequest& request, const std::string& parameter, uint32_t elements) {
    const uint64_t bytes = uint64_t{elements} * request.element_bytes;
    const uint32_t span = swizzle_span(request.swizzle);
    if (request.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE || span == 0 || bytes <= span) return std::nullopt;
    return value_is(parameter, elements,
                    std::to_string(bytes) + " bytes; the swizzle's span is " + std::to_string(span));
}

BrokenRule broken_by_corner(const std::string& parameter, int corner, int limit) {
    if (corner >= -limit && corner < limit) return std::nullopt;
    return value_is(parameter, corner, "not " + std::to_string(-limit) + " to " + std::to_string(limit - 1));
}

BrokenRule broken_by_corners(const TensorMapRequest& request, const TensorMapColumns& columns) {
    const bool wide = columns.corners_of_width_only;
    const int limit = wide || request.sizes.size() == 3 ? width_limit : request.sizes.size() == 4 ? 128 : 16;
    for (size_t i = 0; i < columns.lower_corner.size(); ++i) {
        const auto name = [&](const char* corner) {
            return wide ? std::string(corner) + "Width" : parameter_element(corner, i);
        };
        const std::string lower = name("pixelBoxLowerCorner"), upper = name("pixelBoxUpperCorner");
        if (BrokenRule broken = broken_by_corner(lower, columns.lower_corner[i], limit)) return broken;
        if (BrokenRule broken = broken_by_corner(upper, columns.upper_corner[i], limit)) return broken;
        // Corners begin with the outermost dimension, W is next to the innermost.
        const auto size = static_cast<int64_t>(request.sizes[columns.lower_corner.size() - i]);
        if (size + columns.upper_corner[i] - columns.lower_corner[i] <= 0) {
            return "the pixels' box from " + lower + " " + std::to_string(columns.lower_corner[i]) + " to " + upper +
                   " " + std::to_string(columns.upper_corner[i]) + " is empty: globalDim is " + std::to_string(size);
        }
    }
    return std::nullopt;
}

}  // namespace

BrokenRule broken_rule_of_tile(const TensorMapRequest& request, std::span<const cuuint32_t> box) {
    if (BrokenRule broken = broken_by_any(request)) return broken;
    for (size_t i = 0; i < box.size(); ++i) {
        if (box[i] == 0 || box[i] > most_elements)
            return value_is(parameter_element("boxDim", i), box[i], "not 1 to 256");
    }
    const uint64_t bytes = uint64_t{box[0]} * request.element_bytes;
    if (request.interleave == CU_TENSOR_MAP_INTERLEAVE_NONE && bytes % box_granularity != 0) {
        return "boxDim[0] is " + std::to_string(box[0]) + " elements, no multiple of " +
               std::to_string(box_granularity) + " bytes";
    }
    return broken_by_row(request, "boxDim[0]", box[0]);
}

BrokenRule broken_rule_of_columns(const TensorMapRequest& request, const TensorMapColumns& columns) {
    if (BrokenRule broken = broken_by_any(request)) return broken;
    if (columns.corners_of_width_only && request.swizzle != CU_TENSOR_MAP_SWIZZLE_64B &&
        swizzle_span(request.swizzle) != 128)
        return "the wide im2col modes need swizzle 64B, 128B or 128B_ATOM_32B";
    if (BrokenRule broken = broken_by_corners(request, columns)) return broken;
    if (columns.channels == 0 || columns.channels > most_elements)
        return value_is("channelsPerPixel", columns.channels, "not 1 to 256");
    if (!columns.pixels_are_ignored && (columns.pixels == 0 || columns.pixels > most_pixels))
        return value_is("pixelsPerColumn", columns.pixels, "not 1 to 1024");
    return broken_by_row(request, "channelsPerPixel", columns.channels);
}

}  // namespace cuprum::core
