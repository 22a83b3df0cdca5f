// A product of matrices as kernels for compute capability 9.0 make it: one thread asks for tiles by tensor maps, with
// the 128-byte swizzle, into one of two buffers; groups of four warps multiply what is in the other. So the patterns of
// copies and of descriptors are the same ones. Compiled for compute capability 9.0 alone (sm_90a).
#include <cuda.h>

#include <random>

#include "cuprum/bindings/driver_functions.hpp"
#include "execution.hpp"

namespace cuprum::core {
namespace {

const char* const source = R"cuda(
struct alignas(64) Map { char bytes[128]; };
__device__ unsigned place(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ unsigned long long descriptor(const void* tile) {
    return (unsigned long long)(place(tile) >> 4) | 64ull << 32 | 1ull << 62;  // rows of eight lines are 1024 bytes apart
}
__device__ void load(void* tile, const Map& map, int k, int line, unsigned long long* barrier) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 :: "r"(place(tile)), "l"(&map), "r"(k), "r"(line), "r"(place(barrier)) : "memory");
}
// d = a b^T of halves, 64 by 64 of d in each block, k in steps of 64.
extern "C" __global__ void product(float* d, const __grid_constant__ Map a, const __grid_constant__ Map b, int n, int depth) {
    __shared__ __align__(1024) unsigned char tiles[2][2][8192];
    __shared__ unsigned long long barriers[2];
    const int row = blockIdx.y * 64, column = blockIdx.x * 64;
    const auto fetch = [&](int step) {
        const int buffer = step % 2;
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16384;" :: "r"(place(&barriers[buffer])) : "memory");
        load(tiles[buffer][0], a, step * 64, row, &barriers[buffer]);
        load(tiles[buffer][1], b, step * 64, column, &barriers[buffer]);
    };
    if (threadIdx.x == 0) {
        for (int k = 0; k < 2; ++k) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(place(&barriers[k])) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async;" ::: "memory");
        fetch(0);
    }
    __syncthreads();
    float r[32] = {};
    const int steps = (depth + 63) / 64;
    for (int step = 0; step < steps; ++step) {
        if (threadIdx.x == 0 && step + 1 < steps) fetch(step + 1);
        asm volatile("{ .reg .pred done; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; @done bra END; bra AGAIN; END: }"
                     :: "r"(place(&barriers[step % 2])), "r"(step / 2 % 2) : "memory");
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int k = 0; k < 4; ++k) {
            asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
                "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
                "%23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, 1, 1, 1, 0, 0;"
                : "+f"(r[0]), "+f"(r[1]), "+f"(r[2]), "+f"(r[3]), "+f"(r[4]), "+f"(r[5]), "+f"(r[6]), "+f"(r[7]),
                  "+f"(r[8]), "+f"(r[9]), "+f"(r[10]), "+f"(r[11]), "+f"(r[12]), "+f"(r[13]), "+f"(r[14]), "+f"(r[15]),
                  "+f"(r[16]), "+f"(r[17]), "+f"(r[18]), "+f"(r[19]), "+f"(r[20]), "+f"(r[21]), "+f"(r[22]), "+f"(r[23]),
                  "+f"(r[24]), "+f"(r[25]), "+f"(r[26]), "+f"(r[27]), "+f"(r[28]), "+f"(r[29]), "+f"(r[30]), "+f"(r[31])
                : "l"(descriptor(tiles[step % 2][0] + 32 * k)), "l"(descriptor(tiles[step % 2][1] + 32 * k)) : "memory");
        }
        asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();
    }
    const int lane = threadIdx.x % 32, first = row + threadIdx.x / 32 * 16 + lane / 4;
    for (int i = 0; i < 32; ++i) d[(first + i / 2 % 2 * 8) * n + column + i / 4 * 8 + lane % 4 * 2 + i % 2] = r[i];
}
)cuda";

struct Map {
    CUtensorMap map;
};

// Of a matrix of halves by rows, in tiles of 64 by 64.
Map tiles_of(const Buffer& memory, uint64_t lines, uint64_t depth) {
    const cuuint64_t sizes[] = {depth, lines}, strides[] = {2 * depth};
    const cuuint32_t box[] = {64, 64}, steps[] = {1, 1};
    Map result;
    const CUresult code = bindings::driver::cuTensorMapEncodeTiled(
        &result.map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, reinterpret_cast<void*>(memory.handle()), sizes, strides, box,
        steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (code != CUDA_SUCCESS) throw std::runtime_error("cuTensorMapEncodeTiled: " + std::to_string(code));
    return result;
}

using TensorMatmul = Execution;

TEST_F(TensorMatmul, ByTensorMapsAndGroupsOfWarps) {
    if (device.compute_capability().major != 9) GTEST_SKIP() << "needs compute capability 9.0";
    device.set_current();
    constexpr uint32_t m = 128, n = 192, depth = 200;  // of the last tiles a part lies outside
    std::mt19937 random(7);
    std::uniform_int_distribution<size_t> values(0, 6);
    constexpr uint16_t halves[] = {0xc200, 0xc000, 0xbc00, 0, 0x3c00, 0x4000, 0x4200};  // -3 to 3
    std::vector<uint16_t> a(m * depth), b(n * depth);
    std::vector<int> number_a, number_b;
    const auto fill = [&](std::vector<uint16_t>& matrix, std::vector<int>& numbers) {
        for (uint16_t& element : matrix) {
            const size_t value = values(random);
            element = halves[value];
            numbers.push_back(static_cast<int>(value) - 3);
        }
    };
    fill(a, number_a);
    fill(b, number_b);
    const Buffer in_a = test::buffer_of(device, a), in_b = test::buffer_of(device, b);
    const Buffer out = test::buffer_of(device, std::vector<float>(size_t{m} * n, -1.0F));
    const ObjectCode object = Program(source, SourceType::cxx, {.arch = "sm_90a"}).compile();
    run(object, "product", {{n / 64, m / 64}, 128}, out, tiles_of(in_a, m, depth), tiles_of(in_b, n, depth),
        static_cast<int>(n), static_cast<int>(depth));
    std::vector<float> expected;
    for (size_t i = 0; i < m; ++i) {
        for (size_t j = 0; j < n; ++j) {
            int sum = 0;
            for (size_t k = 0; k < depth; ++k)
                sum += number_a[i * depth + k] * number_b[j * depth + k];
            expected.push_back(static_cast<float>(sum));
        }
    }
    EXPECT_EQ(test::values_of<float>(out), expected);
}

}  // namespace
}  // namespace cuprum::core
