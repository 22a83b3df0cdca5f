// Arrays, mipmapped arrays, texture and surface objects.
#include <numeric>
#include <optional>

#include "fixture.hpp"

namespace cuprum::core {
namespace {

const ObjectCode& image_kernels() {
    static const ObjectCode code = Program(R"cuda(
extern "C" __global__ void read(float* out, unsigned long long texture, int width, int height) {
    const int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height) out[y * width + x] = tex2D<float>(texture, x + 0.5f, y + 0.5f);
}
extern "C" __global__ void between(float* out, unsigned long long texture, float x, float y) {
    out[0] = tex2D<float>(texture, x, y);
}
extern "C" __global__ void fetch(float* out, unsigned long long texture) {
    out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}
extern "C" __global__ void level(float* out, unsigned long long texture, float detail) {
    out[0] = tex2DLod<float>(texture, 0.5f, 0.5f, detail);
}
extern "C" __global__ void write(unsigned long long surface, int width) {
    surf2Dwrite((float)(100 * blockIdx.x + threadIdx.x), surface, 4 * threadIdx.x, blockIdx.x);
}
)cuda")
                                       .compile();
    return code;
}

class Images : public testing::Test {
protected:
    std::vector<float> read(const TextureObject& texture, int width, int height) {
        const Buffer out = device.allocate(sizeof(float) * static_cast<size_t>(width * height));
        launch(stream, LaunchConfig{static_cast<uint32_t>(height), static_cast<uint32_t>(width)},
               image_kernels().get_kernel("read"), out, texture, width, height);
        stream.sync();
        return test::values_of<float>(out);
    }
    template <class... Arguments>
    float one(const char* kernel, const Arguments&... arguments) {
        const Buffer out = device.allocate(sizeof(float));
        launch(stream, LaunchConfig{1, 1}, image_kernels().get_kernel(kernel), out, arguments...);
        stream.sync();
        return test::values_of<float>(out)[0];
    }
    OpaqueArray array(const std::vector<float>& values, ArrayShape shape, bool for_surfaces = false) {
        const OpaqueArray made = device.create_opaque_array({.shape = shape, .is_surface_load_store = for_surfaces});
        made.copy_from_host(values.data(), sizeof(float) * values.size(), stream);
        return made;
    }

    Device device{0};
    Stream stream = device.create_stream();
};

TEST_F(Images, AnArrayKnowsItsShape) {
    const OpaqueArray array = device.create_opaque_array(
        {.shape = {6, 4, 2}, .format = ArrayFormat::uint16, .num_channels = 4, .is_surface_load_store = true});
    EXPECT_EQ(array.shape(), (ArrayShape{6, 4, 2}));
    EXPECT_EQ(array.format(), ArrayFormat::uint16);
    EXPECT_EQ(array.num_channels(), 4);
    EXPECT_EQ(array.element_bytes(), 8u);
    EXPECT_EQ(array.size_bytes(), 6u * 4 * 2 * 8);
    EXPECT_TRUE(array.is_surface_load_store());
    EXPECT_EQ(array.device(), device);
    EXPECT_NE(array.handle(), nullptr);
}

TEST_F(Images, ElementsGoInAndOutByHostMemoryAndBuffers) {
    for (const ArrayShape shape : {ArrayShape{24}, ArrayShape{6, 4}, ArrayShape{3, 4, 2}}) {
        std::vector<float> values(24), found(24);
        std::iota(values.begin(), values.end(), 1.0f);
        const OpaqueArray first = array(values, shape);
        const OpaqueArray second = device.create_opaque_array({.shape = shape});
        const Buffer between = device.allocate(first.size_bytes());
        first.copy_to(between, stream);
        second.copy_from(between, stream);
        second.copy_to_host(found.data(), 96, stream);
        stream.sync();
        EXPECT_EQ(found, values);
        EXPECT_EQ(test::values_of<float>(between), values);
    }
}

TEST_F(Images, ATextureReadsAnArray) {
    const std::vector<float> values = {1, 2, 3, 4, 5, 6};
    const TextureObject texture = device.create_texture_object(
        ResourceDescriptor::from_opaque_array(array(values, {3, 2})), {.filter_mode = FilterMode::linear});
    EXPECT_EQ(read(texture, 3, 2), values);
    EXPECT_EQ(one("between", texture, 1.0f, 1.0f), 3.0f);  // the mean of 1, 2, 4, 5
    EXPECT_EQ(texture.options().filter_mode, FilterMode::linear);
    EXPECT_EQ(texture.resource().opaque_array().shape(), (ArrayShape{3, 2}));
}

TEST_F(Images, OutsideIsWhatTheAddressModeSays) {
    const ResourceDescriptor resource = ResourceDescriptor::from_opaque_array(array({1, 2, 3, 4}, {2, 2}));
    const auto at = [&](AddressMode mode, bool normalized, float x) {
        TextureObjectOptions options{.address_mode = {mode, mode, mode}, .normalized_coords = normalized};
        options.border_color = {9, 0, 0, 0};
        return one("between", device.create_texture_object(resource, options), x, normalized ? 0.25f : 0.5f);
    };
    EXPECT_EQ(at(AddressMode::clamp, false, 7), 2);
    EXPECT_EQ(at(AddressMode::border, false, 7), 9);
    EXPECT_EQ(at(AddressMode::wrap, true, 1.25f), 1);
    EXPECT_EQ(at(AddressMode::mirror, true, 1.25f), 2);
}

TEST_F(Images, ATextureReadsABuffer) {
    const Buffer memory = test::buffer_of(device, std::vector<float>(256, 0));
    std::vector<float> values(256);
    std::iota(values.begin(), values.end(), 0.0f);
    memory.copy_from_host(values);
    const TextureObject linear =
        device.create_texture_object(ResourceDescriptor::from_linear(memory, ArrayFormat::float32, 1, 16));
    const Buffer out = device.allocate(24);
    launch(stream, LaunchConfig{1, 6}, image_kernels().get_kernel("fetch"), out, linear);
    stream.sync();
    EXPECT_EQ(test::values_of<float>(out), (std::vector<float>{0, 1, 2, 3, 0, 0}));
    const TextureObject rows =
        device.create_texture_object(ResourceDescriptor::from_pitch2d(memory, ArrayFormat::float32, 1, 3, 2, 512));
    EXPECT_EQ(read(rows, 3, 2), (std::vector<float>{0, 1, 2, 128, 129, 130}));
}

TEST_F(Images, LevelsAreArraysThatKeepTheWhole) {
    std::optional<MipmappedArray> pyramid = device.create_mipmapped_array({.shape = {4, 4}, .num_levels = 3});
    EXPECT_EQ(pyramid->num_levels(), 3);
    EXPECT_EQ(pyramid->shape(), (ArrayShape{4, 4}));
    for (int32_t level = 0; level < 3; ++level) {
        const OpaqueArray part = pyramid->get_level(level);
        const uint64_t size = 4u >> level;
        EXPECT_EQ(part.shape(), (ArrayShape{size, size}));
        const std::vector<float> values(size * size, static_cast<float>(10 * level));
        part.copy_from_host(values.data(), part.size_bytes(), stream);
    }
    const TextureObject texture = device.create_texture_object(
        ResourceDescriptor::from_mipmapped_array(*pyramid),
        {.normalized_coords = true, .mipmap_filter_mode = FilterMode::linear, .max_mipmap_level_clamp = 2});
    EXPECT_EQ(one("level", texture, 1.0f), 10);
    EXPECT_EQ(one("level", texture, 1.5f), 15);
    const OpaqueArray last = pyramid->get_level(2);
    pyramid->close();
    pyramid.reset();
    float value = -1;
    last.copy_to_host(&value, sizeof value, stream);
    stream.sync();
    EXPECT_EQ(value, 20);
    EXPECT_EQ(one("level", texture, 2.0f), 20);
}

TEST_F(Images, ASurfaceWritesWhatATextureReads) {
    OpaqueArray image = array(std::vector<float>(6, 0), {3, 2}, true);
    const SurfaceObject surface = device.create_surface_object(ResourceDescriptor::from_opaque_array(image));
    launch(stream, LaunchConfig{2, 3}, image_kernels().get_kernel("write"), surface, 3);
    const TextureObject texture = device.create_texture_object(ResourceDescriptor::from_opaque_array(image));
    image.close();  // both keep it
    EXPECT_EQ(read(texture, 3, 2), (std::vector<float>{0, 1, 2, 100, 101, 102}));
}

TEST_F(Images, ClosedObjectsSaySo) {
    OpaqueArray image = array({1}, {1});
    const ResourceDescriptor resource = ResourceDescriptor::from_opaque_array(image);
    TextureObject texture = device.create_texture_object(resource);
    texture.close();
    texture.close();
    image.close();
    EXPECT_FALSE(image.is_valid());
    EXPECT_THROW(image.shape(), InvalidState);
    EXPECT_THROW(image.copy_from_host(&image, 4, stream), InvalidState);
    EXPECT_THROW(ResourceDescriptor::from_opaque_array(image), InvalidState);
    EXPECT_THROW(texture.handle(), InvalidState);
    EXPECT_THROW(one("between", texture, 0.0f, 0.0f), InvalidState);
    EXPECT_THROW(SurfaceObject().handle(), InvalidState);
    EXPECT_THROW(MipmappedArray().get_level(0), InvalidState);
    // The descriptor has kept the array.
    EXPECT_EQ(device.create_texture_object(resource).resource().opaque_array().size_bytes(), 4u);
}

TEST_F(Images, MistakesAreNamed) {
    const auto text = [](auto&& action) { return std::string(test::error_of<InvalidArgument>(action).what()); };
    using testing::HasSubstr;
    EXPECT_THAT(text([&] { device.create_opaque_array({}); }), HasSubstr("there is no array of 0 elements"));
    EXPECT_THAT(text([&] { device.create_opaque_array({.shape = {4, 0, 4}}); }), HasSubstr("4 x 0 x 4"));
    EXPECT_THAT(text([&] { device.create_opaque_array({.shape = {4}, .num_channels = 3}); }),
                HasSubstr("give 1, 2 or 4 channels"));
    EXPECT_THAT(text([&] { device.create_mipmapped_array({.shape = {8, 4}, .num_levels = 5}); }),
                HasSubstr("give 1 to 4 levels"));
    EXPECT_THROW(device.create_mipmapped_array({.shape = {UINT64_MAX, 4}, .num_levels = 2}), Error);
    const OpaqueArray plain = array({1, 2}, {2});
    float value = 0;
    EXPECT_THAT(text([&] { plain.copy_from_host(&value, 4, stream); }), HasSubstr("has 4 bytes, the array 8"));
    EXPECT_THAT(text([&] { plain.copy_to(device.allocate(4), stream); }), HasSubstr("has 4 bytes, the array 8"));
    EXPECT_THAT(text([&] { device.create_surface_object(ResourceDescriptor::from_opaque_array(plain)); }),
                HasSubstr("was not made for surfaces"));
    EXPECT_THAT(text([&] { device.create_texture_object(ResourceDescriptor()); }), HasSubstr("default-constructed"));
    const OpaqueArray integers = device.create_opaque_array({.shape = {2}, .format = ArrayFormat::uint8});
    EXPECT_THAT(text([&] {
                    device.create_texture_object(ResourceDescriptor::from_opaque_array(integers),
                                                 {.filter_mode = FilterMode::linear});
                }),
                HasSubstr("integers cannot be filtered linearly"));
    const Buffer memory = device.allocate(64);
    EXPECT_THAT(text([&] { ResourceDescriptor::from_linear(memory, ArrayFormat::float32, 1, 65); }),
                HasSubstr("no more than the buffer has"));
    EXPECT_THAT(text([&] { ResourceDescriptor::from_pitch2d(memory, ArrayFormat::float32, 1, 4, 9, 16); }),
                HasSubstr("a buffer that holds all rows"));
    EXPECT_THAT(text([&] { MipmappedArray(device, {.shape = {2}}).get_level(1); }), HasSubstr("has 1 level"));
    EXPECT_THROW(OpaqueArray::from_handle(nullptr, device), InvalidArgument);
}

TEST_F(Images, ABorrowedArrayIsNotDestroyed) {
    const OpaqueArray owner = array({1, 2}, {2});
    OpaqueArray::from_handle(owner.handle(), device).close();
    const OpaqueArray again = OpaqueArray::from_handle(owner.handle(), device);
    EXPECT_EQ(again.shape(), (ArrayShape{2}));
    EXPECT_EQ(again.format(), ArrayFormat::float32);
}

}  // namespace
}  // namespace cuprum::core
