// Warps, blocks, calls and faults, with kernels as NVRTC compiles them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

using testing::HasSubstr;

class WarpKernels : public testing::Test {
protected:
    WarpKernels() { device.load(read_ptx("engine_warp.ptx")); }
    void run(const std::string& kernel, const SimulatedDevice::Configuration& configuration,
             const Arguments& arguments) {
        const std::optional<Fault> fault = device.launch(kernel, configuration, arguments);
        ASSERT_FALSE(fault) << fault->message;
    }
    std::vector<int> run_for_ints(const std::string& kernel, size_t count, uint32_t threads = 32) {
        const uint64_t out = device.allocate(count * 4);
        run(kernel, {{1}, {threads}}, Arguments(out));
        return device.download<int>(out, count);
    }
    SimulatedDevice device;
};

TEST_F(WarpKernels, ShufflesVotesMatchesAndReductions) {
    const auto out = run_for_ints("shuffles", 320);
    int sum = 0;
    for (int t = 0; t < 32; ++t)
        sum += t * 3 + 1;
    unsigned every_third = 0;
    for (int t = 0; t < 32; t += 3)
        every_third |= 1u << t;
    for (int t = 0; t < 32; ++t) {
        EXPECT_EQ(out[t], ((t + 4 < 32) ? t + 4 : t) * 3 + 1) << "down " << t;
        EXPECT_EQ(out[32 + t], (t ^ 5) * 3 + 1) << "xor " << t;
        EXPECT_EQ(out[64 + t], (t % 8 >= 2 ? t - 2 : t) * 3 + 1) << "up by segments of 8 " << t;
        EXPECT_EQ(out[96 + t], (t / 16 * 16 + 7) * 3 + 1) << "idx by segments of 16 " << t;
        EXPECT_EQ(static_cast<unsigned>(out[128 + t]), every_third);
        unsigned equal = 0;
        for (int other = 0; other < 32; ++other)
            equal |= other / 5 == t / 5 ? 1u << other : 0;
        EXPECT_EQ(static_cast<unsigned>(out[160 + t]), equal);
        EXPECT_EQ(out[192 + t], sum);
        EXPECT_EQ(out[224 + t], 1);
        EXPECT_EQ(out[256 + t], 0);
        EXPECT_EQ(out[288 + t], -1);
    }
}

TEST_F(WarpKernels, HalvesOfADivergedWarpShuffleAmongThemselves) {
    const auto out = run_for_ints("divergent_sync", 32);
    for (int t = 0; t < 32; ++t)
        EXPECT_EQ(out[t], (t ^ 2) + ((t & 1) != 0 ? 100 : 200)) << t;
}

TEST_F(WarpKernels, TilesUseOneInstructionWithDifferentMasks) {
    const auto out = run_for_ints("tiles", 32);
    for (int t = 0; t < 32; ++t) {
        const int first = t & 24;
        EXPECT_EQ(out[t], 8 * first + 28) << t;
    }
}

TEST_F(WarpKernels, HistogramWithSharedAndGlobalAtomics) {
    const int n = 20000;
    std::vector<unsigned> in(n);
    for (int k = 0; k < n; ++k)
        in[k] = k * 2654435761u >> 7;
    std::vector<unsigned> expected(64, 0);
    for (const unsigned value : in)
        ++expected[value & 63];
    const uint64_t bins = device.upload(std::vector<unsigned>(64, 0));
    run("histogram", {{7}, {128}}, Arguments(device.upload(in), bins, n));
    EXPECT_EQ(device.download<unsigned>(bins, 64), expected);
}

TEST_F(WarpKernels, EveryKindOfAtomic) {
    std::vector<int> initial = {0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 1000};
    const uint64_t a = device.upload(initial), f = device.upload(std::vector<float>{0});
    const uint64_t u = device.upload(std::vector<unsigned long long>{0}), d = device.upload(std::vector<double>{0});
    run("atomics", {{4}, {100}}, Arguments(a, f, u, d));
    const auto out = device.download<int>(a, initial.size());
    int parity = 0;
    for (int t = 0; t < 400; ++t)
        parity ^= t;
    EXPECT_EQ(out[0], 400);
    EXPECT_EQ(out[1], -399);
    EXPECT_EQ(out[2], 399);
    EXPECT_EQ(out[3], -1);
    EXPECT_EQ(out[4], 7);
    EXPECT_EQ(out[5], 400 % 10);
    EXPECT_EQ(out[6], 5);
    EXPECT_EQ(out[7], parity);
    EXPECT_EQ(out[8], 0);
    EXPECT_EQ(out[9], 101 - (400 % 101));
    EXPECT_EQ(out[10], 200);
    EXPECT_EQ(device.download<float>(f, 1)[0], 200.0f);
    EXPECT_EQ(device.download<unsigned long long>(u, 1)[0], 399ull << 33);
    EXPECT_EQ(device.download<double>(d, 1)[0], 100.0);
}

TEST_F(WarpKernels, LocksWithinAWarpMakeProgress) {
    for (const char* kernel : {"spinlock", "hard_spinlock"}) {
        const uint64_t lock = device.upload(std::vector<int>{0}), counter = device.upload(std::vector<int>{0});
        run(kernel, {{3}, {64}}, Arguments(lock, counter));
        EXPECT_EQ(device.download<int>(counter, 1)[0], 192) << kernel;
    }
}

TEST_F(WarpKernels, AWarpWaitsForAFlagOfALaterWarp) {
    EXPECT_EQ(run_for_ints("producer_consumer", 1, 128)[0], 42);
}

TEST_F(WarpKernels, PrintfFormatsOnTheHost) {
    testing::internal::CaptureStdout();
    run("hello", {{1}, {32}}, Arguments(uint64_t{0}, 2));
    EXPECT_EQ(testing::internal::GetCapturedStdout(),
              "thread 0 of block:  0.00 1234567890123 x %\nthread 1 of block:  1.50 1234567890123 x %\n");
}

TEST_F(WarpKernels, RecursionPerThread) {
    const auto out = run_for_ints("recursion", 64, 64);
    const int fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    for (int t = 0; t < 64; ++t)
        EXPECT_EQ(out[t], fibonacci[t % 12]) << t;
}

TEST_F(WarpKernels, CallsThroughATableOfFunctionPointers) {
    const auto out = run_for_ints("indirect", 32);
    for (int t = 0; t < 32; ++t)
        EXPECT_EQ(out[t], t % 3 == 0 ? t + 7 : t % 3 == 1 ? t * 7 : t - 7) << t;
}

TEST_F(WarpKernels, StructuresByValueAreIndexedInParameterSpace) {
    struct Big {
        int v[40];
        float f;
    } big{};
    std::iota(big.v, big.v + 40, 100);
    big.f = 3.0f;
    const uint64_t out = device.allocate(128);
    run("by_value", {{1}, {32}}, Arguments(big, out, 15));
    const auto result = device.download<int>(out, 32);
    for (int t = 0; t < 32; ++t)
        EXPECT_EQ(result[t], 100 + (t + 15) % 40 + 3);
}

TEST_F(WarpKernels, SwitchTakesEveryCase) {
    std::vector<int> in(32);
    for (int t = 0; t < 32; ++t)
        in[t] = t % 9;
    const uint64_t out = device.allocate(128);
    run("switches", {{1}, {32}}, Arguments(device.upload(in), out));
    const auto result = device.download<int>(out, 32);
    for (int t = 0; t < 32; ++t) {
        const int expected[] = {5, t * 2, t * t, -t, 77, t ^ 3, t << 2, 1000 / (t + 1), -1};
        EXPECT_EQ(result[t], expected[t % 9]) << t;
    }
}

TEST_F(WarpKernels, ConstantAndInitialisedVariables) {
    const auto out = run_for_ints("constants", 32);
    const int coefficients[] = {1, 20, 300, 4000};
    for (int t = 0; t < 32; ++t)
        EXPECT_EQ(out[t], coefficients[t & 3] + 5);
}

TEST_F(WarpKernels, BlockWideVotes) {
    std::vector<int> in(96);
    for (int t = 0; t < 96; ++t)
        in[t] = t % 3;
    const uint64_t out = device.allocate(96 * 4);
    run("votes", {{1}, {96}}, Arguments(device.upload(in), out));
    for (const int value : device.download<int>(out, 96))
        EXPECT_EQ(value, 64 * 100 + 0 + 1);
}

TEST_F(WarpKernels, BitInstructions) {
    std::vector<unsigned> in(32);
    for (unsigned t = 0; t < 32; ++t)
        in[t] = t == 0 ? 0 : t * 2654435761u;
    const uint64_t out = device.allocate(32 * 8 * 4);
    run("bits", {{1}, {32}}, Arguments(device.upload(in), out));
    const auto result = device.download<unsigned>(out, 256);
    for (unsigned t = 0; t < 32; ++t) {
        const unsigned x = in[t], y = ~x;
        unsigned reversed = 0;
        for (int bit = 0; bit < 32; ++bit)
            reversed |= (x >> bit & 1) << (31 - bit);
        const unsigned* const r = &result[t * 8];
        EXPECT_EQ(r[0], static_cast<unsigned>(__builtin_popcount(x)));
        EXPECT_EQ(r[1], x == 0 ? 32u : static_cast<unsigned>(__builtin_clz(x)));
        EXPECT_EQ(r[2], reversed);
        EXPECT_EQ(r[3], static_cast<unsigned>(__builtin_ffs(static_cast<int>(x))));
        // Selector 0x5140: bytes 0 and 1 of x and of ~x, interleaved.
        EXPECT_EQ(r[4], (x & 0xff) | (y & 0xff) << 8 | (x >> 8 & 0xff) << 16 | (y >> 8 & 0xff) << 24);
        EXPECT_EQ(r[5], t == 0 ? y : (y << t | x >> (32 - t)));
        int dot = static_cast<int>(t);
        for (int byte = 0; byte < 4; ++byte) {
            dot += static_cast<int8_t>(x >> (8 * byte)) * static_cast<int8_t>(y >> (8 * byte));
        }
        EXPECT_EQ(static_cast<int>(r[6]), dot);
        const int low24 = static_cast<int>(x << 8) >> 8;
        EXPECT_EQ(r[7], static_cast<unsigned>(static_cast<uint64_t>(x) * x >> 32) +
                            static_cast<unsigned>(static_cast<int64_t>(low24) * 3));
    }
}

// --- faults ---

TEST_F(WarpKernels, AnAccessOutOfBoundsNamesKernelThreadAndAllocation) {
    const uint64_t buffer = device.allocate(128, "buffer of 128 bytes");
    const auto fault = device.launch("out_of_bounds", {{1}, {32}}, Arguments(buffer, 4));
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::illegal_address);
    EXPECT_EQ(fault->kernel, "out_of_bounds");
    EXPECT_EQ(fault->thread.x, 28u);
    EXPECT_EQ(fault->address, buffer + 128);
    EXPECT_NE(fault->ptx_line, 0u);
    EXPECT_THAT(fault->message, HasSubstr("0 bytes past the end of the buffer of 128 bytes"));
    EXPECT_THAT(fault->message, HasSubstr("thread (28, 0, 0)"));
}

TEST(Faults, TheReportIsTheLowestBlocksHoweverTheBlocksAreSpread) {
    SimulatedDevice device;
    // Blocks 5 and above store to the null page; the higher, the sooner.
    device.load(R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry fault_from_block_5() {
    .reg .pred %p<3>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<2>;
    mov.u32 %r1, %ctaid.x;
    setp.lt.u32 %p1, %r1, 5;
    @%p1 bra DONE;
    mov.u32 %r2, 0;
    mul.lo.u32 %r3, %r1, 200;
    sub.u32 %r3, 13000, %r3;
WAIT:
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p2, %r2, %r3;
    @%p2 bra WAIT;
    mov.u64 %rd1, 0;
    st.global.u32 [%rd1], %r1;
DONE:
    ret;
}
)");
    for (int round = 0; round < 50; ++round) {
        const auto fault = device.launch("fault_from_block_5", {{64}, {1}}, Arguments());
        ASSERT_TRUE(fault);
        EXPECT_EQ(fault->block.x, 5u);
    }
}

TEST_F(WarpKernels, SharedMemoryHasTheSizeOfTheLaunch) {
    const auto fault = device.launch("shared_overflow", {{1}, {32}, 128}, Arguments(1));
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::illegal_address);
    EXPECT_EQ(fault->thread.x, 31u);
    EXPECT_THAT(fault->message, HasSubstr("the block has 128 bytes"));
    EXPECT_FALSE(device.launch("shared_overflow", {{1}, {32}, 128}, Arguments(0)));
}

TEST_F(WarpKernels, MisalignedAccessFaults) {
    const auto fault = device.launch("misaligned", {{1}, {1}}, Arguments(device.allocate(64)));
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::misaligned_address);
}

TEST_F(WarpKernels, TrapAndAssertName) {
    const auto trap = device.launch("traps", {{1}, {32}}, Arguments());
    ASSERT_TRUE(trap);
    EXPECT_EQ(trap->kind, Fault::Kind::trap);
    EXPECT_EQ(trap->thread.x, 3u);
    const auto assertion = device.launch("asserts", {{1}, {32}}, Arguments(5));
    ASSERT_TRUE(assertion);
    EXPECT_EQ(assertion->kind, Fault::Kind::assertion);
    EXPECT_EQ(assertion->thread.x, 5u);
    EXPECT_THAT(assertion->message, HasSubstr("threadIdx.x < n"));
    EXPECT_FALSE(device.launch("asserts", {{1}, {32}}, Arguments(32)));
}

TEST_F(WarpKernels, ADeadlockIsReportedWithThePlaceOfEachWarp) {
    const auto fault = device.launch("deadlocks", {{1}, {64}}, Arguments(16));
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::deadlock);
    EXPECT_THAT(fault->message, HasSubstr("warp 0 lanes 0xffff wait at barrier 0"));
    EXPECT_THAT(fault->message, HasSubstr("warp 1 lanes 0xffffffff wait at barrier 1"));
}

}  // namespace
}  // namespace cuprum::simulator::test
