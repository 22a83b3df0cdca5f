// Kernels built from CUDA's own device libraries: CUB's block primitives, cooperative groups, half precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "engine/instructions/half/half.hpp"
#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

void expect_success(const std::optional<Fault>& fault) {
    ASSERT_FALSE(fault) << fault->message;
}

TEST(CubBlock, ReduceScanAndRadixSort) {
    SimulatedDevice device;
    device.load(read_ptx("engine_cub.ptx"));
    const uint32_t blocks = 5;
    const size_t tile = 512, n = tile * blocks;
    std::mt19937 generator(3);
    std::vector<int> in(n);
    for (int& value : in)
        value = static_cast<int>(generator()) / 1000;
    const uint64_t sums = device.allocate(blocks * 4), scan = device.allocate(n * 4), sorted = device.allocate(n * 4);
    expect_success(device.launch("cub_block", {{blocks}, {128}}, Arguments(device.upload(in), sums, scan, sorted)));
    const auto out_sums = device.download<int>(sums, blocks), out_scan = device.download<int>(scan, n),
               out_sorted = device.download<int>(sorted, n);
    for (size_t block = 0; block < blocks; ++block) {
        const auto first = in.begin() + static_cast<std::ptrdiff_t>(block * tile);
        std::vector<int> part(first, first + static_cast<std::ptrdiff_t>(tile)), prefix(tile);
        EXPECT_EQ(out_sums[block], std::accumulate(part.begin(), part.end(), 0));
        std::exclusive_scan(part.begin(), part.end(), prefix.begin(), 0);
        std::sort(part.begin(), part.end());
        for (size_t k = 0; k < tile; ++k) {
            ASSERT_EQ(out_scan[block * tile + k], prefix[k]);
            ASSERT_EQ(out_sorted[block * tile + k], part[k]);
        }
    }
}

// Blocks wait for flags that earlier blocks publish together with a value: of 8 bytes for int, of 16 for long long,
// each a single copy.
template <class T>
void expect_decoupled_look_back(const std::string& init, const std::string& scan) {
    DeviceModel model;
    model.worker_threads = 4;
    SimulatedDevice device(model);
    device.load(read_ptx("engine_scan.ptx"));
    const int tiles = 400;
    const size_t n = static_cast<size_t>(tiles) * 128;
    std::vector<T> in(n), expected(n);
    for (size_t k = 0; k < n; ++k)
        in[k] = static_cast<T>(k * 7 % 1001);
    std::inclusive_scan(in.begin(), in.end(), expected.begin());
    const size_t bytes = 1 << 20;
    const uint64_t temporary = device.allocate(bytes), out = device.allocate(n * sizeof(T));
    expect_success(device.launch(init, {{(tiles + 127) / 128}, {128}}, Arguments(temporary, tiles, bytes)));
    expect_success(device.launch(scan, {{tiles}, {128}}, Arguments(temporary, tiles, bytes, device.upload(in), out)));
    EXPECT_EQ(device.download<T>(out, n), expected);
}

TEST(CubScan, DecoupledLookBackWithEightByteStates) {
    expect_decoupled_look_back<int>("scan32_init", "scan_int");
}

TEST(CubScan, DecoupledLookBackWithSixteenByteStates) {
    expect_decoupled_look_back<long long>("scan_init", "scan_long");
}

TEST(CooperativeGroups, TheGridSynchronisesAcrossMoreBlocksThanWorkers) {
    SimulatedDevice device;
    device.load(read_ptx("engine_cg.ptx"));
    const int n = 37 * 64;
    const uint64_t data = device.allocate(n * 4), out = device.allocate(n * 4);
    expect_success(device.launch("grid_barrier", {{37}, {64}, 0, true}, Arguments(data, out)));
    const auto result = device.download<int>(out, n);
    for (int i = 0; i < n; ++i) {
        const int other = (i + 33) % n;
        ASSERT_EQ(result[i], (n - 1 - i) + 2 * (n - 1 - other)) << i;
    }
}

TEST(CooperativeGroups, AGridBarrierInAnOrdinaryLaunchTraps) {
    SimulatedDevice device;
    device.load(read_ptx("engine_cg.ptx"));
    const uint64_t data = device.allocate(256), out = device.allocate(256);
    const auto fault = device.launch("grid_barrier", {{1}, {32}}, Arguments(data, out));
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::trap);
}

TEST(CooperativeGroups, TilesAndCoalescedThreadsReduce) {
    SimulatedDevice device;
    device.load(read_ptx("engine_cg.ptx"));
    const uint64_t out = device.allocate(64 * 4);
    expect_success(device.launch("tile_reduce", {{1}, {64}}, Arguments(out)));
    const auto result = device.download<int>(out, 64);
    for (int t = 0; t < 64; ++t) {
        int in_warp = 0;
        for (int other = t / 32 * 32; other < t / 32 * 32 + 32; ++other)
            in_warp += other % 3 == 0;
        const int tile = 8 * (t / 8 * 8) + 28;
        EXPECT_EQ(result[t], tile + (t % 3 == 0 ? 1000 * in_warp : 0)) << t;
    }
}

class HalfKernels : public testing::Test {
protected:
    HalfKernels() { device.load(read_ptx("engine_half.ptx")); }
    static std::vector<uint16_t> patterns(unsigned seed) {
        std::mt19937 generator(seed);
        std::vector<uint16_t> values(4096);
        for (uint16_t& value : values)
            value = static_cast<uint16_t>(generator());
        return values;
    }
    SimulatedDevice device;
};

// The reference: the exact value in long double, rounded by search among all finite halves. Independent of half.hpp's
// rounding.
uint16_t nearest_half(long double value) {
    if (std::isnan(value)) return 0x7fff;
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const long double magnitude = std::fabs(value);
    if (magnitude >= 65520.0L) return sign | 0x7c00;
    uint16_t low = 0, high = 0x7bff;
    while (low < high) {
        const auto middle = static_cast<uint16_t>((low + high + 1) / 2);
        if (static_cast<long double>(half_to_float(middle)) <= magnitude)
            low = middle;
        else
            high = static_cast<uint16_t>(middle - 1);
    }
    if (low == 0x7bff) return sign | low;
    const long double below = magnitude - half_to_float(low);
    const long double above = static_cast<long double>(half_to_float(static_cast<uint16_t>(low + 1))) - magnitude;
    const bool up = above < below || (above == below && (low & 1) != 0);
    return static_cast<uint16_t>(sign | (low + (up ? 1 : 0)));
}

bool is_nan(uint16_t half) {
    return (half & 0x7fff) > 0x7c00;
}

TEST_F(HalfKernels, SumsProductsAndFusedProductsRoundOnce) {
    const auto a = patterns(1), b = patterns(2);
    const int n = static_cast<int>(a.size());
    const uint64_t out = device.allocate(a.size() * 16);
    expect_success(device.launch("halves", {{static_cast<uint32_t>(n + 127) / 128}, {128}},
                                 Arguments(device.upload(a), device.upload(b), out, n)));
    const auto result = device.download<uint16_t>(out, a.size() * 8);
    for (size_t k = 0; k < a.size(); ++k) {
        const long double x = half_to_float(a[k]), y = half_to_float(b[k]);
        const uint16_t* const r = &result[k * 8];
        const auto expect = [&](uint16_t got, long double exact, const char* what) {
            const uint16_t wanted = nearest_half(exact);
            if (is_nan(wanted)) {
                ASSERT_TRUE(is_nan(got)) << what;
            } else {
                ASSERT_EQ(got, wanted) << what << " of " << static_cast<double>(x) << " and " << static_cast<double>(y);
            }
        };
        expect(r[0], x + y, "sum");
        expect(r[1], x * y, "product");
        expect(r[2], x * y + x, "fused");
        if (!is_nan(a[k]) && !is_nan(b[k])) {
            ASSERT_EQ(half_to_float(r[3]), std::fmin(half_to_float(a[k]), half_to_float(b[k])));
        }
        ASSERT_EQ(r[5], is_nan(a[k]) ? r[5] : a[k] ^ 0x8000);
        const long double difference = x - y;
        if (!std::isnan(difference)) expect(r[6], std::clamp(difference, 0.0L, 1.0L), "saturated difference");
    }
}

TEST_F(HalfKernels, PairsAndTheirAtomicAddition) {
    const auto a = patterns(5), b = patterns(6);
    const int pairs = static_cast<int>(a.size() / 2);
    std::vector<uint16_t> zero(a.size() + 2, 0);
    const uint64_t out = device.upload(zero);
    expect_success(
        device.launch("half_pairs", {{8}, {256}}, Arguments(device.upload(a), device.upload(b), out, pairs)));
    const auto result = device.download<uint16_t>(out, a.size() + 2);
    for (size_t k = 0; k < a.size(); ++k) {
        const long double x = half_to_float(a[k]), y = half_to_float(b[k]);
        const long double sum = half_to_float(nearest_half(x + y));
        const uint16_t wanted = nearest_half(x * y + sum);
        if (is_nan(wanted)) {
            ASSERT_TRUE(is_nan(result[k]));
        } else if (wanted != 0x8000 && wanted != 0) {
            ASSERT_EQ(result[k], wanted) << k;
        }
    }
    EXPECT_EQ(half_to_float(result[a.size()]), 2048.0f);  // 2048 threads; 2048 + 1 would not be representable
}

TEST_F(HalfKernels, BfloatsRoundOnce) {
    const auto a = patterns(8), b = patterns(9);
    const int n = static_cast<int>(a.size());
    const uint64_t out = device.allocate(a.size() * 8);
    expect_success(device.launch("bfloats", {{static_cast<uint32_t>(n + 127) / 128}, {128}},
                                 Arguments(device.upload(a), device.upload(b), out, n)));
    const auto result = device.download<uint16_t>(out, a.size() * 4);
    for (size_t k = 0; k < a.size(); ++k) {
        const double x = bfloat_to_float(a[k]), y = bfloat_to_float(b[k]);
        const auto expect = [&](uint16_t got, double exact) {
            if (std::isnan(exact)) {
                ASSERT_GT(got & 0x7fff, 0x7f80);
                return;
            }
            if (!std::isfinite(exact) || std::fabs(exact) > 3.3e38 || std::fabs(exact) < 1e-37) return;
            // Half a unit in the eighth significant bit.
            const double ulp = std::exp2(std::floor(std::log2(std::fabs(exact))) - 7);
            ASSERT_LE(std::fabs(bfloat_to_float(got) - exact), ulp / 2) << exact;
        };
        expect(result[k * 4], x + y);
        expect(result[k * 4 + 1], x * y);
        expect(result[k * 4 + 2], x * y + x);
    }
}

}  // namespace
}  // namespace cuprum::simulator::test
