// What kernels read and write through surface objects, and an image filter through both.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "image_fixture.hpp"

namespace cuprum::core {
namespace {

const char* const source = R"cuda(
typedef unsigned long long handle;
extern "C" __global__ void increment_plane(handle s, int width, int height) {
    const int x = threadIdx.x, y = blockIdx.x;
    if (x >= width || y >= height) return;
    const int value = surf2Dread<int>(s, 4 * x, y);
    surf2Dwrite(value + 100 * y + x, s, 4 * x, y);
}
extern "C" __global__ void every_width(handle s) {
    surf1Dwrite((unsigned char)0x11, s, 0);
    surf1Dwrite((unsigned short)0x3322, s, 2);
    surf1Dwrite(0x77665544, s, 4);
    surf1Dwrite(make_int2(1, 2), s, 8);
    surf1Dwrite(make_int4(3, 4, 5, 6), s, 16);
}
extern "C" __global__ void copy_widths(int* out, handle s) {
    out[0] = surf1Dread<unsigned char>(s, 0);
    out[1] = surf1Dread<unsigned short>(s, 2);
    out[2] = surf1Dread<int>(s, 4);
    const int2 two = surf1Dread<int2>(s, 8);
    const int4 four = surf1Dread<int4>(s, 16);
    out[3] = two.x; out[4] = two.y; out[5] = four.x; out[6] = four.y; out[7] = four.z; out[8] = four.w;
}
extern "C" __global__ void outside(int* out, handle s) {
    out[0] = surf2Dread<int>(s, -4, 0, cudaBoundaryModeClamp);
    out[1] = surf2Dread<int>(s, 4 * 9, 9, cudaBoundaryModeClamp);
    out[2] = surf2Dread<int>(s, 4 * 9, 0, cudaBoundaryModeZero);
    surf2Dwrite(7, s, 4 * 9, 0, cudaBoundaryModeZero);
    surf2Dwrite(8, s, 4 * 9, 0, cudaBoundaryModeClamp);
    out[3] = surf2Dread<int>(s, 4, 0);
}
extern "C" __global__ void layers(handle s) {
    surf2DLayeredwrite((int)(10 * blockIdx.x + threadIdx.x), s, 4 * threadIdx.x, 0, blockIdx.x);
}
extern "C" __global__ void faces(handle s) { surfCubemapwrite((int)blockIdx.x, s, 0, 0, blockIdx.x); }
extern "C" __global__ void volume(handle s) { surf3Dwrite((int)blockIdx.x, s, 4, 1, blockIdx.x); }
extern "C" __global__ void formatted(handle s, unsigned a, unsigned b) {
    asm volatile("sust.p.1d.v2.b32.trap [%0, {%1}], {%2, %3};" :: "l"(s), "r"(1), "r"(a), "r"(b) : "memory");
}
extern "C" __global__ void reduce(handle s) {
    const int i = threadIdx.x;
    asm volatile("sured.b.add.1d.u32.trap [%0, {0}], %1;" :: "l"(s), "r"(i) : "memory");
    asm volatile("sured.b.min.1d.s32.trap [%0, {4}], %1;" :: "l"(s), "r"(i - 5) : "memory");
    asm volatile("sured.b.max.1d.u32.trap [%0, {8}], %1;" :: "l"(s), "r"(i - 5) : "memory");
    asm volatile("sured.b.or.1d.b32.trap [%0, {12}], %1;" :: "l"(s), "r"(1 << i) : "memory");
    asm volatile("sured.b.add.1d.u64.trap [%0, {16}], %1;" :: "l"(s), "l"(1ull << 32) : "memory");
    asm volatile("sured.p.add.1d.b32.trap [%0, {6}], %1;" :: "l"(s), "r"(2) : "memory");
}
extern "C" __global__ void sizes(int* out, handle s) {
    asm("suq.width.b32 %0, [%1];" : "=r"(out[0]) : "l"(s));
    asm("suq.height.b32 %0, [%1];" : "=r"(out[1]) : "l"(s));
    asm("suq.depth.b32 %0, [%1];" : "=r"(out[2]) : "l"(s));
}
// A blur: each pixel the mean of 3 x 3, two texels at a time by filtering between them where possible.
extern "C" __global__ void blur(handle out, handle in, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) sum += tex2D<float>(in, x + dx + 0.5f, y + dy + 0.5f);
    surf2Dwrite(sum / 9, out, 4 * x, y);
}
)cuda";

class Surfaces : public Images {
protected:
    CUDA_ARRAY3D_DESCRIPTOR shape(size_t width, size_t height = 0, size_t depth = 0, unsigned int flags = 0,
                                  CUarray_format format = CU_AD_FORMAT_SIGNED_INT32, unsigned int channels = 1) {
        return {width, height, depth, format, channels, flags | CUDA_ARRAY3D_SURFACE_LDST};
    }
    const ObjectCode& object = code(source);
};

TEST_F(Surfaces, ElementsAreReadAndWritten) {
    std::vector<int> values(5 * 3);
    std::iota(values.begin(), values.end(), 1000);
    const CUarray image = array(shape(5, 3), values);
    run(object, "increment_plane", LaunchConfig{3, 32}, surface(image), 5, 3);
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 5; ++x)
            values[5 * static_cast<size_t>(y) + static_cast<size_t>(x)] += 100 * y + x;
    }
    EXPECT_EQ(content<int>(image, 15), values);
}

TEST_F(Surfaces, EveryWidthOfAccess) {
    const CUarray image = array(shape(8), std::vector<int>(8, 0));
    run(object, "every_width", LaunchConfig{1, 1}, surface(image));
    EXPECT_EQ(content<int>(image, 8), (std::vector<int>{0x33220011, 0x77665544, 1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(integers(object, "copy_widths", 9, LaunchConfig{1, 1}, surface(image)),
              (std::vector<int>{0x11, 0x3322, 0x77665544, 1, 2, 3, 4, 5, 6}));
}

TEST_F(Surfaces, OutsideAccessesAreClampedOrZero) {
    const CUarray image = array(shape(2, 2), std::vector<int>{1, 2, 3, 4});
    EXPECT_EQ(integers(object, "outside", 4, LaunchConfig{1, 1}, surface(image)), (std::vector<int>{1, 4, 0, 8}));
    EXPECT_EQ(content<int>(image, 4), (std::vector<int>{1, 8, 3, 4}));
}

TEST_F(Surfaces, LayersFacesAndVolumes) {
    const CUarray planes = array(shape(2, 1, 3, CUDA_ARRAY3D_LAYERED));
    run(object, "layers", LaunchConfig{3, 2}, surface(planes));
    EXPECT_EQ(content<int>(planes, 6), (std::vector<int>{0, 1, 10, 11, 20, 21}));
    const CUarray cube = array(shape(1, 1, 6, CUDA_ARRAY3D_CUBEMAP));
    run(object, "faces", LaunchConfig{6, 1}, surface(cube));
    EXPECT_EQ(content<int>(cube, 6), (std::vector<int>{0, 1, 2, 3, 4, 5}));
    const CUarray volume = array(shape(2, 2, 2), std::vector<int>(8, 9));
    run(object, "volume", LaunchConfig{2, 1}, surface(volume));
    EXPECT_EQ(content<int>(volume, 8), (std::vector<int>{9, 9, 9, 0, 9, 9, 9, 1}));
}

TEST_F(Surfaces, FormattedStoresConvert) {
    const CUarray bytes = array(shape(2, 0, 0, 0, CU_AD_FORMAT_UNSIGNED_INT8, 2), std::vector<unsigned char>(4, 0));
    run(object, "formatted", LaunchConfig{1, 1}, surface(bytes), 300u, 7u);
    EXPECT_EQ(content<unsigned char>(bytes, 4), (std::vector<unsigned char>{0, 0, 255, 7}));
    const CUarray halves = array(shape(2, 0, 0, 0, CU_AD_FORMAT_HALF, 2), std::vector<unsigned short>(4, 0));
    run(object, "formatted", LaunchConfig{1, 1}, surface(halves), 0x3f800000u, 0xc0000000u);
    EXPECT_EQ(content<unsigned short>(halves, 4), (std::vector<unsigned short>{0, 0, 0x3c00, 0xc000}));
}

TEST_F(Surfaces, ReductionsAreAtomic) {
    const CUarray image = array(shape(8), std::vector<int>(8, 0));
    run(object, "reduce", LaunchConfig{2, 32}, surface(image));
    EXPECT_EQ(content<int>(image, 8), (std::vector<int>{2 * 496, -5, -1, -1, 0, 64, 128, 0}));
}

TEST_F(Surfaces, SizesAreKnown) {
    const uint64_t volume = surface(array(shape(7, 5, 3)));
    EXPECT_EQ(integers(object, "sizes", 3, LaunchConfig{1, 1}, volume), (std::vector<int>{7, 5, 3}));
    if (!device.is_simulator()) return;  // no GPU's driver (580) loads a kernel that asks for this
    const ObjectCode& asking = code(R"cuda(
extern "C" __global__ void layers(int* out, unsigned long long s) {
    asm("suq.array_size.b32 %0, [%1];" : "=r"(out[0]) : "l"(s));
}
)cuda");
    EXPECT_EQ(integers(asking, "layers", 1, LaunchConfig{1, 1}, volume), (std::vector<int>{0}));
    const uint64_t layers = surface(array(shape(7, 5, 3, CUDA_ARRAY3D_LAYERED)));
    EXPECT_EQ(integers(asking, "layers", 1, LaunchConfig{1, 1}, layers), (std::vector<int>{3}));
    EXPECT_EQ(integers(object, "sizes", 3, LaunchConfig{1, 1}, layers), (std::vector<int>{7, 5, 0}));
}

TEST_F(Surfaces, AnImageFilterReadsATextureAndWritesASurface) {
    const int width = 61, height = 37;
    std::vector<float> pixels(static_cast<size_t>(width * height));
    for (size_t k = 0; k < pixels.size(); ++k)
        pixels[k] = static_cast<float>((k * 7919) % 256);
    const CUarray in = array(CUDA_ARRAY3D_DESCRIPTOR{61, 37, 0, CU_AD_FORMAT_FLOAT, 1, 0}, pixels);
    const CUarray out = array(shape(61, 37, 0, 0, CU_AD_FORMAT_FLOAT));
    const uint64_t read = texture(resource(in), reading(CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_LINEAR));
    run(object, "blur", LaunchConfig{{4, 5, 1}, {16, 8, 1}}, surface(out), read, width, height);
    const std::vector<float> blurred = content<float>(out, pixels.size());
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            double sum = 0;
            for (int dy = -1; dy <= 1; ++dy) {
                for (int dx = -1; dx <= 1; ++dx)
                    sum += pixels[static_cast<size_t>(std::clamp(y + dy, 0, height - 1)) * static_cast<size_t>(width) +
                                  static_cast<size_t>(std::clamp(x + dx, 0, width - 1))];
            }
            ASSERT_NEAR(blurred[static_cast<size_t>(y * width + x)], sum / 9, 1e-3) << x << ", " << y;
        }
    }
}

}  // namespace
}  // namespace cuprum::core
