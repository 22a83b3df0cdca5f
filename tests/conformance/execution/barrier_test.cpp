// Barriers of a block in every form: all threads, some of them, arrivals, reductions, numbers in registers.
#include "execution.hpp"

namespace cuprum::core {
namespace {

const char* const source = R"cuda(
// Warps 1 to 3 produce for warp 0 through barriers 1 and 2, without waiting for the slow one.
extern "C" __global__ void producers(int* out, int rounds) {
    __shared__ int value[3];
    if (threadIdx.x < 32) {
        int sum = 0;
        for (int r = 0; r < rounds; ++r) {
            asm volatile("barrier.sync 1, 128;" ::: "memory");
            if (threadIdx.x < 3) sum += value[threadIdx.x];
            asm volatile("barrier.arrive 2, 128;" ::: "memory");
        }
        out[threadIdx.x] = sum;
    } else {
        for (int r = 0; r < rounds; ++r) {
            if (threadIdx.x % 32 == 7) value[threadIdx.x / 32 - 1] = r * (threadIdx.x / 32);
            asm volatile("bar.arrive 1, 128;" ::: "memory");
            asm volatile("bar.sync 2, 128;" ::: "memory");
        }
    }
}

// Pairs of warps use barriers whose numbers and counts are in registers.
extern "C" __global__ void pairs(int* out, int first, int threads) {
    __shared__ int value[256];
    int barrier = first + threadIdx.x / 64;
    value[threadIdx.x] = threadIdx.x * 2;
    asm volatile("barrier.sync %0, %1;" :: "r"(barrier), "r"(threads) : "memory");
    out[threadIdx.x] = value[threadIdx.x ^ 63];
}

extern "C" __global__ void reductions(int* out, int threads) {
    int count, all, any;
    asm volatile("{ .reg .pred p, q; setp.lt.s32 p, %3, 70; barrier.red.popc.u32 %0, 5, %4, p; barrier.red.and.pred q, 6, %4, !p;"
                 "selp.s32 %1, 1, 0, q; barrier.red.or.pred q, 7, p; selp.s32 %2, 1, 0, q; }"
                 : "=r"(count), "=r"(all), "=r"(any) : "r"(threadIdx.x), "r"(threads));
    out[threadIdx.x] = count * 100 + all * 10 + any;
}

// Not aligned: the halves of a warp come from different places.
extern "C" __global__ void from_two_places(int* out) {
    __shared__ int value[64];
    value[threadIdx.x] = threadIdx.x + 5;
    if (threadIdx.x % 3 == 0) asm volatile("barrier.sync 0;" ::: "memory");
    else { out[64] = 1; asm volatile("barrier.sync 0;" ::: "memory"); }
    out[threadIdx.x] = value[63 - threadIdx.x];
}

// Threads that have returned are not waited for; a block that does not fill its last warp counts it whole.
extern "C" __global__ void fewer_threads(int* out) {
    if (threadIdx.x % 2) return;
    __shared__ int value[80];
    value[threadIdx.x] = threadIdx.x;
    __syncthreads();
    asm volatile("barrier.sync 9, 96;" ::: "memory");
    out[threadIdx.x] = value[(threadIdx.x + 40) % 80];
}
)cuda";

class Barriers : public Execution {
protected:
    const ObjectCode& kernels = code(source);
};

TEST_F(Barriers, ProducersArriveAndConsumersWait) {
    const auto out = integers(kernels, "producers", 32, {1, 128}, 20);
    EXPECT_EQ(out[0], 190);
    EXPECT_EQ(out[1], 380);
    EXPECT_EQ(out[2], 570);
    EXPECT_EQ(out[3], 0);
}

TEST_F(Barriers, NumberAndCountMayBeInRegisters) {
    const auto out = integers(kernels, "pairs", 256, {1, 256}, 11, 64);
    for (int t = 0; t < 256; ++t)
        EXPECT_EQ(out[static_cast<size_t>(t)], (t ^ 63) * 2) << t;
}

TEST_F(Barriers, ReduceOverTheirThreads) {
    EXPECT_EQ(integers(kernels, "reductions", 96, {1, 96}, 96), std::vector<int>(96, 7001));
    EXPECT_EQ(integers(kernels, "reductions", 64, {1, 64}, 64), std::vector<int>(64, 6401));
}

TEST_F(Barriers, ThatAreNotAlignedJoinDifferentPlaces) {
    const auto out = integers(kernels, "from_two_places", 65, {1, 64});
    for (int t = 0; t < 64; ++t)
        EXPECT_EQ(out[static_cast<size_t>(t)], 63 - t + 5) << t;
}

TEST_F(Barriers, DoNotWaitForThreadsThatHaveReturned) {
    const auto out = integers(kernels, "fewer_threads", 80, {1, 80});
    for (int t = 0; t < 80; t += 2)
        EXPECT_EQ(out[static_cast<size_t>(t)], (t + 40) % 80) << t;
}

}  // namespace
}  // namespace cuprum::core
