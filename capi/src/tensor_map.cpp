#include "cuprum/capi/tensor_map.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "call.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/tensor_map.hpp"
#include "thread_state.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

static_assert(sizeof(cuprum_tensor_map_description) == 192);

cuprum_tensor_map_description read_description(const Call& call, const void* description, uint64_t size) {
    call.require(description, "description");
    cuprum_tensor_map_description given{};
    if (size != sizeof given) {
        call.refuse("description", "has " + std::to_string(size) +
                                       " bytes; expected a cuprum_tensor_map_description, " +
                                       std::to_string(sizeof given) + " bytes");
    }
    std::memcpy(&given, description, sizeof given);
    if (given.struct_size != sizeof given) {
        call.refuse("description", "struct_size is " + std::to_string(given.struct_size) + "; expected " +
                                       std::to_string(sizeof given));
    }
    if (given.rank < 1 || given.rank > 5) {
        call.refuse("description", "rank is " + std::to_string(given.rank) + "; expected 1 to 5");
    }
    if (given.data_type < 0 || given.data_type > 12) {
        call.refuse("description", "data_type is " + std::to_string(given.data_type) + "; expected 0 to 12");
    }
    return given;
}

// The first numbers of an array; none where all are 0.
template <class Number>
std::vector<Number> given_numbers(std::span<const Number> all, uint32_t count) {
    const auto used = all.first(count);
    if (std::all_of(used.begin(), used.end(), [](Number each) { return each == 0; })) return {};
    return {used.begin(), used.end()};
}

core::TensorMapDescriptor made_of(const Call& call, const core::Device& device,
                                  const cuprum_tensor_map_description& given) {
    const uint32_t rank = given.rank;
    core::TensorMapTensor tensor;
    tensor.address = given.address;
    tensor.data_type = static_cast<core::TensorMapDataType>(given.data_type);
    tensor.shape.assign(given.shape, given.shape + rank);
    tensor.strides = given_numbers(std::span<const uint64_t>(given.strides), rank);
    core::TensorMapDescriptorOptions options;
    options.element_strides = given_numbers(std::span<const uint32_t>(given.element_strides), rank);
    options.interleave = static_cast<core::TensorMapInterleave>(given.interleave);
    options.swizzle = static_cast<core::TensorMapSwizzle>(given.swizzle);
    options.l2_promotion = static_cast<core::TensorMapL2Promotion>(given.l2_promotion);
    options.oob_fill = static_cast<core::TensorMapOOBFill>(given.oob_fill);
    const std::vector<int32_t> lower(given.pixel_box_lower_corner,
                                     given.pixel_box_lower_corner + (rank > 2 ? rank - 2 : 0));
    const std::vector<int32_t> upper(given.pixel_box_upper_corner,
                                     given.pixel_box_upper_corner + (rank > 2 ? rank - 2 : 0));
    switch (given.mode) {
        case CUPRUM_TENSOR_MAP_TILED:
            return core::TensorMapDescriptor::tiled(device, tensor, {given.box_dim, given.box_dim + rank}, options);
        case CUPRUM_TENSOR_MAP_IM2COL:
            return core::TensorMapDescriptor::im2col(device, tensor, lower, upper, given.channels_per_pixel,
                                                     given.pixels_per_column, options);
        case CUPRUM_TENSOR_MAP_IM2COL_WIDE_W:
        case CUPRUM_TENSOR_MAP_IM2COL_WIDE_W128:
            return core::TensorMapDescriptor::im2col_wide(
                device, tensor, given.pixel_box_lower_corner[0], given.pixel_box_upper_corner[0],
                given.channels_per_pixel, given.pixels_per_column,
                static_cast<core::TensorMapIm2ColWideMode>(given.mode - CUPRUM_TENSOR_MAP_IM2COL_WIDE_W), options);
        default:
            call.refuse("description",
                        "mode is " + std::to_string(given.mode) + "; expected one of CUPRUM_TENSOR_MAP_* (0 to 3)");
    }
}

void lend_map(const core::TensorMapDescriptor& map, const void** map_out, uint64_t* size_out) {
    const std::string& bytes =
        lend_bytes(std::string(reinterpret_cast<const char*>(map.bytes().data()), map.bytes().size()));
    *map_out = bytes.data();
    *size_out = bytes.size();
}

}  // namespace

cuprum_status cuprum_tensor_map_encode(const void** map_out, uint64_t* size_out, int32_t device,
                                       const void* description, uint64_t size) {
    return run("cuprum_tensor_map_encode", [&](const Call& call) {
        call.require(map_out, "map_out");
        call.require(size_out, "size_out");
        const cuprum_tensor_map_description given = read_description(call, description, size);
        lend_map(made_of(call, core::Device(device), given), map_out, size_out);
    });
}

cuprum_status cuprum_tensor_map_replace_address(const void** map_out, uint64_t* size_out, int32_t device,
                                                const void* map, uint64_t size, uint64_t address) {
    return run("cuprum_tensor_map_replace_address", [&](const Call& call) {
        call.require(map_out, "map_out");
        call.require(size_out, "size_out");
        call.require(map, "map");
        std::array<std::byte, 128> bytes{};
        if (size != bytes.size()) {
            call.refuse("map", "has " + std::to_string(size) + " bytes; a tensor map has 128");
        }
        std::memcpy(bytes.data(), map, bytes.size());
        auto replaced = core::TensorMapDescriptor::from_bytes(core::Device(device), bytes);
        replaced.replace_address(address);
        lend_map(replaced, map_out, size_out);
    });
}
