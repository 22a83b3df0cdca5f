// What kernels read through texture objects: addressing, filtering, formats, geometries, levels. The expected values
// are computed here from the definitions in the CUDA C++ Programming Guide, "Texture Fetching".
#include <algorithm>
#include <cmath>
#include <random>

#include "image_fixture.hpp"

namespace cuprum::core {
namespace {

const char* const source = R"cuda(
typedef unsigned long long handle;
#define AT threadIdx.x
extern "C" __global__ void line(float* out, const float* x, handle t) { out[AT] = tex1D<float>(t, x[AT]); }
extern "C" __global__ void plane(float* out, const float* at, handle t) {
    out[AT] = tex2D<float>(t, at[2 * AT], at[2 * AT + 1]);
}
extern "C" __global__ void plane4(float4* out, const float* at, handle t) {
    out[AT] = tex2D<float4>(t, at[2 * AT], at[2 * AT + 1]);
}
extern "C" __global__ void plane_integers(float* out, const float* at, handle t) {
    const int4 v = tex2D<int4>(t, at[2 * AT], at[2 * AT + 1]);
    out[4 * AT] = v.x; out[4 * AT + 1] = v.y; out[4 * AT + 2] = v.z; out[4 * AT + 3] = v.w;
}
extern "C" __global__ void volume(float* out, const float* at, handle t) {
    out[AT] = tex3D<float>(t, at[3 * AT], at[3 * AT + 1], at[3 * AT + 2]);
}
extern "C" __global__ void fetched(float* out, const float* at, handle t) {
    out[AT] = tex1Dfetch<float>(t, (int)at[AT]);
}
extern "C" __global__ void layers(float* out, const float* at, handle t) {
    out[AT] = tex2DLayered<float>(t, at[3 * AT], at[3 * AT + 1], (int)at[3 * AT + 2]);
}
extern "C" __global__ void line_layers(float* out, const float* at, handle t) {
    out[AT] = tex1DLayered<float>(t, at[2 * AT], (int)at[2 * AT + 1]);
}
extern "C" __global__ void cube(float* out, const float* at, handle t) {
    out[AT] = texCubemap<float>(t, at[3 * AT], at[3 * AT + 1], at[3 * AT + 2]);
}
extern "C" __global__ void cubes(float* out, const float* at, handle t) {
    out[AT] = texCubemapLayered<float>(t, at[4 * AT], at[4 * AT + 1], at[4 * AT + 2], (int)at[4 * AT + 3]);
}
extern "C" __global__ void level(float* out, const float* at, handle t) {
    out[AT] = tex2DLod<float>(t, at[3 * AT], at[3 * AT + 1], at[3 * AT + 2]);
}
extern "C" __global__ void gradient(float* out, const float* at, handle t) {
    const float* p = at + 6 * AT;
    out[AT] = tex2DGrad<float>(t, p[0], p[1], make_float2(p[2], p[3]), make_float2(p[4], p[5]));
}
extern "C" __global__ void gather(float4* out, const float* at, handle t) {
    const float x = at[2 * AT], y = at[2 * AT + 1];
    out[2 * AT] = tex2Dgather<float4>(t, x, y, 0);
    out[2 * AT + 1] = tex2Dgather<float4>(t, x, y, 1);
}
// Forms that no function of CUDA C++ makes.
extern "C" __global__ void offsets(float* out, const float* at, handle t) {
    float a, b, c, d;
    asm("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}], {1, -2};"
        : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "f"(at[2 * AT]), "f"(at[2 * AT + 1]));
    out[AT] = a;
}
extern "C" __global__ void by_number(float* out, const float* at, handle t) {
    float a, b, c, d;
    asm("tex.2d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
        : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "r"((int)at[2 * AT]), "r"((int)at[2 * AT + 1]));
    out[AT] = a;
}
extern "C" __global__ void halves(float* out, const float* at, handle t) {
    unsigned pair, other;
    unsigned short a, b, c, d;
    asm("tex.2d.v2.f16x2.f32 {%0, %1}, [%2, {%3, %4}];"
        : "=r"(pair), "=r"(other) : "l"(t), "f"(at[0]), "f"(at[1]));
    asm("tex.2d.v4.f16.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
        : "=h"(a), "=h"(b), "=h"(c), "=h"(d) : "l"(t), "f"(at[0]), "f"(at[1]));
    out[0] = pair; out[1] = other; out[2] = a; out[3] = b; out[4] = c; out[5] = d;
}
extern "C" __global__ void sizes(float* out, const float*, handle t) {
    unsigned w, h, d, w1;
    asm("txq.width.b32 %0, [%1];" : "=r"(w) : "l"(t));
    asm("txq.height.b32 %0, [%1];" : "=r"(h) : "l"(t));
    asm("txq.depth.b32 %0, [%1];" : "=r"(d) : "l"(t));
    asm("txq.level.width.b32 %0, [%1], %2;" : "=r"(w1) : "l"(t), "r"(1));
    out[0] = w; out[1] = h; out[2] = d; out[3] = w1;
}
// Only some threads read, by a guard and by a branch, and not all the same texture.
extern "C" __global__ void some(float* out, const float* x, const handle* textures) {
    float a = -1, b = -1, c = 0, d = 0;
    asm("{ .reg .pred p; setp.lt.u32 p, %4, 3; @p tex.1d.v4.f32.f32 {%0, %1, %2, %3}, [%5, {%6}]; }"
        : "+f"(a), "+f"(b), "+f"(c), "+f"(d) : "r"((unsigned)AT), "l"(textures[0]), "f"(x[AT]));
    if (AT % 2 == 1) b = tex1D<float>(textures[AT % 4 / 2], x[AT]);
    out[2 * AT] = a; out[2 * AT + 1] = b;
}
extern "C" __global__ void residency(float* out, const float* at, handle t) {
    bool there = false;
    out[0] = tex2D<float>(t, at[0], at[1], &there);
    out[1] = there;
}
)cuda";

constexpr auto point = CU_TR_FILTER_MODE_POINT, linear = CU_TR_FILTER_MODE_LINEAR;
constexpr auto wrap = CU_TR_ADDRESS_MODE_WRAP, clamp = CU_TR_ADDRESS_MODE_CLAMP, mirror = CU_TR_ADDRESS_MODE_MIRROR,
               border = CU_TR_ADDRESS_MODE_BORDER;

// An image of one channel as the guide has it: T[i], with what an index outside means.
struct Reference {
    std::vector<float> values;
    int width = 1, height = 1, depth = 1;
    CUaddress_mode mode = clamp;
    bool normalised = false;
    float colour = 0;
    bool is_line = false;

    int index(int i, int n) const {
        switch (mode) {
            case wrap:
                while (i < 0)
                    i += n;
                while (i >= n)
                    i -= n;
                return i;
            case mirror:
                // Steps back and forth between the ends, each of which comes twice.
                for (;;) {
                    if (i < 0) i = -1 - i;
                    if (i < n) return i;
                    i = 2 * n - 1 - i;
                }
            case clamp:
                return i < 0 ? 0 : i >= n ? n - 1 : i;
            default:
                return i < 0 || i >= n ? -1 : i;
        }
    }
    double texel(int x, int y, int z) const {
        const int i = index(x, width), j = index(y, height), k = index(z, depth);
        if (i < 0 || j < 0 || k < 0) return colour;
        return values[(static_cast<size_t>(k) * static_cast<size_t>(height) + static_cast<size_t>(j)) *
                          static_cast<size_t>(width) +
                      static_cast<size_t>(i)];
    }
    double scaled(float at, int n) const { return normalised ? static_cast<double>(at) * n : at; }
    double nearest(float x, float y = 0, float z = 0) const {
        const auto cell = [&](float at, int n) { return n == 1 ? 0 : static_cast<int>(std::floor(scaled(at, n))); };
        return texel(cell(x, width), cell(y, height), cell(z, depth));
    }
    // (1 - a) T[i] + a T[i + 1], with 8 bits of a after the point, as are the products of such weights on an H200: it
    // splits a volume's weight along z, then x, then y, and gives the rest to the other texel.
    double filtered(float x, float y = 0, float z = 0) const {
        struct Beside {
            int i;
            double a;  // of 256
        };
        const auto beside = [&](float at, int n) -> Beside {
            if (n == 1) return {0, 0};
            const double b = scaled(at, n) - 0.5;
            const int i = static_cast<int>(std::floor(b));
            // At a clamped edge both texels are one.
            if (mode == clamp && index(i, n) == index(i + 1, n)) return {i, 0};
            return {i, std::floor((b - i) * 256 + 0.5)};
        };
        const auto [i, a] = beside(x, width);
        // A line is the only row of a plane, and lies on its edge.
        const auto [j, b] = is_line && mode == border ? Beside{-1, 128} : beside(y, height);
        const auto [k, c] = beside(z, depth);
        const auto slice = [&, i = i, j = j, a = a, b = b](int kk, double weight) {
            if (weight == 0) return 0.0;
            const double right = std::floor(weight * a / 256 + 0.5), left = weight - right;
            const double above_right = std::floor(right * b / 256 + 0.5), above_left = std::ceil(left * b / 256 - 0.5);
            double sum = (left - above_left) * texel(i, j, kk) + (right - above_right) * texel(i + 1, j, kk);
            if (b != 0) sum += above_left * texel(i, j + 1, kk) + above_right * texel(i + 1, j + 1, kk);
            return sum;
        };
        return (slice(k, 256 - c) + slice(k + 1, c)) / 256;
    }
};

std::vector<float> random_values(size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> value(-1000, 1000);
    std::vector<float> values(count);
    for (float& each : values)
        each = static_cast<float>(value(random)) / 8;
    return values;
}

std::vector<float> random_places(size_t count, float low, float high, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> place(low, high);
    std::vector<float> places(count);
    for (float& each : places)
        each = std::round(place(random) * 1024) / 1024;
    return places;
}

struct Reading {
    CUaddress_mode mode;
    CUfilter_mode filter;
    bool normalised;
};

class Textures : public Images {
protected:
    CUDA_ARRAY3D_DESCRIPTOR shape(size_t width, size_t height = 0, size_t depth = 0, unsigned int flags = 0,
                                  CUarray_format format = CU_AD_FORMAT_FLOAT, unsigned int channels = 1) {
        return {width, height, depth, format, channels, flags};
    }
    const ObjectCode& object = code(source);
};

TEST_F(Textures, EveryAddressModeAndFilterInOneTwoAndThreeDimensions) {
    Reference image{random_values(7 * 5 * 4, 1), 7, 5, 4};
    for (const Reading& how :
         {Reading{clamp, point, false}, Reading{border, point, false}, Reading{clamp, linear, false},
          Reading{border, linear, false}, Reading{wrap, point, true}, Reading{mirror, point, true},
          Reading{clamp, point, true}, Reading{border, point, true}, Reading{wrap, linear, true},
          Reading{mirror, linear, true}, Reading{clamp, linear, true}, Reading{border, linear, true}}) {
        CUDA_TEXTURE_DESC reading =
            this->reading(how.mode, how.filter, how.normalised ? CU_TRSF_NORMALIZED_COORDINATES : 0u);
        reading.borderColor[0] = image.colour = 3.5f;
        image.mode = how.mode;
        image.normalised = how.normalised;
        const float low = how.normalised ? -1.6f : -9.0f, high = how.normalised ? 2.7f : 16.0f;
        const auto expect = [&](const Reference& wanted, float x, float y, float z, float got) {
            const double value = how.filter == point ? wanted.nearest(x, y, z) : wanted.filtered(x, y, z);
            EXPECT_NEAR(got, value, 1e-4) << "mode " << how.mode << " filter " << how.filter << " normalised "
                                          << how.normalised << " at " << x << ", " << y << ", " << z;
        };
        Reference one = image, two = image;
        one.height = one.depth = two.depth = 1;
        one.is_line = true;
        one.values.resize(7);
        two.values.resize(35);
        const std::vector<float> x = random_places(96, low, high, 2);
        const std::vector<float> lines =
            floats(object, "line", 96, texture(resource(array(shape(7), one.values)), reading), x, 96);
        for (size_t k = 0; k < 96; ++k)
            expect(one, x[k], 0, 0, lines[k]);
        const std::vector<float> xy = random_places(192, low, high, 3);
        const std::vector<float> planes =
            floats(object, "plane", 96, texture(resource(array(shape(7, 5), two.values)), reading), xy, 96);
        for (size_t k = 0; k < 96; ++k)
            expect(two, xy[2 * k], xy[2 * k + 1], 0, planes[k]);
        const std::vector<float> xyz = random_places(288, low, high, 4);
        const std::vector<float> volumes =
            floats(object, "volume", 96, texture(resource(array(shape(7, 5, 4), image.values)), reading), xyz, 96);
        for (size_t k = 0; k < 96; ++k)
            expect(image, xyz[3 * k], xyz[3 * k + 1], xyz[3 * k + 2], volumes[k]);
    }
}

// Wrapping and mirroring need normalised coordinates; without them they clamp.
TEST_F(Textures, WrappingWithoutNormalisedCoordinatesClamps) {
    const std::vector<float> values = {1, 2, 3, 4};
    for (const CUaddress_mode mode : {wrap, mirror}) {
        const uint64_t image = texture(resource(array(shape(4), values)), reading(mode, point));
        EXPECT_EQ(floats(object, "line", 4, image, {-1, 4, 5.5f, 2.5f}, 4), (std::vector<float>{1, 4, 4, 3}));
    }
}

TEST_F(Textures, EveryFormatWithEveryNumberOfChannels) {
    struct Case {
        CUarray_format format;
        std::vector<unsigned char> bytes;  // of four channels
        std::vector<float> as_floats, as_integers;
    };
    const std::vector<Case> cases = {
        {CU_AD_FORMAT_UNSIGNED_INT8, {0, 51, 128, 255}, {0, 51 / 255.0f, 128 / 255.0f, 1}, {0, 51, 128, 255}},
        {CU_AD_FORMAT_SIGNED_INT8, {0, 127, 128, 255}, {0, 1, -1, -1 / 127.0f}, {0, 127, -128, -1}},
        {CU_AD_FORMAT_UNSIGNED_INT16,
         {0, 0, 255, 255, 1, 0, 0, 128},
         {0, 1, 1 / 65535.0f, 32768 / 65535.0f},
         {0, 65535, 1, 32768}},
        {CU_AD_FORMAT_SIGNED_INT16,
         {255, 127, 0, 128, 255, 255, 1, 0},
         {1, -1, -1 / 32767.0f, 1 / 32767.0f},
         {32767, -32768, -1, 1}},
        {CU_AD_FORMAT_HALF, {0, 0x3c, 0, 0xc0, 1, 0, 0, 0x7c}, {1, -2, 0x1p-24f, INFINITY}, {}},
        {CU_AD_FORMAT_FLOAT, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0x3f, 0, 0, 0x80, 0x40}, {1, -2, 0.5f, 4}, {}},
        {CU_AD_FORMAT_SIGNED_INT32, {1, 0, 0, 0, 255, 255, 255, 255, 0, 1, 0, 0, 7, 0, 0, 0}, {}, {1, -1, 256, 7}},
        {CU_AD_FORMAT_UNSIGNED_INT32, {1, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 7, 0, 0, 0}, {}, {1, 2, 256, 7}},
    };
    for (const Case& each : cases) {
        for (const unsigned int channels : {1u, 2u, 4u}) {
            std::vector<unsigned char> bytes(each.bytes.begin(), each.bytes.begin() + each.bytes.size() * channels / 4);
            const CUarray image = array(shape(1, 1, 0, 0, each.format, channels), bytes);
            const auto check = [&](const char* kernel, unsigned int flags, const std::vector<float>& wanted) {
                if (wanted.empty()) return;
                const std::vector<float> got =
                    floats(object, kernel, 4, texture(resource(image), reading(clamp, point, flags)), {0.5f, 0.5f}, 1);
                for (size_t k = 0; k < channels; ++k)
                    EXPECT_FLOAT_EQ(got[k], wanted[k]) << "format " << each.format << ", channel " << k;
            };
            check("plane4", 0, each.as_floats);
            check("plane_integers", CU_TRSF_READ_AS_INTEGER, each.as_integers);
        }
    }
}

// What is given as floats is filtered as whole numbers of 16 bits, which is more than the elements have.
TEST_F(Textures, BytesAndShortsAreFilteredWithSixteenBits) {
    struct Kind {
        CUarray_format format;
        std::vector<unsigned char> bytes;
        double first, second, largest;
    };
    for (const Kind& kind : {Kind{CU_AD_FORMAT_UNSIGNED_INT8, {7, 250}, 7 * 257, 250 * 257, 65535},
                             Kind{CU_AD_FORMAT_UNSIGNED_INT16, {1, 2, 3, 4}, 0x0201, 0x0403, 65535},
                             Kind{CU_AD_FORMAT_SIGNED_INT16, {1, 0xF2, 3, 4}, -3583, 0x0403, 32767}}) {
        CUDA_TEXTURE_DESC how = reading(clamp, linear);
        const uint64_t image = texture(resource(array(shape(2, 0, 0, 0, kind.format), kind.bytes)), how);
        std::vector<float> at;
        for (int k = 0; k <= 256; ++k)
            at.push_back(0.5f + static_cast<float>(k) / 256);
        const std::vector<float> got = floats(object, "line", 257, image, at, 257);
        for (int k = 0; k <= 256; ++k) {
            const double sum = std::floor(((256 - k) * kind.first + k * kind.second) / 256 + 0.5);
            EXPECT_NEAR(got[static_cast<size_t>(k)], sum / kind.largest, 1e-7) << kind.format << ", " << k;
        }
    }
    const CUarray bytes = array(shape(2, 0, 0, 0, CU_AD_FORMAT_SIGNED_INT8), std::vector<unsigned char>{0xB8, 100});
    const std::vector<float> got =
        floats(object, "line", 3, texture(resource(bytes), reading(clamp, linear)), {0.5f, 0.5f + 1.0f / 256, 1.5f}, 3);
    EXPECT_NEAR(got[0] * 32767, -72 * 258 - 1, 1e-2);
    EXPECT_NEAR(got[1] * 32767, -18403, 1e-2);  // -18404.4 without rounding: an H200's
    EXPECT_NEAR(got[2] * 32767, 100 * 258 + 1, 1e-2);
}

TEST_F(Textures, ColoursOfSrgbBecomeLinearAndOpacityStays) {
    const std::vector<unsigned char> bytes = {0, 10, 255, 128};
    const CUarray image = array(shape(1, 1, 0, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4), bytes);
    const std::vector<float> got =
        floats(object, "plane4", 4, texture(resource(image), reading(clamp, point, CU_TRSF_SRGB)), {0.5f, 0.5f}, 1);
    EXPECT_FLOAT_EQ(got[0], 0);
    EXPECT_EQ(got[1], 50.0f / 16384);  // 10 / 255 / 12.92, with the 8 bits that an H200 gives
    EXPECT_FLOAT_EQ(got[2], 1);
    EXPECT_NEAR(got[3], 128 / 255.0, 1e-6);
}

TEST_F(Textures, LinearMemoryIsReadByElementAndIsZeroOutside) {
    const Buffer memory = test::buffer_of(device, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
    CUDA_RESOURCE_DESC description{};
    description.resType = CU_RESOURCE_TYPE_LINEAR;
    auto& linear_memory = description.res.linear;
    linear_memory.devPtr = memory.handle();
    linear_memory.format = CU_AD_FORMAT_FLOAT;
    linear_memory.numChannels = 1;
    linear_memory.sizeInBytes = 24;
    EXPECT_EQ(floats(object, "fetched", 4, texture(description, reading(clamp, point)), {0, 5, 6, -1}, 4),
              (std::vector<float>{1, 6, 0, 0}));
}

TEST_F(Textures, PitchedMemoryIsFilteredLikeAnArray) {
    std::vector<float> rows(2 * 64, 99);
    Reference image{{1, 2, 3, 4, 5, 6}, 3, 2};
    for (size_t y = 0; y < 2; ++y)
        std::copy_n(image.values.begin() + static_cast<ptrdiff_t>(3 * y), 3,
                    rows.begin() + static_cast<ptrdiff_t>(64 * y));
    const Buffer memory = test::buffer_of(device, rows);
    CUDA_RESOURCE_DESC description{};
    description.resType = CU_RESOURCE_TYPE_PITCH2D;
    auto& pitched = description.res.pitch2D;
    pitched.devPtr = memory.handle();
    pitched.format = CU_AD_FORMAT_FLOAT;
    pitched.numChannels = 1;
    pitched.width = 3;
    pitched.height = 2;
    pitched.pitchInBytes = 256;
    const std::vector<float> at = random_places(64, -1, 4, 5);
    const std::vector<float> got = floats(object, "plane", 32, texture(description, reading(clamp, linear)), at, 32);
    for (size_t k = 0; k < 32; ++k)
        EXPECT_NEAR(got[k], image.filtered(at[2 * k], at[2 * k + 1]), 1e-5);
}

TEST_F(Textures, LayersAreChosenByNumberAndNeverMixed) {
    const std::vector<float> values = {1, 2, 3, 4, 11, 12, 13, 14, 21, 22, 23, 24};
    const uint64_t planes =
        texture(resource(array(shape(2, 2, 3, CUDA_ARRAY3D_LAYERED), values)), reading(clamp, linear));
    EXPECT_EQ(floats(object, "layers", 4, planes, {0.5f, 0.5f, 0, 1, 1, 1, 1.5f, 1.5f, 2, 0.5f, 0.5f, 7}, 4),
              (std::vector<float>{1, 12.5f, 24, 21}));
    const uint64_t lines =
        texture(resource(array(shape(4, 0, 3, CUDA_ARRAY3D_LAYERED), values)), reading(clamp, point));
    EXPECT_EQ(floats(object, "line_layers", 3, lines, {3.5f, 0, 0, 1, 1.5f, 2}, 3), (std::vector<float>{4, 11, 22}));
}

TEST_F(Textures, DirectionsChooseAFaceOfACube) {
    std::vector<float> values(6 * 4);
    for (size_t k = 0; k < values.size(); ++k) {
        const size_t row = k / 4;
        values[k] = static_cast<float>(row * 10 + k % 4);
    }
    const uint64_t faces =
        texture(resource(array(shape(2, 2, 6, CUDA_ARRAY3D_CUBEMAP), values)), reading(clamp, point));
    // Faces are +x, -x, +y, -y, +z, -z; on +x, s is -z and t is -y, and so on.
    const std::vector<float> directions = {1,    0.5f, 0.5f, 1,    -0.5f, -0.5f, -1,   0.5f, 0.5f, 0.5f, 1,  0.5f,
                                           0.5f, -1,   0.5f, 0.5f, 0.5f,  1,     0.5f, 0.5f, -1,   -2,   -1, -1};
    EXPECT_EQ(floats(object, "cube", 8, faces, directions, 8), (std::vector<float>{0, 3, 11, 23, 31, 41, 50, 12}));
    std::vector<float> two = values;
    for (const float value : values)
        two.push_back(value + 100);
    const uint64_t layers = texture(resource(array(shape(2, 2, 12, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED), two)),
                                    reading(clamp, point));
    EXPECT_EQ(floats(object, "cubes", 2, layers, {1, 0.5f, 0.5f, 0, 0.5f, 0.5f, 1, 1}, 2),
              (std::vector<float>{0, 141}));
}

TEST_F(Textures, SeamlessCubesFilterOverTheEdge) {
    std::vector<float> values(6 * 16);
    for (size_t k = 0; k < values.size(); ++k) {
        const size_t row = k / 16;
        values[k] = static_cast<float>(row);
    }
    const CUarray faces = array(shape(4, 4, 6, CUDA_ARRAY3D_CUBEMAP), values);
    const std::vector<float> edge = {1, 0, 1};  // between +x (0) and +z (4)
    EXPECT_EQ(
        floats(object, "cube", 1, texture(resource(faces), reading(clamp, linear, CU_TRSF_SEAMLESS_CUBEMAP)), edge, 1),
        (std::vector<float>{2}));
    const float alone = floats(object, "cube", 1, texture(resource(faces), reading(clamp, linear)), edge, 1)[0];
    EXPECT_TRUE(alone == 0 || alone == 4) << alone;
}

TEST_F(Textures, LevelsOfDetail) {
    const CUmipmappedArray pyramid = mipmaps(shape(8, 8), 4);
    for (unsigned int level = 0; level < 4; ++level) {
        CUarray part = nullptr;
        require(driver::cuMipmappedArrayGetLevel(&part, pyramid, level), "cuMipmappedArrayGetLevel");
        const size_t size = 8u >> level;
        fill(part, std::vector<float>(size * size, static_cast<float>(10 * level)));
    }
    CUDA_TEXTURE_DESC how = reading(clamp, linear, CU_TRSF_NORMALIZED_COORDINATES);
    how.maxMipmapLevelClamp = 10;
    how.mipmapFilterMode = point;
    const std::vector<float> at = {0.5f, 0.5f, 0,    0.5f, 0.5f, 0.4f, 0.5f, 0.5f, 0.6f,
                                   0.5f, 0.5f, 2.5f, 0.5f, 0.5f, 9,    0.5f, 0.5f, -3};
    EXPECT_EQ(floats(object, "level", 6, texture(resource(pyramid), how), at, 6),
              (std::vector<float>{0, 0, 10, 30, 30, 0}));
    how.mipmapFilterMode = linear;
    const std::vector<float> mixed = floats(object, "level", 6, texture(resource(pyramid), how), at, 6);
    EXPECT_NEAR(mixed[1], 4, 10.0 / 256);
    EXPECT_NEAR(mixed[2], 6, 10.0 / 256);
    EXPECT_FLOAT_EQ(mixed[3], 25);
    EXPECT_FLOAT_EQ(mixed[4], 30);
    how.mipmapLevelBias = 1;
    how.maxMipmapLevelClamp = 2;
    EXPECT_EQ(floats(object, "level", 6, texture(resource(pyramid), how), at, 6)[0], 10);
    EXPECT_EQ(floats(object, "level", 6, texture(resource(pyramid), how), at, 6)[4], 20);
    // A gradient of 1/2 in normalised coordinates is 4 texels: level 2. Its direction does not matter. A GPU finds the
    // larger of two lengths approximately.
    how.mipmapLevelBias = 0;
    const std::vector<float> by_gradient = floats(object, "gradient", 2, texture(resource(pyramid), how),
                                                  {0.5f, 0.5f, 0.5f, 0, 0, 0.125f, 0.5f, 0.5f, 0, 0.125f, 0, 0.25f}, 2);
    EXPECT_EQ(by_gradient[0], 20);
    EXPECT_NEAR(by_gradient[1], 10, 0.5);
    const uint64_t image = texture(resource(pyramid), how);
    EXPECT_EQ(floats(object, "sizes", 4, image, {0}, 1), (std::vector<float>{8, 8, 0, 4}));
    if (!device.is_simulator()) return;  // no GPU's driver (580) has found a kernel that asks for these
    const ObjectCode& asking = code(R"cuda(
extern "C" __global__ void counts(float* out, const float*, unsigned long long t) {
    unsigned n, levels;
    asm("txq.array_size.b32 %0, [%1];" : "=r"(n) : "l"(t));
    asm("txq.num_mipmap_levels.b32 %0, [%1];" : "=r"(levels) : "l"(t));
    out[0] = n; out[1] = levels;
}
)cuda");
    EXPECT_EQ(floats(asking, "counts", 2, image, {0}, 1), (std::vector<float>{0, 4}));
}

TEST_F(Textures, ViewsShowOtherFormatsAndParts) {
    const std::vector<float> ones(4, 1.0f);
    CUDA_RESOURCE_VIEW_DESC view{};
    view.format = CU_RES_VIEW_FORMAT_SINT_1X32;
    view.width = view.height = 2;
    const uint64_t bits = texture(resource(array(shape(2, 2), ones)), reading(clamp, point), &view);
    EXPECT_EQ(floats(object, "plane_integers", 4, bits, {0.5f, 0.5f}, 1)[0], static_cast<float>(0x3f800000));
    const std::vector<float> values = {1, 2, 3, 4, 11, 12, 13, 14, 21, 22, 23, 24};
    view.format = CU_RES_VIEW_FORMAT_FLOAT_1X32;
    view.depth = 3;
    view.firstLayer = 1;
    view.lastLayer = 2;
    const uint64_t layers =
        texture(resource(array(shape(2, 2, 3, CUDA_ARRAY3D_LAYERED), values)), reading(clamp, point), &view);
    EXPECT_EQ(floats(object, "layers", 2, layers, {0.5f, 0.5f, 0, 0.5f, 0.5f, 1}, 2), (std::vector<float>{11, 21}));
}

TEST_F(Textures, FourTexelsAreGathered) {
    std::vector<float> values;
    for (int k = 0; k < 9; ++k) {
        values.push_back(static_cast<float>(k));
        values.push_back(static_cast<float>(-k));
    }
    const CUarray image = array(shape(3, 3, 0, CUDA_ARRAY3D_TEXTURE_GATHER, CU_AD_FORMAT_FLOAT, 2), values);
    EXPECT_EQ(floats(object, "gather", 8, texture(resource(image), reading(clamp, point)), {1.25f, 1.75f}, 1),
              (std::vector<float>{6, 7, 4, 3, -6, -7, -4, -3}));
}

TEST_F(Textures, FormsOfPtxBesideTheFunctions) {
    Reference image{random_values(5 * 5, 9), 5, 5};
    const uint64_t plain = texture(resource(array(shape(5, 5), image.values)), reading(clamp, point));
    EXPECT_EQ(floats(object, "offsets", 1, plain, {1.5f, 3.5f}, 1)[0], image.texel(2, 1, 0));
    EXPECT_EQ(floats(object, "by_number", 2, plain, {4, 2, 7, 2}, 2),
              (std::vector<float>{static_cast<float>(image.texel(4, 2, 0)), 0}));  // nothing is outside
    EXPECT_EQ(floats(object, "residency", 2, plain, {0.5f, 0.5f}, 1), (std::vector<float>{image.values[0], 1}));
    const std::vector<float> channels = {1, -2, 0.5f, 4};
    const CUarray four = array(shape(1, 1, 0, 0, CU_AD_FORMAT_FLOAT, 4), channels);
    EXPECT_EQ(floats(object, "halves", 6, texture(resource(four), reading(clamp, point)), {0.5f, 0.5f}, 1),
              (std::vector<float>{static_cast<float>(0xc0003c00u), static_cast<float>(0x44003800u), 0x3c00, 0xc000,
                                  0x3800, 0x4400}));
}

TEST_F(Textures, OnlyTheThreadsThatReadGetResults) {
    const std::vector<float> values = {1, 2, 3, 4, 5, 6, 7, 8};
    const std::vector<float> others = {10, 20, 30, 40, 50, 60, 70, 80};
    const std::vector<uint64_t> handles = {texture(resource(array(shape(8), values)), reading(clamp, point)),
                                           texture(resource(array(shape(8), others)), reading(clamp, point))};
    const Buffer out = test::buffer_of(device, std::vector<float>(16, 0)), table = test::buffer_of(device, handles);
    const Buffer x = test::buffer_of(device, std::vector<float>{0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f, 7.5f});
    run(object, "some", LaunchConfig{1, 8}, out, x, table);
    EXPECT_EQ(test::values_of<float>(out),
              (std::vector<float>{1, 0, 2, 2, 3, 0, -1, 40, -1, -1, -1, 6, -1, -1, -1, 80}));
}

}  // namespace
}  // namespace cuprum::core
