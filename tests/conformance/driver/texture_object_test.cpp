// Mipmapped arrays, texture objects and surface objects: what they are made from, what they say of themselves, and what
// is refused. What kernels read through them: tests/conformance/execution.
#include <bit>
#include <functional>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

constexpr auto element = CU_AD_FORMAT_FLOAT;

class TextureObjectTest : public DriverTest {
protected:
    void SetUp() override {
        DriverTest::SetUp();
        const CUDA_ARRAY3D_DESCRIPTOR shape{16, 8, 0, element, 1, CUDA_ARRAY3D_SURFACE_LDST};
        ASSERT_OK(cu().cuArray3DCreate(&array, &shape));
        resource.resType = CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = array;
        for (CUaddress_mode& mode : reading.addressMode)
            mode = CU_TR_ADDRESS_MODE_CLAMP;
    }
    void TearDown() override {
        if (array != nullptr) {
            EXPECT_OK(cu().cuArrayDestroy(array));
        }
        DriverTest::TearDown();
    }

    CUDA_RESOURCE_DESC linear(CUdeviceptr memory, size_t bytes) const {
        CUDA_RESOURCE_DESC description{};
        description.resType = CU_RESOURCE_TYPE_LINEAR;
        description.res.linear.devPtr = memory;
        description.res.linear.format = element;
        description.res.linear.numChannels = 1;
        description.res.linear.sizeInBytes = bytes;
        return description;
    }
    CUDA_RESOURCE_DESC pitched(CUdeviceptr memory) const {
        CUDA_RESOURCE_DESC description{};
        description.resType = CU_RESOURCE_TYPE_PITCH2D;
        description.res.pitch2D.devPtr = memory;
        description.res.pitch2D.format = element;
        description.res.pitch2D.numChannels = 1;
        description.res.pitch2D.width = 16;
        description.res.pitch2D.height = 4;
        description.res.pitch2D.pitchInBytes = 64;
        return description;
    }

    CUarray array = nullptr;
    CUDA_RESOURCE_DESC resource{};
    CUDA_TEXTURE_DESC reading{};
};

TEST_F(TextureObjectTest, SaysWhatItWasMadeFrom) {
    reading.filterMode = CU_TR_FILTER_MODE_LINEAR;
    reading.flags = CU_TRSF_NORMALIZED_COORDINATES;
    reading.borderColor[2] = 0.25f;
    CUDA_RESOURCE_VIEW_DESC view{};
    view.format = CU_RES_VIEW_FORMAT_FLOAT_1X32;
    view.width = 16;
    view.height = 8;
    CUtexObject texture = 0;
    ASSERT_OK(cu().cuTexObjectCreate(&texture, &resource, &reading, &view));
    CUDA_RESOURCE_DESC found_resource{};
    CUDA_TEXTURE_DESC found_reading{};
    CUDA_RESOURCE_VIEW_DESC found_view{};
    EXPECT_OK(cu().cuTexObjectGetResourceDesc(&found_resource, texture));
    EXPECT_OK(cu().cuTexObjectGetTextureDesc(&found_reading, texture));
    EXPECT_OK(cu().cuTexObjectGetResourceViewDesc(&found_view, texture));
    EXPECT_EQ(found_resource.res.array.hArray, array);
    EXPECT_EQ(found_reading.filterMode, CU_TR_FILTER_MODE_LINEAR);
    EXPECT_EQ(found_reading.flags, static_cast<unsigned int>(CU_TRSF_NORMALIZED_COORDINATES));
    // An H200 forgets a colour that it does not need.
    if (cu().simulated) {
        EXPECT_EQ(found_reading.borderColor[2], 0.25f);
    }
    EXPECT_EQ(found_view.width, 16u);
    EXPECT_OK(cu().cuTexObjectDestroy(texture));
    EXPECT_NE(cu().cuTexObjectGetTextureDesc(&found_reading, texture), CUDA_SUCCESS);
}

TEST_F(TextureObjectTest, ASurfaceSaysWhatItWasMadeFrom) {
    CUsurfObject surface = 0;
    ASSERT_OK(cu().cuSurfObjectCreate(&surface, &resource));
    CUDA_RESOURCE_DESC found{};
    EXPECT_OK(cu().cuSurfObjectGetResourceDesc(&found, surface));
    EXPECT_EQ(found.res.array.hArray, array);
    EXPECT_OK(cu().cuSurfObjectDestroy(surface));
    EXPECT_NE(cu().cuSurfObjectGetResourceDesc(&found, surface), CUDA_SUCCESS);
}

TEST_F(TextureObjectTest, MemoryCanBeRead) {
    const CUdeviceptr memory = allocate(4096);
    for (const CUDA_RESOURCE_DESC& description : {linear(memory, 4096), pitched(memory)}) {
        CUtexObject texture = 0;
        EXPECT_OK(cu().cuTexObjectCreate(&texture, &description, &reading, nullptr));
        EXPECT_OK(cu().cuTexObjectDestroy(texture));
    }
}

TEST_F(TextureObjectTest, LevelsOfMipmapsHalve) {
    const CUDA_ARRAY3D_DESCRIPTOR shape{20, 6, 0, element, 2, 0};
    CUmipmappedArray mipmaps = nullptr;
    ASSERT_OK(cu().cuMipmappedArrayCreate(&mipmaps, &shape, 5));
    const std::vector<std::pair<size_t, size_t>> sizes = {{20, 6}, {10, 3}, {5, 1}, {2, 1}, {1, 1}};
    for (unsigned int level = 0; level < sizes.size(); ++level) {
        CUarray part = nullptr;
        CUDA_ARRAY3D_DESCRIPTOR found{};
        ASSERT_OK(cu().cuMipmappedArrayGetLevel(&part, mipmaps, level));
        ASSERT_OK(cu().cuArray3DGetDescriptor(&found, part));
        EXPECT_EQ(std::pair(found.Width, found.Height), sizes[level]) << level;
        EXPECT_EQ(found.NumChannels, 2u);
        EXPECT_EQ(found.Depth, 0u);
    }
    CUarray part = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMipmappedArrayGetLevel(&part, mipmaps, 5));
    EXPECT_OK(cu().cuMipmappedArrayDestroy(mipmaps));
    if (cu().simulated) {
        EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuMipmappedArrayDestroy(mipmaps));
    }
}

TEST_F(TextureObjectTest, LayersStayAsManyOnEveryLevelAndVolumesShrink) {
    for (const auto& [flags, depth] :
         {std::pair(unsigned(CUDA_ARRAY3D_LAYERED), size_t{4}), std::pair(0u, size_t{2})}) {
        const CUDA_ARRAY3D_DESCRIPTOR shape{8, 8, 4, element, 1, flags};
        CUmipmappedArray mipmaps = nullptr;
        ASSERT_OK(cu().cuMipmappedArrayCreate(&mipmaps, &shape, 2));
        CUarray part = nullptr;
        CUDA_ARRAY3D_DESCRIPTOR found{};
        ASSERT_OK(cu().cuMipmappedArrayGetLevel(&part, mipmaps, 1));
        ASSERT_OK(cu().cuArray3DGetDescriptor(&found, part));
        EXPECT_EQ(found.Depth, depth);
        EXPECT_OK(cu().cuMipmappedArrayDestroy(mipmaps));
    }
}

// What is wrong, and how each is told apart from what is right: everything else of the call is in order.
TEST_F(TextureObjectTest, ArraysThatThereAreNot) {
    struct Mistake {
        const char* what;
        CUDA_ARRAY3D_DESCRIPTOR shape;
    };
    const Mistake mistakes[] = {
        {"no width", {0, 8, 0, element, 1, 0}},
        {"a depth without a height", {8, 0, 8, element, 1, 0}},
        {"three channels", {8, 8, 0, element, 3, 0}},
        {"no channels", {8, 8, 0, element, 0, 0}},
        {"five channels", {8, 8, 0, element, 5, 0}},
        {"an unknown format", {8, 8, 0, std::bit_cast<CUarray_format>(0x7777), 1, 0}},
        {"no layers", {8, 8, 0, element, 1, CUDA_ARRAY3D_LAYERED}},
        {"a cube of five faces", {8, 8, 5, element, 1, CUDA_ARRAY3D_CUBEMAP}},
        {"a cube with edges of two lengths", {8, 4, 6, element, 1, CUDA_ARRAY3D_CUBEMAP}},
        {"half a cube more", {8, 8, 9, element, 1, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED}},
        {"gathering in three dimensions", {8, 8, 8, element, 1, CUDA_ARRAY3D_TEXTURE_GATHER}},
        {"gathering in one dimension", {8, 0, 0, element, 1, CUDA_ARRAY3D_TEXTURE_GATHER}},
        {"too wide", {size_t{1} << 20, 0, 0, element, 1, 0}},
        {"too high", {8, size_t{1} << 20, 0, element, 1, 0}},
        {"too deep", {8, 8, size_t{1} << 20, element, 1, 0}},
        {"too many layers", {8, 8, 5000, element, 1, CUDA_ARRAY3D_LAYERED}},
    };
    for (const Mistake& mistake : mistakes) {
        CUarray made = nullptr;
        CUmipmappedArray mipmaps = nullptr;
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuArray3DCreate(&made, &mistake.shape)) << mistake.what;
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMipmappedArrayCreate(&mipmaps, &mistake.shape, 1)) << mistake.what;
    }
    const CUDA_ARRAY3D_DESCRIPTOR good{8, 8, 0, element, 1, 0};
    CUmipmappedArray mipmaps = nullptr;
    CUarray made = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuArray3DCreate(nullptr, &good));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuArray3DCreate(&made, nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMipmappedArrayCreate(nullptr, &good, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMipmappedArrayCreate(&mipmaps, nullptr, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuArrayDestroy(nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuMipmappedArrayDestroy(nullptr));
}

TEST_F(TextureObjectTest, TexturesThatThereAreNot) {
    const CUdeviceptr memory = allocate(4096);
    struct Mistake {
        const char* what;
        std::function<void(CUDA_RESOURCE_DESC&, CUDA_TEXTURE_DESC&)> make;
    };
    const Mistake mistakes[] = {
        {"an unknown resource", [](auto& r, auto&) { r.resType = std::bit_cast<CUresourcetype>(9); }},
        {"flags of the resource", [](auto& r, auto&) { r.flags = 1; }},
        {"an unknown address mode", [](auto&, auto& t) { t.addressMode[0] = std::bit_cast<CUaddress_mode>(4); }},
        {"an unknown filter", [](auto&, auto& t) { t.filterMode = std::bit_cast<CUfilter_mode>(2); }},
        {"an unknown filter of levels", [](auto&, auto& t) { t.mipmapFilterMode = std::bit_cast<CUfilter_mode>(2); }},
        {"memory that is not there", [&](auto& r, auto&) { r = linear(0x1000, 64); }},
        {"memory at an odd address", [&](auto& r, auto&) { r = linear(memory + 4, 64); }},
        {"memory past the end", [&](auto& r, auto&) { r = linear(memory, 1 << 30); }},
        {"no memory", [&](auto& r, auto&) { r = linear(memory, 0); }},
        {"memory with three channels",
         [&](auto& r, auto&) {
             r = linear(memory, 64);
             r.res.linear.numChannels = 3;
         }},
        {"memory of an unknown format",
         [&](auto& r, auto&) {
             r = linear(memory, 64);
             r.res.linear.format = std::bit_cast<CUarray_format>(0x7777);
         }},
        {"no rows",
         [&](auto& r, auto&) {
             r = pitched(memory);
             r.res.pitch2D.height = 0;
         }},
        {"no columns",
         [&](auto& r, auto&) {
             r = pitched(memory);
             r.res.pitch2D.width = 0;
         }},
        {"rows that overlap",
         [&](auto& r, auto&) {
             r = pitched(memory);
             r.res.pitch2D.pitchInBytes = 32;
         }},
        {"an odd pitch",
         [&](auto& r, auto&) {
             r = pitched(memory);
             r.res.pitch2D.pitchInBytes = 68;
         }},
        {"rows past the end",
         [&](auto& r, auto&) {
             r = pitched(memory);
             r.res.pitch2D.height = 60000;
         }},
        {"too many rows",
         [&](auto& r, auto&) {
             r = pitched(memory);
             r.res.pitch2D.height = 1 << 20;
         }},
    };
    for (const Mistake& mistake : mistakes) {
        CUDA_RESOURCE_DESC wrong = resource;
        CUDA_TEXTURE_DESC how = reading;
        mistake.make(wrong, how);
        CUtexObject texture = 0;
        // An H200's driver (580) takes some of these.
        const CUresult result = cu().cuTexObjectCreate(&texture, &wrong, &how, nullptr);
        if (cu().simulated) {
            EXPECT_CU(CUDA_ERROR_INVALID_VALUE, result) << mistake.what;
        } else if (result == CUDA_SUCCESS) {
            EXPECT_OK(cu().cuTexObjectDestroy(texture)) << mistake.what;
        }
    }
    CUtexObject texture = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuTexObjectCreate(nullptr, &resource, &reading, nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuTexObjectCreate(&texture, nullptr, &reading, nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuTexObjectCreate(&texture, &resource, nullptr, nullptr));
    CUDA_RESOURCE_DESC nothing = resource;
    nothing.res.array.hArray = nullptr;
    EXPECT_NE(cu().cuTexObjectCreate(&texture, &nothing, &reading, nullptr), CUDA_SUCCESS);
}

TEST_F(TextureObjectTest, ViewsThatThereAreNot) {
    struct Mistake {
        const char* what;
        std::function<void(CUDA_RESOURCE_VIEW_DESC&)> make;
    };
    const Mistake mistakes[] = {
        {"another size of elements", [](auto& v) { v.format = CU_RES_VIEW_FORMAT_UINT_1X8; }},
        {"an unknown format", [](auto& v) { v.format = std::bit_cast<CUresourceViewFormat>(0x99); }},
        {"no format", [](auto& v) { v.format = CU_RES_VIEW_FORMAT_NONE; }},
        {"another width", [](auto& v) { v.width = 4; }},
        {"another height", [](auto& v) { v.height = 4; }},
        {"a depth", [](auto& v) { v.depth = 1; }},
        {"a level that is not there", [](auto& v) { v.lastMipmapLevel = 3; }},
        {"levels backwards", [](auto& v) { v.firstMipmapLevel = 1; }},
    };
    for (const Mistake& mistake : mistakes) {
        CUDA_RESOURCE_VIEW_DESC view{};
        view.format = CU_RES_VIEW_FORMAT_FLOAT_1X32;
        view.width = 16;
        view.height = 8;
        mistake.make(view);
        CUtexObject texture = 0;
        EXPECT_NE(cu().cuTexObjectCreate(&texture, &resource, &reading, &view), CUDA_SUCCESS) << mistake.what;
    }
    CUtexObject texture = 0;
    ASSERT_OK(cu().cuTexObjectCreate(&texture, &resource, &reading, nullptr));
    CUDA_RESOURCE_VIEW_DESC view{};
    if (cu().simulated) {
        EXPECT_NE(cu().cuTexObjectGetResourceViewDesc(&view, texture), CUDA_SUCCESS);
    }
    EXPECT_OK(cu().cuTexObjectDestroy(texture));
}

TEST_F(TextureObjectTest, IntegersAreNotFiltered) {
    const CUDA_ARRAY_DESCRIPTOR shape{8, 8, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    CUarray bytes = nullptr;
    ASSERT_OK(cu().cuArrayCreate(&bytes, &shape));
    resource.res.array.hArray = bytes;
    reading.filterMode = CU_TR_FILTER_MODE_LINEAR;
    CUtexObject texture = 0;
    EXPECT_OK(cu().cuTexObjectCreate(&texture, &resource, &reading, nullptr));
    EXPECT_OK(cu().cuTexObjectDestroy(texture));
    reading.flags = CU_TRSF_READ_AS_INTEGER;
    if (cu().simulated) {
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuTexObjectCreate(&texture, &resource, &reading, nullptr));
    }
    EXPECT_OK(cu().cuArrayDestroy(bytes));
}

TEST_F(TextureObjectTest, SurfacesThatThereAreNot) {
    if (!cu().simulated) GTEST_SKIP() << "a GPU's driver takes them, or ends the process (580)";
    const CUDA_ARRAY_DESCRIPTOR shape{8, 8, element, 1};
    CUarray plain = nullptr;
    ASSERT_OK(cu().cuArrayCreate(&plain, &shape));
    CUsurfObject surface = 0;
    CUDA_RESOURCE_DESC wrong = resource;
    wrong.res.array.hArray = plain;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuSurfObjectCreate(&surface, &wrong)) << "not made for surfaces";
    wrong = linear(allocate(64), 64);
    EXPECT_NE(cu().cuSurfObjectCreate(&surface, &wrong), CUDA_SUCCESS) << "memory";
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuSurfObjectCreate(nullptr, &resource));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuSurfObjectCreate(&surface, nullptr));
    EXPECT_OK(cu().cuArrayDestroy(plain));
}

// Kinds of handles are told apart, and what was destroyed is known; a GPU's driver need not notice.
TEST_F(TextureObjectTest, HandlesOfOtherThings) {
    if (!cu().simulated) GTEST_SKIP() << "only the simulator knows all handles";
    CUtexObject texture = 0;
    CUsurfObject surface = 0;
    ASSERT_OK(cu().cuTexObjectCreate(&texture, &resource, &reading, nullptr));
    ASSERT_OK(cu().cuSurfObjectCreate(&surface, &resource));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuTexObjectDestroy(surface));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuSurfObjectDestroy(texture));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuTexObjectDestroy(0));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuTexObjectDestroy(12345));
    EXPECT_OK(cu().cuTexObjectDestroy(texture));
    EXPECT_OK(cu().cuSurfObjectDestroy(surface));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuTexObjectDestroy(texture));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuSurfObjectDestroy(surface));
    CUmipmappedArray mipmaps = nullptr;
    CUarray level = nullptr;
    const CUDA_ARRAY3D_DESCRIPTOR shape{8, 8, 0, element, 1, 0};
    ASSERT_OK(cu().cuMipmappedArrayCreate(&mipmaps, &shape, 2));
    ASSERT_OK(cu().cuMipmappedArrayGetLevel(&level, mipmaps, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuArrayDestroy(level));
    EXPECT_OK(cu().cuMipmappedArrayDestroy(mipmaps));
    CUDA_ARRAY3D_DESCRIPTOR found{};
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuArray3DGetDescriptor(&found, level));
}

}  // namespace
}  // namespace cuprum::test
