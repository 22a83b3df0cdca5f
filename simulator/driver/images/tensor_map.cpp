#include "driver/images/tensor_map.hpp"

#include <cstring>

#include "driver/error/driver_error.hpp"

namespace cuprum::simulator::libcuda {

namespace {

[[noreturn]] void refuse_map(const std::string& what) {
    throw DriverError(CUDA_ERROR_INVALID_VALUE, what);
}

bool is_padded(TensorElement element) {
    return element == TensorElement::packed_u4_align16 || element == TensorElement::packed_u6_align16;
}

bool is_packed(TensorElement element) {
    return element >= TensorElement::packed_u4_align8;
}

template <typename Enumeration>
Enumeration checked(unsigned int value, unsigned int count, const char* parameter) {
    if (value >= count) refuse_map(format("%s is %u; known are 0 to %u", parameter, value, count - 1));
    return static_cast<Enumeration>(value);
}

// Bytes of which addresses and strides are multiples.
uint64_t map_granularity(const TensorMap& map) {
    return map.interleave == TensorInterleave::bytes_32 || is_padded(map.element) ? 32 : 16;
}

void check_sizes(TensorMap& map, const TensorDescription& description) {
    for (uint32_t i = 0; i < map.rank; ++i) {
        const uint64_t size = description.sizes[i];
        if (size == 0 || size > uint64_t{1} << 32) refuse_map(format("globalDim[%u] is %lu, not 1 to 2^32", i, size));
        map.size[i] = size;
    }
    const uint64_t multiple = is_padded(map.element) ? 128 : is_packed(map.element) ? 2 : 1;
    if (map.size[0] % multiple != 0) {
        refuse_map(format("globalDim[0] is %lu, no multiple of %lu as its type needs", map.size[0], multiple));
    }
}

// A stride may be smaller than what a row holds, 0 even: rows that overlap are what some programs want.
void check_strides(TensorMap& map, const TensorDescription& description) {
    for (uint32_t i = 0; i + 1 < map.rank; ++i) {
        const uint64_t stride = description.strides[i];
        if (stride % map_granularity(map) != 0 || stride >= uint64_t{1} << 40) {
            refuse_map(
                format("globalStrides[%u] is %lu, no multiple of %lu below 2^40", i, stride, map_granularity(map)));
        }
        map.stride[i] = stride;
    }
    for (uint32_t i = 0; i < map.rank; ++i) {
        const cuuint32_t stride = description.element_strides[i];
        if (i == 0 && map.interleave == TensorInterleave::none) {
            map.element_stride[i] = 1;  // ignored
            continue;
        }
        if (stride == 0 || stride > 8) refuse_map(format("elementStrides[%u] is %u, not 1 to 8", i, stride));
        map.element_stride[i] = static_cast<uint8_t>(stride);
    }
}

void check_oob_fill(const TensorMap& map) {
    if (map.fill == TensorFill::nan && !is_floating(map.element)) {
        refuse_map("oobFill asks for NaN, which the type of the elements has not");
    }
}

void check_swizzle(const TensorMap& map) {
    if (map.interleave == TensorInterleave::bytes_32 && map.swizzle != TensorSwizzle::bytes_32) {
        refuse_map("interleave 32B needs swizzle 32B");
    }
    if (map.element == TensorElement::packed_u6_align16 && map.interleave != TensorInterleave::none) {
        refuse_map("16U6_ALIGN16B needs interleave NONE");
    }
    const bool padded_allows =
        map.swizzle == TensorSwizzle::none || map.swizzle == TensorSwizzle::bytes_128 ||
        map.swizzle == TensorSwizzle::bytes_128_atom_32 ||
        (map.swizzle == TensorSwizzle::bytes_128_atom_64 && map.element == TensorElement::packed_u6_align16);
    if (is_padded(map.element) && !padded_allows) refuse_map("the packed type does not support this swizzle");
}

// The inner dimension of what one copy moves.
void check_inner_bytes(const TensorMap& map, const char* parameter, cuuint32_t elements) {
    if (map.interleave != TensorInterleave::none) return;
    const uint64_t bytes = uint64_t{elements} * bits_of(map.element) / 8;
    const uint32_t span = span_of(map.swizzle);
    if (span != 0 && bytes > span) {
        refuse_map(format("%s is %u, %lu bytes; the swizzle's span is %u", parameter, elements, bytes, span));
    }
}

TensorMap common_part(const TensorDescription& description, uint32_t least_rank) {
    require_pointer(description.sizes, "globalDim");
    require_pointer(description.element_strides, "elementStrides");
    if (description.rank < least_rank || description.rank > TensorMap::max_rank) {
        refuse_map(format("tensorRank is %u, not %u to %u", description.rank, least_rank, TensorMap::max_rank));
    }
    require_pointer(description.strides, "globalStrides");  // H200: for one dimension too, which has none
    TensorMap map;
    map.rank = static_cast<uint8_t>(description.rank);
    map.element = checked<TensorElement>(description.type, 16, "tensorDataType");
    map.interleave = checked<TensorInterleave>(description.interleave, 3, "interleave");
    map.swizzle = checked<TensorSwizzle>(description.swizzle, 7, "swizzle");
    map.l2_promotion = checked<uint8_t>(description.l2_promotion, 4, "l2Promotion");
    map.fill = checked<TensorFill>(description.fill, 2, "oobFill");
    if (map.interleave != TensorInterleave::none && map.rank < 3) {
        refuse_map(format("tensorRank is %u, not 3 to 5 as an interleaved tensor needs", description.rank));
    }
    replace_address(map, description.address);
    check_sizes(map, description);
    check_strides(map, description);
    check_oob_fill(map);
    check_swizzle(map);
    return map;
}

void set_columns(TensorMap& map, cuuint32_t channels, cuuint32_t pixels) {
    if (channels == 0 || channels > 256) refuse_map(format("channelsPerPixel is %u, not 1 to 256", channels));
    if (is_padded(map.element) && channels != 128) {
        refuse_map(format("channelsPerPixel is %u; the packed type needs 128", channels));
    }
    check_inner_bytes(map, "channelsPerPixel", channels);
    map.channels = static_cast<uint16_t>(channels);
    if (map.mode == TensorMapMode::im2col_wide_128) return;
    if (pixels == 0 || pixels > 1024) refuse_map(format("pixelsPerColumn is %u, not 1 to 1024", pixels));
    map.pixels = static_cast<uint16_t>(pixels);
}

// `dimension`: 0 is W, 1 is H, 2 is D.
void set_corners(TensorMap& map, uint32_t dimension, int lower, int upper, int limit) {
    for (const int corner : {lower, upper}) {
        if (corner < -limit || corner >= limit) {
            refuse_map(format("a corner of the pixels' box is %d, not %d to %d", corner, -limit, limit - 1));
        }
    }
    const int64_t size = static_cast<int64_t>(map.size[dimension + 1]) + upper - lower;
    if (size <= 0) refuse_map(format("the pixels' box from %d to %d is empty", lower, upper));
    map.lower_corner[dimension] = static_cast<int16_t>(lower);
    map.upper_corner[dimension] = static_cast<int16_t>(upper);
}

}  // namespace

TensorMap tiled_map(const TensorDescription& description, const cuuint32_t* box) {
    TensorMap map = common_part(description, 1);
    require_pointer(box, "boxDim");
    for (uint32_t i = 0; i < map.rank; ++i) {
        if (box[i] == 0 || box[i] > 256) refuse_map(format("boxDim[%u] is %u, not 1 to 256", i, box[i]));
        map.box[i] = static_cast<uint16_t>(box[i]);
    }
    if (is_padded(map.element) && box[0] != 128)
        refuse_map(format("boxDim[0] is %u; the packed type needs 128", box[0]));
    if (map.interleave == TensorInterleave::none && uint64_t{box[0]} * bits_of(map.element) % 128 != 0) {
        refuse_map(format("boxDim[0] is %u elements, no multiple of 16 bytes", box[0]));
    }
    check_inner_bytes(map, "boxDim[0]", box[0]);
    return map;
}

TensorMap im2col_map(const TensorDescription& description, const int* lower_corner, const int* upper_corner,
                     cuuint32_t channels, cuuint32_t pixels) {
    TensorMap map = common_part(description, 3);
    require_pointer(lower_corner, "pixelBoxLowerCorner");
    require_pointer(upper_corner, "pixelBoxUpperCorner");
    map.mode = TensorMapMode::im2col;
    const int limit = map.rank == 3 ? 32768 : map.rank == 4 ? 128 : 16;
    const uint32_t corners = map.rank - 2;
    for (uint32_t i = 0; i < corners; ++i) {
        set_corners(map, corners - 1 - i, lower_corner[i], upper_corner[i], limit);
    }
    set_columns(map, channels, pixels);
    return map;
}

TensorMap im2col_wide_map(const TensorDescription& description, CUtensorMapIm2ColWideMode mode, int lower_corner,
                          int upper_corner, cuuint32_t channels, cuuint32_t pixels) {
    TensorMap map = common_part(description, 3);
    const bool of_128 = checked<unsigned int>(mode, 2, "mode") == CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128;
    map.mode = of_128 ? TensorMapMode::im2col_wide_128 : TensorMapMode::im2col_wide;
    const bool supported = map.swizzle == TensorSwizzle::bytes_64 || map.swizzle == TensorSwizzle::bytes_128 ||
                           map.swizzle == TensorSwizzle::bytes_128_atom_32;
    if (!supported) refuse_map("the wide im2col modes need swizzle 64B, 128B or 128B_ATOM_32B");
    set_corners(map, 0, lower_corner, upper_corner, 32768);
    set_columns(map, channels, pixels);
    return map;
}

void require_place(const CUtensorMap* place) {
    require_pointer(place, "tensorMap");
    if (reinterpret_cast<uintptr_t>(place) % 64 != 0) {
        refuse_map("tensorMap lies at " + hexadecimal(place) + ", which is not aligned to 64 bytes");
    }
}

TensorMap decode(const CUtensorMap* map) {
    require_place(map);
    TensorMap decoded;
    std::memcpy(static_cast<void*>(&decoded), map, sizeof decoded);
    if (!decoded.valid()) refuse_map("tensorMap has not been encoded");
    return decoded;
}

void encode(const TensorMap& map, CUtensorMap& result) {
    std::memcpy(&result, &map, sizeof map);
}

void replace_address(TensorMap& map, const void* address) {
    const auto value = reinterpret_cast<uint64_t>(address);
    if (value % map_granularity(map) != 0) {
        refuse_map(format("globalAddress is 0x%lx, not aligned to %lu bytes", value, map_granularity(map)));
    }
    map.address = value;
}

}  // namespace cuprum::simulator::libcuda
