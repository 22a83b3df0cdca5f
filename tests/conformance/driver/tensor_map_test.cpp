// Tensor maps: what is encoded, and what is refused. What kernels move by them: the instructions cp.async.bulk.tensor.
// On a GPU these need one of compute capability 9.0 or later.
#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

// What a C program may pass as an enumeration, which there is not.
template <typename Enumeration>
Enumeration out_of_range(int value) {
    static_assert(sizeof(Enumeration) == sizeof value);
    Enumeration result{};
    std::memcpy(&result, &value, sizeof value);
    return result;
}

// What a map is encoded from. The defaults: 64 x 32 floats, moved in boxes of 16 x 8.
struct Tiled {
    CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    cuuint32_t rank = 2;
    uint64_t address = 0;
    std::vector<cuuint64_t> sizes{64, 32, 2, 1, 1};
    std::vector<cuuint64_t> strides{256, 8192, 16384, 16384};
    std::vector<cuuint32_t> box{16, 8, 1, 1, 1};
    std::vector<cuuint32_t> steps{1, 1, 1, 1, 1};
    CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
    CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
    CUtensorMapL2promotion promotion = CU_TENSOR_MAP_L2_PROMOTION_NONE;
    CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
};

struct Columns : Tiled {
    Columns() {
        rank = 4;
        sizes = {16, 32, 32, 2, 1};
        strides = {64, 2048, 65536, 65536};
    }
    std::vector<int> lower{-1, -1, 0};
    std::vector<int> upper{-1, -1, 0};
    cuuint32_t channels = 16;
    cuuint32_t pixels = 64;
};

class TensorMapTest : public DriverTest {
protected:
    static bool in_its_process() { return in_process_of_its_own({"CUPRUM_SIM=cc=9.0"}); }
    void SetUp() override {
        DriverTest::SetUp();
        int supported = 0;
        CUdevice ordinal = 0;
        ASSERT_OK(cu().cuCtxGetDevice(&ordinal));
        ASSERT_OK(cu().cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, ordinal));
        if (supported == 0 && !cu().simulated) GTEST_SKIP() << "the GPU has no tensor maps";
        memory = allocate(1 << 20);
    }

    CUresult encode(const Tiled& map) {
        return cu().cuTensorMapEncodeTiled(&result, map.type, map.rank, reinterpret_cast<void*>(memory + map.address),
                                           map.sizes.data(), map.strides.data(), map.box.data(), map.steps.data(),
                                           map.interleave, map.swizzle, map.promotion, map.fill);
    }
    CUresult encode(const Columns& map) {
        return cu().cuTensorMapEncodeIm2col(&result, map.type, map.rank, reinterpret_cast<void*>(memory + map.address),
                                            map.sizes.data(), map.strides.data(), map.lower.data(), map.upper.data(),
                                            map.channels, map.pixels, map.steps.data(), map.interleave, map.swizzle,
                                            map.promotion, map.fill);
    }

    CUdeviceptr memory = 0;
    CUtensorMap result{};
};

TEST_F(TensorMapTest, EqualDescriptionsMakeEqualMaps) {
    if (!in_its_process()) return;
    ASSERT_OK(encode(Tiled{}));
    const CUtensorMap first = result;
    result = {};
    ASSERT_OK(encode(Tiled{}));
    EXPECT_EQ(std::memcmp(&first, &result, sizeof result), 0);
    Tiled other;
    other.box[1] = 4;
    ASSERT_OK(encode(other));
    EXPECT_NE(std::memcmp(&first, &result, sizeof result), 0);
}

TEST_F(TensorMapTest, AReplacedAddressIsTheOnlyDifference) {
    if (!in_its_process()) return;
    Tiled moved;
    moved.address = 4096;
    ASSERT_OK(encode(moved));
    const CUtensorMap expected = result;
    ASSERT_OK(encode(Tiled{}));
    ASSERT_OK(cu().cuTensorMapReplaceAddress(&result, reinterpret_cast<void*>(memory + 4096)));
    EXPECT_EQ(std::memcmp(&expected, &result, sizeof result), 0);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
              cu().cuTensorMapReplaceAddress(&result, reinterpret_cast<void*>(memory + 4097)));
    EXPECT_EQ(std::memcmp(&expected, &result, sizeof result), 0) << "a failed call changed the map";
}

TEST_F(TensorMapTest, AllRanksTypesAndPatternsAreEncoded) {
    if (!in_its_process()) return;
    for (const cuuint32_t rank : {1u, 2u, 3u, 4u, 5u}) {
        Tiled map;
        map.rank = rank;
        EXPECT_OK(encode(map)) << rank;
    }
    for (int type = CU_TENSOR_MAP_DATA_TYPE_UINT8; type <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ; ++type) {
        Tiled map;
        map.type = static_cast<CUtensorMapDataType>(type);
        EXPECT_OK(encode(map)) << type;
    }
    for (int swizzle = CU_TENSOR_MAP_SWIZZLE_NONE; swizzle <= CU_TENSOR_MAP_SWIZZLE_128B; ++swizzle) {
        Tiled map;
        map.swizzle = static_cast<CUtensorMapSwizzle>(swizzle);
        map.box[0] = 8;
        EXPECT_OK(encode(map)) << swizzle;
    }
    Tiled interleaved;
    interleaved.rank = 3;
    interleaved.interleave = CU_TENSOR_MAP_INTERLEAVE_32B;
    interleaved.swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
    interleaved.box[0] = 8;
    EXPECT_OK(encode(interleaved));
}

TEST_F(TensorMapTest, WhatTheDocumentationForbidsIsRefused) {
    if (!in_its_process()) return;
    const std::vector<std::pair<const char*, std::function<void(Tiled&)>>> mistakes{
        {"no dimension", [](Tiled& map) { map.rank = 0; }},
        {"six dimensions", [](Tiled& map) { map.rank = 6; }},
        {"a type that there is not", [](Tiled& map) { map.type = out_of_range<CUtensorMapDataType>(99); }},
        {"a misaligned address", [](Tiled& map) { map.address = 8; }},
        {"an empty dimension", [](Tiled& map) { map.sizes[1] = 0; }},
        {"a dimension above 2^32", [](Tiled& map) { map.sizes[1] = (1ull << 32) + 1; }},
        {"a misaligned stride", [](Tiled& map) { map.strides[0] = 264; }},
        {"a stride of 2^40", [](Tiled& map) { map.strides[0] = 1ull << 40; }},
        {"an empty box", [](Tiled& map) { map.box[1] = 0; }},
        {"a box of 257", [](Tiled& map) { map.box[1] = 257; }},
        {"a row of a box of 12 bytes", [](Tiled& map) { map.box[0] = 3; }},
        {"a step of 0", [](Tiled& map) { map.steps[1] = 0; }},
        {"a step of 9", [](Tiled& map) { map.steps[1] = 9; }},
        {"interleaving in two dimensions", [](Tiled& map) { map.interleave = CU_TENSOR_MAP_INTERLEAVE_16B; }},
        {"a row of 64 bytes in a pattern of 32", [](Tiled& map) { map.swizzle = CU_TENSOR_MAP_SWIZZLE_32B; }},
        {"a pattern that there is not", [](Tiled& map) { map.swizzle = out_of_range<CUtensorMapSwizzle>(20); }},
        {"a NaN in integers",
         [](Tiled& map) {
             map.type = CU_TENSOR_MAP_DATA_TYPE_INT32;
             map.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
         }},
        {"interleave 32B without its swizzle",
         [](Tiled& map) {
             map.rank = 3;
             map.interleave = CU_TENSOR_MAP_INTERLEAVE_32B;
         }},
    };
    for (const auto& [what, make] : mistakes) {
        // An H200's driver (580) takes what cuda.h forbids.
        if (!cu().simulated && std::string_view(what).starts_with("interleave")) continue;
        Tiled map;
        make(map);
        result = {};
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, encode(map)) << what;
        // An H200's driver (580) leaves some words of what it was about to encode.
        if (!cu().simulated) continue;
        EXPECT_EQ(std::count(std::begin(result.opaque), std::end(result.opaque), 0u), CU_TENSOR_MAP_NUM_QWORDS) << what;
    }
}

// H200: a tensor of one dimension has no strides, and its map needs a place for them all the same.
TEST_F(TensorMapTest, StridesAreGivenForOneDimensionToo) {
    if (!in_its_process()) return;
    const Tiled map;
    const auto one_dimension = [&](const cuuint64_t* strides) {
        return cu().cuTensorMapEncodeTiled(&result, map.type, 1, reinterpret_cast<void*>(memory), map.sizes.data(),
                                           strides, map.box.data(), map.steps.data(), map.interleave, map.swizzle,
                                           map.promotion, map.fill);
    };
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, one_dimension(nullptr));
    EXPECT_OK(one_dimension(map.strides.data()));
}

TEST_F(TensorMapTest, ColumnsOfPixelsAreEncodedAndChecked) {
    if (!in_its_process()) return;
    EXPECT_OK(encode(Columns{}));
    const std::vector<std::pair<const char*, std::function<void(Columns&)>>> mistakes{
        {"two dimensions", [](Columns& map) { map.rank = 2; }},
        {"a corner of four dimensions beyond 127", [](Columns& map) { map.upper[0] = 128; }},
        {"a corner of five dimensions beyond 15",
         [](Columns& map) {
             map.rank = 5;
             map.lower[2] = -17;
         }},
        {"an empty box of pixels", [](Columns& map) { map.upper[1] = -33; }},
        {"257 channels", [](Columns& map) { map.channels = 257; }},
        {"1025 pixels", [](Columns& map) { map.pixels = 1025; }},
        {"channels wider than the pattern", [](Columns& map) { map.swizzle = CU_TENSOR_MAP_SWIZZLE_32B; }},
    };
    for (const auto& [what, make] : mistakes) {
        Columns map;
        make(map);
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, encode(map)) << what;
    }
}

// H200: compute capability 9.0 has no wide modes.
TEST_F(TensorMapTest, WideColumnsNeedAPatternThatTheyHave) {
    if (!in_process_of_its_own({"CUPRUM_SIM=cc=10.0"}) || !cu().simulated) return;
    const Columns map;
    const auto wide = [&](CUtensorMapSwizzle swizzle, int corner) {
        return cu().cuTensorMapEncodeIm2colWide(&result, map.type, map.rank, reinterpret_cast<void*>(memory),
                                                map.sizes.data(), map.strides.data(), -1, corner, map.channels,
                                                map.pixels, map.steps.data(), map.interleave,
                                                CU_TENSOR_MAP_IM2COL_WIDE_MODE_W, swizzle, map.promotion, map.fill);
    };
    EXPECT_OK(wide(CU_TENSOR_MAP_SWIZZLE_64B, -1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, wide(CU_TENSOR_MAP_SWIZZLE_NONE, -1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, wide(CU_TENSOR_MAP_SWIZZLE_64B, 1 << 20));
}

TEST_F(TensorMapTest, PlacesThatHoldNoMapAreRefused) {
    if (!in_its_process() || !cu().simulated) return;
    alignas(128) std::byte place[2 * sizeof(CUtensorMap)]{};
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuTensorMapReplaceAddress(nullptr, nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
              cu().cuTensorMapReplaceAddress(reinterpret_cast<CUtensorMap*>(place), reinterpret_cast<void*>(memory)));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuTensorMapReplaceAddress(reinterpret_cast<CUtensorMap*>(place + 8),
                                                                       reinterpret_cast<void*>(memory)));
}

TEST_F(TensorMapTest, ADeviceWithoutTensorMapsSaysSo) {
    if (!in_process_of_its_own({"CUPRUM_SIM=cc=8.0"}) || !cu().simulated) return;
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, encode(Tiled{}));
}

}  // namespace
}  // namespace cuprum::test
