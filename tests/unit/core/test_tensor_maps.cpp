// A driver that refuses a tensor map says only that a value is invalid. Core says which documented rule is broken, with
// the driver's name of the parameter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "cuprum/core/device.hpp"
#include "cuprum/core/error.hpp"
#include "cuprum/core/tensor_map.hpp"
#include "fake_driver.hpp"

namespace cuprum::core {
namespace {

using test::FakeDriver;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

template <class Make>
std::string refusal(const Make& make) {
    try {
        make();
    } catch (const DriverError& error) {
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

class RefusedTensorMaps : public testing::Test {
protected:
    // 32 x 64 numbers, in boxes of 8 x 16.
    struct Tile {
        TensorMapTensor tensor{0x1000, TensorMapDataType::float32, {4, 32, 64}};
        std::vector<uint32_t> box{1, 8, 16};
        TensorMapDescriptorOptions options;
    };
    std::string of_tile(const std::function<void(Tile&)>& spoil) {
        Tile tile;
        spoil(tile);
        fake.fail("cuTensorMapEncodeTiled", CUDA_ERROR_INVALID_VALUE);
        return refusal([&] { TensorMapDescriptor::tiled(device, tile.tensor, tile.box, tile.options); });
    }
    // 2 images of 32 x 32 pixels of 16 channels.
    struct Columns {
        TensorMapTensor tensor{0x1000, TensorMapDataType::float32, {2, 32, 32, 16}};
        std::vector<int32_t> lower{-1, -1}, upper{-1, -1};
        uint32_t channels = 16, pixels = 64;
        TensorMapDescriptorOptions options;
    };
    std::string of_columns(const std::function<void(Columns&)>& spoil) {
        Columns columns;
        spoil(columns);
        fake.fail("cuTensorMapEncodeIm2col", CUDA_ERROR_INVALID_VALUE);
        return refusal([&] {
            TensorMapDescriptor::im2col(device, columns.tensor, columns.lower, columns.upper, columns.channels,
                                        columns.pixels, columns.options);
        });
    }

    FakeDriver fake;
    Device device{0};
};

TEST_F(RefusedTensorMaps, SayWhichRuleOfTilesIsBroken) {
    using Swizzle = TensorMapSwizzle;
    using Interleave = TensorMapInterleave;
    const std::vector<std::pair<const char*, std::function<void(Tile&)>>> mistakes{
        {"boxDim[0] is 257, not 1 to 256", [](Tile& tile) { tile.box[2] = 257; }},
        {"boxDim[2] is 0, not 1 to 256", [](Tile& tile) { tile.box[0] = 0; }},
        {"boxDim[0] is 3 elements, no multiple of 16 bytes", [](Tile& tile) { tile.box[2] = 3; }},
        {"boxDim[0] is 16, 64 bytes; the swizzle's span is 32",
         [](Tile& tile) { tile.options.swizzle = Swizzle::swizzle_32b; }},
        {"swizzle is 9; known are 0 to 6", [](Tile& tile) { tile.options.swizzle = static_cast<Swizzle>(9); }},
        {"interleave is -1; known", [](Tile& tile) { tile.options.interleave = static_cast<Interleave>(-1); }},
        {"l2Promotion is 4; known",
         [](Tile& tile) { tile.options.l2_promotion = static_cast<TensorMapL2Promotion>(4); }},
        {"oobFill is 2; known", [](Tile& tile) { tile.options.oob_fill = static_cast<TensorMapOOBFill>(2); }},
        {"globalAddress is 0x1008, not aligned to 16 bytes", [](Tile& tile) { tile.tensor.address = 0x1008; }},
        {"globalAddress is 0x1010, not aligned to 32 bytes",
         [](Tile& tile) {
             tile.tensor.address = 0x1010;
             tile.options.interleave = Interleave::interleave_32b;
         }},
        {"globalDim[1] is 0, not 1 to 2^32", [](Tile& tile) { tile.tensor.shape[1] = 0; }},
        {"globalDim[2] is 4294967297, not 1 to 2^32",
         [](Tile& tile) { tile.tensor.shape[0] = (uint64_t{1} << 32) + 1; }},
        {"globalStrides[0] is 260, no multiple of 16 below 2^40",
         [](Tile& tile) { tile.tensor.strides = {65 * 32, 65, 1}; }},
        {"globalStrides[1] is 1099511627776, no multiple",
         [](Tile& tile) { tile.tensor.strides = {uint64_t{1} << 38, 64, 1}; }},
        {"elementStrides[1] is 9, not 1 to 8", [](Tile& tile) { tile.options.element_strides = {1, 9, 1}; }},
        {"elementStrides[0] is 0, not 1 to 8",
         [](Tile& tile) {
             tile.options.element_strides = {1, 1, 0};
             tile.options.interleave = Interleave::interleave_16b;
         }},
        {"tensorRank is 2, not 3 to 5 as an interleaved tensor needs",
         [](Tile& tile) {
             tile.tensor.shape = {32, 64};
             tile.box = {8, 16};
             tile.options.interleave = Interleave::interleave_16b;
         }},
        {"interleave 32B needs swizzle 32B", [](Tile& tile) { tile.options.interleave = Interleave::interleave_32b; }},
        {"oobFill asks for NaN",
         [](Tile& tile) {
             tile.tensor.data_type = TensorMapDataType::int32;
             tile.options.oob_fill = TensorMapOOBFill::nan_request_zero_fma;
         }},
    };
    for (const auto& [words, spoil] : mistakes)
        EXPECT_THAT(of_tile(spoil), AllOf(HasSubstr(words), HasSubstr("cuTensorMapEncodeTiled: ")));
}

TEST_F(RefusedTensorMaps, SayWhichRuleOfColumnsIsBroken) {
    const std::vector<std::pair<const char*, std::function<void(Columns&)>>> mistakes{
        {"pixelBoxLowerCorner[1] is -129, not -128 to 127", [](Columns& columns) { columns.lower[1] = -129; }},
        {"pixelBoxUpperCorner[0] is 128, not -128 to 127", [](Columns& columns) { columns.upper[0] = 128; }},
        {"pixelBoxUpperCorner[2] is 16, not -16 to 15",
         [](Columns& columns) {
             columns.tensor.shape = {2, 32, 32, 32, 16};
             columns.lower = {0, 0, 0};
             columns.upper = {0, 0, 16};
         }},
        {"from pixelBoxLowerCorner[0] 1 to pixelBoxUpperCorner[0] -31 is empty: globalDim is 30",
         [](Columns& columns) {
             columns.tensor.shape[1] = 30;
             columns.lower[0] = 1;
             columns.upper[0] = -31;
         }},
        {"channelsPerPixel is 257, not 1 to 256", [](Columns& columns) { columns.channels = 257; }},
        {"pixelsPerColumn is 1025, not 1 to 1024", [](Columns& columns) { columns.pixels = 1025; }},
        {"channelsPerPixel is 16, 64 bytes; the swizzle's span is 32",
         [](Columns& columns) { columns.options.swizzle = TensorMapSwizzle::swizzle_32b; }},
    };
    for (const auto& [words, spoil] : mistakes)
        EXPECT_THAT(of_columns(spoil), AllOf(HasSubstr(words), HasSubstr("cuTensorMapEncodeIm2col: ")));
}

TEST_F(RefusedTensorMaps, SayNoMoreThanTheDriverWhereNoRuleIsBroken) {
    EXPECT_THAT(of_tile([](Tile&) {}), AllOf(HasSubstr("cuTensorMapEncodeTiled"), Not(HasSubstr("boxDim"))));
    fake.fail("cuTensorMapEncodeTiled", CUDA_ERROR_INVALID_CONTEXT);
    const TensorMapTensor tensor{0x1000, TensorMapDataType::float32, {32, 64}};
    EXPECT_THAT(refusal([&] { TensorMapDescriptor::tiled(device, tensor, {8, 300}); }), Not(HasSubstr("boxDim")));
}

#if CUDA_VERSION >= 12080
TEST_F(RefusedTensorMaps, SayWhichRuleOfWideColumnsIsBroken) {
    const TensorMapTensor pixels{0x1000, TensorMapDataType::float32, {2, 32, 32, 16}};
    const auto wide = [&](int32_t lower, uint32_t count, TensorMapIm2ColWideMode mode, TensorMapSwizzle swizzle) {
        fake.fail("cuTensorMapEncodeIm2colWide", CUDA_ERROR_INVALID_VALUE);
        return refusal([&] {
            TensorMapDescriptor::im2col_wide(device, pixels, lower, -1, 16, count, mode, {.swizzle = swizzle});
        });
    };
    using Mode = TensorMapIm2ColWideMode;
    using Swizzle = TensorMapSwizzle;
    EXPECT_THAT(wide(-1, 64, Mode::w, Swizzle::none), HasSubstr("need swizzle 64B, 128B"));
    EXPECT_THAT(wide(-32769, 64, Mode::w, Swizzle::swizzle_64b),
                HasSubstr("pixelBoxLowerCornerWidth is -32769, not -32768 to 32767"));
    EXPECT_THAT(wide(-1, 1025, Mode::w, Swizzle::swizzle_64b), HasSubstr("pixelsPerColumn is 1025"));
    EXPECT_THAT(wide(-1, 1025, Mode::w128, Swizzle::swizzle_64b), Not(HasSubstr("pixelsPerColumn")));
}
#endif

}  // namespace
}  // namespace cuprum::core
