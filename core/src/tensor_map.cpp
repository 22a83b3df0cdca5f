#include "cuprum/core/tensor_map.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>

#include "context.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/error.hpp"
#include "driver_error.hpp"
#include "tensor_map_rules.hpp"

namespace cuprum::core {

namespace {

constexpr size_t max_rank = 5;
constexpr const char* encoding = "making a tensor map";
static_assert(sizeof(CUtensorMap) == 128);

[[noreturn]] void refuse_tensor(const Device& device, std::string problem, std::string advice = {}) {
    throw InvalidArgument(encoding, describe_device(device.device_id()), std::move(problem), std::move(advice));
}

// What the driver takes: the innermost dimension first, strides in bytes and without the innermost one.
struct Encoding {
    std::array<cuuint64_t, max_rank> sizes{};
    std::array<cuuint64_t, max_rank> strides{};
    std::array<cuuint32_t, max_rank> element_strides{};
    cuuint32_t rank = 0;
    void* address = nullptr;
    CUtensorMapDataType type{};
    CUtensorMapInterleave interleave{};
    CUtensorMapSwizzle swizzle{};
    CUtensorMapL2promotion l2_promotion{};
    CUtensorMapFloatOOBfill oob_fill{};

    Encoding(const Device& device, const TensorMapTensor& tensor, const TensorMapDescriptorOptions& options,
             size_t least_rank)
        : address(reinterpret_cast<void*>(tensor.address)),
          type(static_cast<CUtensorMapDataType>(tensor.data_type)),
          interleave(static_cast<CUtensorMapInterleave>(options.interleave)),
          swizzle(static_cast<CUtensorMapSwizzle>(options.swizzle)),
          l2_promotion(static_cast<CUtensorMapL2promotion>(options.l2_promotion)),
          oob_fill(static_cast<CUtensorMapFloatOOBfill>(options.oob_fill)) {
        const uint64_t element = bytes_of(tensor.data_type);
        const size_t dimensions = tensor.shape.size();
        if (dimensions < least_rank || dimensions > max_rank) {
            refuse_tensor(device, "the tensor has " + std::to_string(dimensions) + " dimensions, such a map takes " +
                                      std::to_string(least_rank) + " to 5");
        }
        rank = static_cast<cuuint32_t>(dimensions);
        require_length(device, tensor.strides.size(), "strides", true);
        require_length(device, options.element_strides.size(), "element strides", true);
        if (!tensor.strides.empty() && tensor.strides.back() != 1) {
            refuse_tensor(device, "the stride of the last dimension is " + std::to_string(tensor.strides.back()),
                          "tensor maps need elements that lie side by side: copy the tensor, or choose another order");
        }
        uint64_t contiguous = element;
        for (size_t i = 0; i < rank; ++i) {
            const size_t from = rank - 1 - i;
            sizes[i] = tensor.shape[from];
            element_strides[i] = options.element_strides.empty() ? 1 : options.element_strides[from];
            contiguous *= tensor.shape[from];
            if (i + 1 < rank) strides[i] = tensor.strides.empty() ? contiguous : tensor.strides[from - 1] * element;
        }
    }

    TensorMapRequest request(uint32_t element_bytes) const {
        return {.address = reinterpret_cast<uint64_t>(address),
                .sizes = {sizes.data(), rank},
                .strides = {strides.data(), rank - size_t{1}},
                .element_strides = {element_strides.data(), rank},
                .type = static_cast<int32_t>(type),
                .interleave = static_cast<int32_t>(interleave),
                .swizzle = static_cast<int32_t>(swizzle),
                .l2_promotion = static_cast<int32_t>(l2_promotion),
                .oob_fill = static_cast<int32_t>(oob_fill),
                .element_bytes = element_bytes};
    }

    void require_length(const Device& device, size_t length, const char* what, bool may_be_empty) const {
        if (length == rank || (may_be_empty && length == 0)) return;
        refuse_tensor(device,
                      std::to_string(length) + " " + what + " for a tensor of " + std::to_string(rank) + " dimensions",
                      "give one for each dimension");
    }
};

// `broken_rule()`: what a driver does not say that refuses a value.
template <class Encode, class BrokenRule>
TensorMapDescriptor encoded(const Device& device, const char* driver_function, const Encode& encode,
                            const BrokenRule& broken_rule) {
    CUtensorMap map{};
    const ContextScope scope(device.device_id());
    if (const CUresult result = encode(&map); result != CUDA_SUCCESS) {
        const std::optional<std::string> rule =
            result == CUDA_ERROR_INVALID_VALUE ? broken_rule() : std::optional<std::string>();
        throw_driver_error(result, driver_function, encoding, describe_device(device.device_id()), rule.value_or(""));
    }
    std::array<std::byte, 128> bytes{};
    std::memcpy(bytes.data(), &map, sizeof map);
    return TensorMapDescriptor::from_bytes(device, bytes);
}

}  // namespace

uint32_t bytes_of(TensorMapDataType type) {
    constexpr std::array<uint32_t, 13> sizes{1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    const auto number = static_cast<size_t>(type);
    if (number < sizes.size()) return sizes[number];
    throw InvalidArgument("asking for an element's size", "data type of a tensor map",
                          "there is no type " + std::to_string(static_cast<int32_t>(type)), "there are 0 to 12");
}

TensorMapDescriptor TensorMapDescriptor::tiled(const Device& device, const TensorMapTensor& tensor,
                                               const std::vector<uint32_t>& box_dim,
                                               const TensorMapDescriptorOptions& options) {
    const Encoding given(device, tensor, options, 1);
    given.require_length(device, box_dim.size(), "box dimensions", false);
    std::array<cuuint32_t, max_rank> box{};
    std::reverse_copy(box_dim.begin(), box_dim.end(), box.begin());
    return encoded(
        device, "cuTensorMapEncodeTiled",
        [&](CUtensorMap* map) {
            return driver::cuTensorMapEncodeTiled(map, given.type, given.rank, given.address, given.sizes.data(),
                                                  given.strides.data(), box.data(), given.element_strides.data(),
                                                  given.interleave, given.swizzle, given.l2_promotion, given.oob_fill);
        },
        [&] { return broken_rule_of_tile(given.request(bytes_of(tensor.data_type)), {box.data(), given.rank}); });
}

TensorMapDescriptor TensorMapDescriptor::im2col(const Device& device, const TensorMapTensor& tensor,
                                                const std::vector<int32_t>& pixel_box_lower_corner,
                                                const std::vector<int32_t>& pixel_box_upper_corner,
                                                uint32_t channels_per_pixel, uint32_t pixels_per_column,
                                                const TensorMapDescriptorOptions& options) {
    const Encoding given(device, tensor, options, 3);
    for (const std::vector<int32_t>* corner : {&pixel_box_lower_corner, &pixel_box_upper_corner}) {
        if (corner->size() + 2 == given.rank) continue;
        refuse_tensor(device,
                      "a corner of " + std::to_string(corner->size()) + " offsets for a tensor of " +
                          std::to_string(given.rank) + " dimensions",
                      "give one for each dimension between the first and the last");
    }
    return encoded(
        device, "cuTensorMapEncodeIm2col",
        [&](CUtensorMap* map) {
            return driver::cuTensorMapEncodeIm2col(
                map, given.type, given.rank, given.address, given.sizes.data(), given.strides.data(),
                pixel_box_lower_corner.data(), pixel_box_upper_corner.data(), channels_per_pixel, pixels_per_column,
                given.element_strides.data(), given.interleave, given.swizzle, given.l2_promotion, given.oob_fill);
        },
        [&] {
            return broken_rule_of_columns(given.request(bytes_of(tensor.data_type)),
                                          {.lower_corner = pixel_box_lower_corner,
                                           .upper_corner = pixel_box_upper_corner,
                                           .channels = channels_per_pixel,
                                           .pixels = pixels_per_column});
        });
}

TensorMapDescriptor TensorMapDescriptor::im2col_wide(const Device& device, const TensorMapTensor& tensor,
                                                     int32_t pixel_box_lower_corner_width,
                                                     int32_t pixel_box_upper_corner_width, uint32_t channels_per_pixel,
                                                     uint32_t pixels_per_column, TensorMapIm2ColWideMode mode,
                                                     const TensorMapDescriptorOptions& options) {
    const Encoding given(device, tensor, options, 3);
#if CUDA_VERSION >= 12080
    return encoded(
        device, "cuTensorMapEncodeIm2colWide",
        [&](CUtensorMap* map) {
            return driver::cuTensorMapEncodeIm2colWide(
                map, given.type, given.rank, given.address, given.sizes.data(), given.strides.data(),
                pixel_box_lower_corner_width, pixel_box_upper_corner_width, channels_per_pixel, pixels_per_column,
                given.element_strides.data(), given.interleave, static_cast<CUtensorMapIm2ColWideMode>(mode),
                given.swizzle, given.l2_promotion, given.oob_fill);
        },
        [&] {
            return broken_rule_of_columns(given.request(bytes_of(tensor.data_type)),
                                          {.lower_corner = {&pixel_box_lower_corner_width, 1},
                                           .upper_corner = {&pixel_box_upper_corner_width, 1},
                                           .corners_of_width_only = true,
                                           .channels = channels_per_pixel,
                                           .pixels = pixels_per_column,
                                           .pixels_are_ignored = mode == TensorMapIm2ColWideMode::w128});
        });
#else
    static_cast<void>(given);
    static_cast<void>(pixel_box_lower_corner_width);
    static_cast<void>(pixel_box_upper_corner_width);
    static_cast<void>(channels_per_pixel);
    static_cast<void>(pixels_per_column);
    static_cast<void>(mode);
    throw Unsupported(encoding, describe_device(device.device_id()), "wide columns need CUDA 12.8",
                      "build Cuprum with the headers of CUDA 12.8");
#endif
}

TensorMapDescriptor TensorMapDescriptor::from_bytes(const Device& device, const std::array<std::byte, 128>& bytes) {
    TensorMapDescriptor map;
    map.bytes_ = bytes;
    map.device_id_ = device.device_id();
    return map;
}

void TensorMapDescriptor::replace_address(DevicePointer address) {
    constexpr const char* operation = "giving a tensor map another address";
    if (!is_valid()) {
        throw InvalidArgument(operation, "tensor map", "it is invalid (default-constructed)", "make one of a tensor");
    }
    CUtensorMap map{};
    std::memcpy(&map, bytes_.data(), sizeof map);
    const ContextScope scope(device_id_);
    check(driver::cuTensorMapReplaceAddress(&map, reinterpret_cast<void*>(address)), "cuTensorMapReplaceAddress",
          operation, [this] { return "tensor map of " + describe_device(device_id_); });
    std::memcpy(bytes_.data(), &map, sizeof map);
}

}  // namespace cuprum::core
