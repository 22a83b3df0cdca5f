// Every thread makes progress, whatever the others of its warp, block or cooperative grid wait for; and lanes of a warp
// meet in .sync instructions wherever they come from.
#include "execution.hpp"

namespace cuprum::core {

const ObjectCode& Execution::code(const char* source) {
    // Leaked, so that the driver is not called after main.
    static auto* const known = new std::map<const char*, ObjectCode>;
    auto found = known->find(source);
    if (found == known->end()) {
        found = known->emplace(source, Program(source, SourceType::cxx, {.name = "execution.cu"}).compile()).first;
    }
    return found->second;
}

namespace {

const char* const source = R"cuda(
// --- waiting for one another ---

// Takes the lock with all lanes of a warp at once; the loop has a branch in it that splits the spinning lanes.
extern "C" __global__ void locks(int* out) {
    volatile int* counter = out + 1;
    int tries = 0;
    while (atomicCAS(out, 0, 1) != 0) {
        if (threadIdx.x & 1) { atomicAdd(out + 2, 1); } else { asm volatile("nanosleep.u32 20;"); }
        ++tries;
    }
    *counter = *counter + 1;
    __threadfence();
    atomicExch(out, 0);
}

// Lane 0 hands a value to lane 1, lane 1 to lane 2, ... each waiting in the same loop.
extern "C" __global__ void chain(int* out) {
    __shared__ volatile int turn;
    if (threadIdx.x == 0) turn = 0;
    __syncthreads();
    while (turn != threadIdx.x) {}
    out[threadIdx.x] = turn * 10;
    __threadfence_block();
    turn = threadIdx.x + 1;
}

// The same from the last thread of the block to the first: the waiting threads are always at the lower instruction.
extern "C" __global__ void chain_backwards(int* out) {
    __shared__ volatile int turn;
    if (threadIdx.x == 0) turn = blockDim.x - 1;
    __syncthreads();
    if (turn != threadIdx.x) {
        while (turn != threadIdx.x) {
            if (turn % 3 == threadIdx.x % 3) out[threadIdx.x] += 0;
        }
    }
    out[threadIdx.x] = turn * 10;
    __threadfence_block();
    turn = turn - 1;
}

// Consumer lanes are ahead in the program of producer lanes, and wait in a function.
__device__ __noinline__ int await(volatile int* flag) { while (*flag == 0) {} return *flag; }
extern "C" __global__ void ring(int* out) {
    __shared__ volatile int slot[64];
    slot[threadIdx.x] = 0;
    __syncthreads();
    int value = threadIdx.x == 63 ? 1 : await(&slot[threadIdx.x + 1]) + 1;
    slot[threadIdx.x] = value;
    out[threadIdx.x] = value;
}

// Block 0 waits for the last block of a cooperative grid.
extern "C" __global__ void last_block_first(int* out) {
    volatile int* flag = out + gridDim.x;
    if (blockIdx.x == gridDim.x - 1) {
        if (threadIdx.x == 0) { __threadfence(); *flag = 1; }
    } else {
        while (*flag == 0) {}
    }
    if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

// --- meeting ---

extern "C" __global__ void shuffle_from_both_sides(int* out) {
    int value = threadIdx.x * 3;
    if (threadIdx.x % 2) { value = __shfl_xor_sync(~0u, value, 1) + 1000; }
    else { value = value + 7; value = __shfl_xor_sync(~0u, value, 1) + 2000; }
    out[threadIdx.x] = value;
}

__device__ __noinline__ unsigned ballot_of(bool yes) { return __ballot_sync(~0u, yes); }
extern "C" __global__ void votes_from_everywhere(unsigned* out) {
    unsigned result = 0;
    switch (threadIdx.x % 4) {
        case 0: result = ballot_of(true); break;
        case 1: result = __ballot_sync(~0u, threadIdx.x > 16); out[64] = 1; break;
        case 2: result = __ballot_sync(~0u, false); break;
        default: result = ballot_of(threadIdx.x < 8);
    }
    out[threadIdx.x] = result;
    if (threadIdx.x < 10) result = __any_sync(~0u, threadIdx.x == 5);
    else result = 2 + __any_sync(~0u, threadIdx.x == 40);
    out[32 + threadIdx.x] = result;
}

extern "C" __global__ void matches_and_sums(unsigned* out) {
    unsigned equal, sum;
    if (threadIdx.x < 12) { equal = __match_any_sync(~0u, threadIdx.x / 8); sum = __reduce_add_sync(~0u, threadIdx.x); }
    else { equal = __match_any_sync(~0u, threadIdx.x / 8); out[70] = 3; sum = __reduce_add_sync(~0u, threadIdx.x); }
    out[threadIdx.x] = equal;
    out[32 + threadIdx.x] = sum;
}

// Each quarter of the warp meets by itself, its halves at different places, while others have gone on or exited.
extern "C" __global__ void quarters(int* out) {
    unsigned mask = 0xffu << (threadIdx.x & 24);
    int value = threadIdx.x;
    if (threadIdx.x % 8 < 4) value += __shfl_xor_sync(mask, value, 4);
    else value = 100 * value + __shfl_xor_sync(mask, value, 4);
    out[threadIdx.x] = value;
    if (threadIdx.x < 16) return;
    if (threadIdx.x % 2) __syncwarp(0xffff0000u); else { out[32] = 1; __syncwarp(0xffff0000u); }
    out[threadIdx.x] += 10000;
}
)cuda";

class Progress : public Execution {
protected:
    const ObjectCode& kernels = code(source);
};

TEST_F(Progress, LanesOfAWarpThatContendForALockAllGetIt) {
    EXPECT_EQ(integers(kernels, "locks", 3, {4, 64})[1], 4 * 64);
}

TEST_F(Progress, LanesThatWaitForALowerLaneAreReached) {
    const auto out = integers(kernels, "chain", 96, {1, 96});
    for (int t = 0; t < 96; ++t)
        EXPECT_EQ(out[static_cast<size_t>(t)], t * 10);
}

TEST_F(Progress, LanesThatWaitForAHigherLaneAreReached) {
    const auto out = integers(kernels, "chain_backwards", 96, {1, 96});
    for (int t = 0; t < 96; ++t)
        EXPECT_EQ(out[static_cast<size_t>(t)], t * 10);
}

TEST_F(Progress, LanesThatWaitInAFunctionAreReached) {
    const auto out = integers(kernels, "ring", 64, {1, 64});
    for (int t = 0; t < 64; ++t)
        EXPECT_EQ(out[static_cast<size_t>(t)], 64 - t);
}

TEST_F(Progress, EveryBlockOfACooperativeGridIsResident) {
    const uint32_t blocks = 40;
    LaunchConfig config{blocks, 32};
    config.is_cooperative = true;
    EXPECT_EQ(integers(kernels, "last_block_first", blocks + 1, config), std::vector<int>(blocks + 1, 1));
}

TEST_F(Progress, LanesShuffleFromDifferentPlaces) {
    const auto out = integers(kernels, "shuffle_from_both_sides", 32, {1, 32});
    for (int t = 0; t < 32; ++t)
        EXPECT_EQ(out[static_cast<size_t>(t)], t % 2 == 1 ? (t - 1) * 3 + 7 + 1000 : (t + 1) * 3 + 2000) << t;
}

TEST_F(Progress, LanesVoteFromDifferentPlaces) {
    const auto out = integers(kernels, "votes_from_everywhere", 65, {1, 32});
    uint32_t ballot = 0;
    for (int t = 0; t < 32; ++t) {
        const bool yes = t % 4 == 0 || (t % 4 == 1 && t > 16) || (t % 4 == 3 && t < 8);
        ballot |= yes ? 1u << t : 0;
    }
    for (int t = 0; t < 32; ++t) {
        EXPECT_EQ(static_cast<uint32_t>(out[static_cast<size_t>(t)]), ballot) << t;
        EXPECT_EQ(out[static_cast<size_t>(32 + t)], t < 10 ? 1 : 3) << t;
    }
}

TEST_F(Progress, LanesMatchAndReduceFromDifferentPlaces) {
    const auto out = integers(kernels, "matches_and_sums", 71, {1, 32});
    for (int t = 0; t < 32; ++t) {
        EXPECT_EQ(static_cast<uint32_t>(out[static_cast<size_t>(t)]), 0xffu << (t & 24)) << t;
        EXPECT_EQ(out[static_cast<size_t>(32 + t)], 31 * 16) << t;
    }
}

TEST_F(Progress, TilesMeetByThemselves) {
    const auto out = integers(kernels, "quarters", 33, {1, 32});
    for (int t = 0; t < 32; ++t) {
        const int value = (t % 8 < 4 ? t : 100 * t) + (t ^ 4);
        EXPECT_EQ(out[static_cast<size_t>(t)], value + (t >= 16 ? 10000 : 0)) << t;
    }
}

}  // namespace
}  // namespace cuprum::core
