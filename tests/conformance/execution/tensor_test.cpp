// Copies of tensors' boxes: cp.async.bulk.tensor, its reductions, its multicast. What is expected is counted element by
// element here, from the definition of the tensor map. On a GPU these need one of compute capability 9.0 or later.
#include <cuda.h>

#include <cmath>
#include <numeric>

#include "cuprum/bindings/driver_functions.hpp"
#include "execution.hpp"

namespace cuprum::core {
namespace {

const char* const source = R"cuda(
struct alignas(64) Map { char bytes[128]; };
struct At { int x, y, z, v, w; };

__device__ unsigned place(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void wait(unsigned long long* barrier) {
    asm volatile("{ .reg .pred done; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0; @done bra END; bra AGAIN; END: }"
                 :: "r"(place(barrier)) : "memory");
}
__device__ void expect(unsigned long long* barrier, int bytes) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(place(barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(place(barrier)), "r"(bytes) : "memory");
}
#define LOAD(N, MODE, COORDINATES, MORE, ...) \
    asm volatile("cp.async.bulk.tensor." N ".shared::cluster.global." MODE ".mbarrier::complete_tx::bytes [%0], [%1, " COORDINATES "], [%2]" MORE ";" \
                 :: "r"(place(box)), "l"(&map), "r"(place(&barrier)), __VA_ARGS__ : "memory")
#define STORE(N, COORDINATES, ...) \
    asm volatile("cp.async.bulk.tensor." N ".global.shared::cta.tile.bulk_group [%1, " COORDINATES "], [%0];" \
                 :: "r"(place(box)), "l"(&map), __VA_ARGS__ : "memory")

// A box to `out`, of which all `reserved` bytes are copied.
extern "C" __global__ void load(const __grid_constant__ Map map, unsigned char* out, int rank, At at, int moved, int reserved) {
    extern __shared__ __align__(1024) unsigned char box[];
    __shared__ unsigned long long barrier;
    for (int k = threadIdx.x; k < reserved; k += blockDim.x) box[k] = 0xee;
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&barrier, moved);
        if (rank == 1) LOAD("1d", "tile", "{%3}", "", "r"(at.x));
        if (rank == 2) LOAD("2d", "tile", "{%3, %4}", "", "r"(at.x), "r"(at.y));
        if (rank == 3) LOAD("3d", "tile", "{%3, %4, %5}", "", "r"(at.x), "r"(at.y), "r"(at.z));
        if (rank == 4) LOAD("4d", "tile", "{%3, %4, %5, %6}", "", "r"(at.x), "r"(at.y), "r"(at.z), "r"(at.v));
        if (rank == 5) LOAD("5d", "tile", "{%3, %4, %5, %6, %7}", "", "r"(at.x), "r"(at.y), "r"(at.z), "r"(at.v), "r"(at.w));
    }
    __syncthreads();
    wait(&barrier);
    for (int k = threadIdx.x; k < reserved; k += blockDim.x) out[k] = box[k];
}

extern "C" __global__ void load_pixels(const __grid_constant__ Map map, unsigned char* out, At at, short w, short h, int moved) {
    extern __shared__ __align__(1024) unsigned char box[];
    __shared__ unsigned long long barrier;
    if (threadIdx.x == 0) {
        expect(&barrier, moved);
        LOAD("4d", "im2col", "{%3, %4, %5, %6}", ", {%7, %8}", "r"(at.x), "r"(at.y), "r"(at.z), "r"(at.v), "h"(w), "h"(h));
    }
    __syncthreads();
    wait(&barrier);
    for (int k = threadIdx.x; k < moved; k += blockDim.x) out[k] = box[k];
}

extern "C" __global__ void store(const __grid_constant__ Map map, const unsigned char* in, int rank, At at, int bytes) {
    extern __shared__ __align__(1024) unsigned char box[];
    for (int k = threadIdx.x; k < bytes; k += blockDim.x) box[k] = in[k];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        if (rank == 1) STORE("1d", "{%2}", "r"(at.x));
        if (rank == 2) STORE("2d", "{%2, %3}", "r"(at.x), "r"(at.y));
        if (rank == 3) STORE("3d", "{%2, %3, %4}", "r"(at.x), "r"(at.y), "r"(at.z));
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

#define REDUCE(NAME, OPERATION) \
    extern "C" __global__ void NAME(const __grid_constant__ Map map, const unsigned char* in, At at, int bytes) { \
        extern __shared__ __align__(1024) unsigned char box[]; \
        for (int k = threadIdx.x; k < bytes; k += blockDim.x) box[k] = in[k]; \
        asm volatile("fence.proxy.async;" ::: "memory"); \
        __syncthreads(); \
        if (threadIdx.x == 0) { \
            asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta." OPERATION ".tile.bulk_group [%0, {%1, %2}], [%3];" \
                         :: "l"(&map), "r"(at.x), "r"(at.y), "r"(place(box)) : "memory"); \
            asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory"); \
        } \
    }
REDUCE(reduce_add, "add")
REDUCE(reduce_min, "min")
REDUCE(reduce_max, "max")
REDUCE(reduce_xor, "xor")

// Block 0 of a cluster of two copies a box to both.
extern "C" __global__ void __cluster_dims__(2, 1, 1) multicast(const __grid_constant__ Map map, unsigned char* out, At at, int moved) {
    extern __shared__ __align__(1024) unsigned char box[];
    __shared__ unsigned long long barrier;
    if (threadIdx.x == 0) expect(&barrier, moved);
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;"
                     :: "r"(place(box)), "l"(&map), "r"(place(&barrier)), "r"(at.x), "r"(at.y), "h"((short)3) : "memory");
    }
    wait(&barrier);
    for (int k = threadIdx.x; k < moved; k += blockDim.x) out[blockIdx.x * moved + k] = box[k];
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
)cuda";

struct Map {
    CUtensorMap map;
};
struct At {
    int x = 0, y = 0, z = 0, v = 0, w = 0;
    int operator[](size_t dimension) const { return (&x)[dimension]; }
};

// A dense tensor of elements of one type, and the box that is moved of it.
struct Tensor {
    CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_UINT16;
    size_t element = 2;  // bytes
    std::vector<cuuint64_t> sizes;
    std::vector<cuuint32_t> box;
    std::vector<cuuint32_t> steps = {1, 1, 1, 1, 1};
    CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
    CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;

    size_t count() const { return std::accumulate(sizes.begin(), sizes.end(), size_t{1}, std::multiplies<>()); }
    std::vector<cuuint64_t> strides() const {
        std::vector<cuuint64_t> bytes;
        cuuint64_t size = element;
        for (size_t dimension = 0; dimension + 1 < sizes.size(); ++dimension)
            bytes.push_back(size *= sizes[dimension]);
        return bytes;
    }
    size_t moved(size_t dimension) const {
        return dimension == 0 ? box[0] : (box[dimension] + steps[dimension] - 1) / steps[dimension];
    }
    size_t box_count() const {
        size_t result = 1;
        for (size_t dimension = 0; dimension < sizes.size(); ++dimension)
            result *= moved(dimension);
        return result;
    }
    // Of the box's element `number`: where in the tensor it is; -1 outside.
    long index(size_t number, const At& at) const {
        long result = 0, step = 1;
        for (size_t dimension = 0; dimension < sizes.size(); ++dimension) {
            const auto within = static_cast<long>(number % moved(dimension));
            number /= moved(dimension);
            const long place = at[dimension] + within * static_cast<long>(dimension == 0 ? 1 : steps[dimension]);
            if (place < 0 || place >= static_cast<long>(sizes[dimension])) return -1;
            result += place * step;
            step *= static_cast<long>(sizes[dimension]);
        }
        return result;
    }
    Map map(const Buffer& memory) const {
        Map result;
        std::vector<cuuint64_t> bytes = strides();
        if (bytes.empty()) bytes.push_back(0);  // a driver wants a pointer, though it reads nothing
        const CUresult code = bindings::driver::cuTensorMapEncodeTiled(
            &result.map, type, static_cast<cuuint32_t>(sizes.size()), reinterpret_cast<void*>(memory.handle()),
            sizes.data(), bytes.data(), box.data(), steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
            CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
        if (code != CUDA_SUCCESS) throw std::runtime_error("cuTensorMapEncodeTiled: " + std::to_string(code));
        return result;
    }
};

template <class T>
std::vector<T> counted(size_t count, T first = T{1}) {
    std::vector<T> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
}

class Tensors : public Execution {
protected:
    void SetUp() override {
        if (device.compute_capability().major < 9) GTEST_SKIP() << "needs compute capability 9.0";
        device.set_current();  // cuTensorMapEncode* asks the current context
    }
    LaunchConfig config(size_t shared) const {
        LaunchConfig result{1, 32};
        result.shmem_size = static_cast<uint32_t>(shared);
        return result;
    }
    // The box at a place, as it lies in shared memory.
    template <class T>
    std::vector<T> loaded(const Tensor& tensor, const std::vector<T>& values, const At& at, size_t reserved = 0) {
        const Buffer memory = test::buffer_of(device, values);
        const size_t moved = tensor.box_count() * sizeof(T);
        reserved = std::max(reserved, moved);
        const Buffer out = test::buffer_of(device, std::vector<T>(reserved / sizeof(T)));
        run(code(source), "load", config(reserved), tensor.map(memory), out, static_cast<int>(tensor.sizes.size()), at,
            static_cast<int>(moved), static_cast<int>(reserved));
        return test::values_of<T>(out);
    }
    void expect_loaded(const Tensor& tensor, const At& at) {
        const auto values = counted<uint16_t>(tensor.count());
        std::vector<uint16_t> expected(tensor.box_count());
        for (size_t k = 0; k < expected.size(); ++k) {
            const long index = tensor.index(k, at);
            expected[k] = index < 0 ? uint16_t{0} : values[static_cast<size_t>(index)];
        }
        EXPECT_EQ(loaded(tensor, values, at), expected) << tensor.sizes.size() << " dimensions, at " << at.x;
    }
};

TEST_F(Tensors, ABoxOfEveryRankIsLoadedAndZeroOutside) {
    // Multiples of 16 bytes, as a GPU wants.
    for (const int first : {0, -8, 16}) {
        expect_loaded({.sizes = {44}, .box = {16}}, {first + 16});
        expect_loaded({.sizes = {24, 6}, .box = {16, 4}}, {first, first == 0 ? 1 : -1});
        expect_loaded({.sizes = {24, 6, 5}, .box = {16, 4, 3}}, {first, 3, first / 8});
        expect_loaded({.sizes = {24, 3, 4, 5}, .box = {16, 2, 3, 2}}, {first, 2, -1, 1});
        expect_loaded({.sizes = {24, 3, 4, 3, 2}, .box = {16, 2, 3, 2, 2}}, {first, 0, 2, 1, 1});
    }
}

TEST_F(Tensors, StridesOfElementsLeaveSomeOut) {
    expect_loaded({.sizes = {16, 20, 9}, .box = {8, 7, 5}, .steps = {1, 3, 2, 1, 1}}, {8, 2, 1});
    expect_loaded({.sizes = {16, 20, 9}, .box = {16, 7, 5}, .steps = {1, 3, 2, 1, 1}}, {-8, 16, -1});
}

TEST_F(Tensors, ASwizzleMovesChunksOf16BytesByTheirLine) {
    struct Pattern {
        CUtensorMapSwizzle swizzle;
        uint32_t span;
    };
    for (const auto& [swizzle, span] : {Pattern{CU_TENSOR_MAP_SWIZZLE_32B, 32}, Pattern{CU_TENSOR_MAP_SWIZZLE_64B, 64},
                                        Pattern{CU_TENSOR_MAP_SWIZZLE_128B, 128}}) {
        const uint32_t columns = span / 2, lines = 16;
        const Tensor tensor{.sizes = {columns, lines}, .box = {columns, lines}, .swizzle = swizzle};
        const auto values = counted<uint16_t>(tensor.count());
        std::vector<uint16_t> expected(values.size());
        for (uint32_t line = 0; line < lines; ++line) {
            for (uint32_t column = 0; column < columns; ++column) {
                // The chunk's number is that of the address divided by 128, modulo as many chunks as a span has, apart.
                const uint32_t chunk = column / 8 ^ (line * span / 128 % (span / 16));
                expected[line * columns + chunk * 8 + column % 8] = values[line * columns + column];
            }
        }
        EXPECT_EQ(loaded(tensor, values, {}), expected) << span;
    }
}

TEST_F(Tensors, OutsideIsNaNIfTheMapSaysSo) {
    const Tensor tensor{.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                        .element = 4,
                        .sizes = {8, 4},
                        .box = {8, 2},
                        .fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA};
    const std::vector<float> found = loaded(tensor, counted<float>(32), {4, 3});
    for (size_t k = 0; k < 4; ++k)
        EXPECT_EQ(found[k], 29.0F + static_cast<float>(k));
    for (size_t k = 4; k < 16; ++k)
        EXPECT_TRUE(std::isnan(found[k])) << k;
}

// Each way of lying outside by itself: on an H200 one of them is an illegal instruction, and ends its process.
struct StoreCase {
    const char* name;
    Tensor tensor;
    At at;
};
class TensorStores : public Tensors, public testing::WithParamInterface<StoreCase> {};

TEST_P(TensorStores, LeaveAloneWhatIsOutside) {
    const auto& [name, tensor, at] = GetParam();
    const auto values = counted<uint16_t>(tensor.box_count(), 1000);
    auto expected = counted<uint16_t>(tensor.count());
    const Buffer memory = test::buffer_of(device, expected), in = test::buffer_of(device, values);
    for (size_t k = 0; k < values.size(); ++k) {
        if (const long index = tensor.index(k, at); index >= 0) expected[static_cast<size_t>(index)] = values[k];
    }
    const size_t bytes = values.size() * 2;
    run(code(source), "store", config(bytes), tensor.map(memory), in, static_cast<int>(tensor.sizes.size()), at,
        static_cast<int>(bytes));
    EXPECT_EQ(test::values_of<uint16_t>(memory), expected);
}

// Before the tensor there is no place to store at: an illegal instruction on an H100, which ends the context
// (TensorFaults of the engine).
INSTANTIATE_TEST_SUITE_P(
    All, TensorStores,
    testing::Values(StoreCase{"AllInside1D", {.sizes = {32}, .box = {16}}, {8}},
                    StoreCase{"AllInside2D", {.sizes = {16, 6}, .box = {16, 4}}, {0, 1}},
                    StoreCase{"AllInside3D", {.sizes = {16, 6, 3}, .box = {16, 4, 2}}, {0, 1, 1}},
                    StoreCase{"BehindTheEndOfALine", {.sizes = {24}, .box = {16}}, {16}},
                    // The last line has 40 bytes: it ends within 16 bytes.
                    StoreCase{"BehindAnEndWithin16Bytes", {.sizes = {20}, .box = {16}}, {8}},
                    StoreCase{"InsideALineThatEndsWithin16Bytes", {.sizes = {20}, .box = {16}}, {0}},
                    StoreCase{"BehindTheLine2D", {.sizes = {16, 6}, .box = {16, 4}}, {8, 1}},
                    StoreCase{"BehindTheLastLine", {.sizes = {16, 6}, .box = {16, 4}}, {0, 4}},
                    StoreCase{"BehindTheLastPlane", {.sizes = {16, 6, 3}, .box = {16, 4, 2}}, {0, 1, 2}},
                    StoreCase{"OutsideEverywhere", {.sizes = {16, 6, 3}, .box = {16, 4, 2}}, {8, 5, 2}}),
    [](const testing::TestParamInfo<StoreCase>& instance) { return std::string(instance.param.name); });

TEST_F(Tensors, ASwizzledBoxIsStoredAsItWasLoaded) {
    const Tensor tensor{.sizes = {64, 16}, .box = {64, 16}, .swizzle = CU_TENSOR_MAP_SWIZZLE_128B};
    const auto values = counted<uint16_t>(tensor.count());
    const Buffer in = test::buffer_of(device, loaded(tensor, values, {}));
    const Buffer memory = test::buffer_of(device, std::vector<uint16_t>(values.size()));
    run(code(source), "store", config(2048), tensor.map(memory), in, 2, At{}, 2048);
    EXPECT_EQ(test::values_of<uint16_t>(memory), values);
}

TEST_F(Tensors, AReductionIsOfTheMapsType) {
    const auto reduce = [&]<class T>(const char* kernel, CUtensorMapDataType type, std::vector<T> old,
                                     const std::vector<T>& values) {
        const Tensor tensor{.type = type, .element = sizeof(T), .sizes = {16, 4}, .box = {16, 2}};
        const Buffer memory = test::buffer_of(device, old), in = test::buffer_of(device, values);
        const int bytes = static_cast<int>(values.size() * sizeof(T));
        run(code(source), kernel, config(static_cast<size_t>(bytes)), tensor.map(memory), in, At{8, 1}, bytes);
        return test::values_of<T>(memory);
    };
    const auto expected = [&]<class T>(std::vector<T> old, const std::vector<T>& values, auto&& operation) {
        const Tensor tensor{.sizes = {16, 4}, .box = {16, 2}};
        for (size_t k = 0; k < values.size(); ++k) {
            if (const long index = tensor.index(k, {8, 1}); index >= 0)
                old[static_cast<size_t>(index)] = operation(old[static_cast<size_t>(index)], values[k]);
        }
        return old;
    };
    const auto floats = counted<float>(64, 0.5F), more = counted<float>(32, -8.0F);
    EXPECT_EQ(reduce("reduce_add", CU_TENSOR_MAP_DATA_TYPE_FLOAT32, floats, more),
              expected(floats, more, [](float x, float y) { return x + y; }));
    const auto numbers = counted<int>(64, -16), others = counted<int>(32, -20);
    EXPECT_EQ(reduce("reduce_min", CU_TENSOR_MAP_DATA_TYPE_INT32, numbers, others),
              expected(numbers, others, [](int x, int y) { return std::min(x, y); }));
    const auto wide = counted<uint64_t>(64, 5), larger = counted<uint64_t>(32, 7);
    EXPECT_EQ(reduce("reduce_max", CU_TENSOR_MAP_DATA_TYPE_UINT64, wide, larger),
              expected(wide, larger, [](uint64_t x, uint64_t y) { return std::max(x, y); }));
    EXPECT_EQ(reduce("reduce_xor", CU_TENSOR_MAP_DATA_TYPE_INT32, numbers, others),
              expected(numbers, others, [](int x, int y) { return x ^ y; }));
    // Halves of 1 to 2, in steps: their sums are exact.
    const auto halves = counted<uint16_t>(64, 0x3c00);
    EXPECT_EQ(reduce("reduce_add", CU_TENSOR_MAP_DATA_TYPE_FLOAT16, halves, std::vector<uint16_t>(32, 0)), halves);
    EXPECT_EQ(
        reduce("reduce_max", CU_TENSOR_MAP_DATA_TYPE_FLOAT16, halves, std::vector<uint16_t>(32, 0x3c12)),
        expected(halves, std::vector<uint16_t>(32, 0x3c12), [](uint16_t x, uint16_t y) { return std::max(x, y); }));
}

TEST_F(Tensors, AMulticastGoesToEachBlockOfTheCluster) {
    const Tensor tensor{.sizes = {16, 8}, .box = {16, 4}};
    const auto values = counted<uint16_t>(tensor.count());
    const Buffer memory = test::buffer_of(device, values);
    const Buffer out = test::buffer_of(device, std::vector<uint16_t>(128));
    LaunchConfig both{2, 32};
    both.shmem_size = 128;
    const At at{8, 6};
    run(code(source), "multicast", both, tensor.map(memory), out, at, 128);
    std::vector<uint16_t> expected(128);
    for (size_t k = 0; k < 128; ++k) {
        const long index = tensor.index(k % 64, at);
        expected[k] = index < 0 ? uint16_t{0} : values[static_cast<size_t>(index)];
    }
    EXPECT_EQ(test::values_of<uint16_t>(out), expected);
}

// What a 3 x 3 convolution reads at one of its nine places: the pixels of a box that is one smaller on every side,
// moved.
TEST_F(Tensors, PixelsOfImagesAreGatheredAsColumns) {
    constexpr int channels = 8, width = 6, height = 5, images = 3, pixels = 40;
    const auto values = counted<uint16_t>(channels * width * height * images);
    const Buffer memory = test::buffer_of(device, values);
    const std::vector<cuuint64_t> sizes{channels, width, height, images};
    const std::vector<cuuint64_t> strides{2 * channels, 2 * channels * width, 2 * channels * width * height};
    const std::vector<cuuint32_t> steps{1, 1, 1, 1};
    const std::vector<int> lower{-1, -1}, upper{-1, -1};
    Map map;
    ASSERT_EQ(
        bindings::driver::cuTensorMapEncodeIm2col(
            &map.map, CU_TENSOR_MAP_DATA_TYPE_UINT16, 4, reinterpret_cast<void*>(memory.handle()), sizes.data(),
            strides.data(), lower.data(), upper.data(), channels, pixels, steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE,
            CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
        CUDA_SUCCESS);
    const At at{0, 2, -1, 0};  // the first pixel: w = 2, h = -1 of image 0
    for (const auto& [dw, dh] : {std::pair{0, 0}, std::pair{2, 1}}) {
        const Buffer out = test::buffer_of(device, std::vector<uint16_t>(channels * pixels));
        run(code(source), "load_pixels", config(2 * channels * pixels), map, out, at, static_cast<short>(dw),
            static_cast<short>(dh), 2 * channels * pixels);
        std::vector<uint16_t> expected;
        int w = at.y, h = at.z, n = at.v;
        for (int pixel = 0; pixel < pixels; ++pixel) {
            for (int c = 0; c < channels; ++c) {
                const int x = w + dw, y = h + dh;
                const bool inside = x >= 0 && x < width && y >= 0 && y < height && n < images;
                expected.push_back(inside ? values[static_cast<size_t>(n * height + y) * width * channels +
                                                   static_cast<size_t>(x * channels + c)]
                                          : uint16_t{0});
            }
            if (++w <= width - 2) continue;
            w = -1;
            if (++h <= height - 2) continue;
            h = -1;
            ++n;
        }
        EXPECT_EQ(test::values_of<uint16_t>(out), expected) << dw;
    }
}

}  // namespace
}  // namespace cuprum::core
