// Products by groups of four warps: wgmma.mma_async. Operands are written to shared memory here, element by element, as
// the ISA lays matrices out there; values are small integers, so that every order of summation gives the same result.
// They are compiled for compute capability 9.0 alone (sm_90a).
#include <cstring>
#include <random>

#include "execution.hpp"

namespace cuprum::core {
namespace {

const char* const source = R"cuda(
#include <cuda_bf16.h>
#include <cuda_fp16.h>
struct Layout {
    int swizzle;        // the span in bytes, 0 without
    int leading, stride;  // bytes
    int transposed;
};
__device__ unsigned place(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ unsigned long long descriptor(const void* start, Layout layout) {
    const int mode = layout.swizzle == 128 ? 1 : layout.swizzle == 64 ? 2 : layout.swizzle == 32 ? 3 : 0;
    return (unsigned long long)((place(start) & 0x3ffff) >> 4) | (unsigned long long)(layout.leading >> 4) << 16 |
           (unsigned long long)(layout.stride >> 4) << 32 | (unsigned long long)mode << 62;
}
#define MULTIPLY(NAME, ROWS, COLUMNS, OUTPUT, ...) \
    extern "C" __global__ void NAME(OUTPUT* d, const unsigned char* a, const unsigned char* b, Layout la, Layout lb, int adds) { \
        __shared__ __align__(1024) unsigned char sa[16384], sb[16384]; \
        for (int k = threadIdx.x; k < 16384; k += 128) { sa[k] = a[k]; sb[k] = b[k]; } \
        asm volatile("fence.proxy.async;" ::: "memory"); \
        __syncthreads(); \
        const int lane = threadIdx.x % 32, first = threadIdx.x / 32 * 16 + lane / 4; \
        OUTPUT r[4 * COLUMNS / 8]; \
        for (int i = 0; i < 4 * COLUMNS / 8; ++i) r[i] = d[(first + i / 2 % 2 * 8) * COLUMNS + i / 4 * 8 + lane % 4 * 2 + i % 2]; \
        const unsigned long long da = descriptor(sa, la), db = descriptor(sb, lb); \
        unsigned ra[4]; \
        for (int i = 0; i < 4; ++i) ra[i] = ((const unsigned*)(a + (first + i % 2 * 8) * 32))[lane % 4 + i / 2 * 4]; \
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); \
        __VA_ARGS__ \
        asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory"); \
        for (int i = 0; i < 4 * COLUMNS / 8; ++i) d[(first + i / 2 % 2 * 8) * COLUMNS + i / 4 * 8 + lane % 4 * 2 + i % 2] = r[i]; \
    }
#define F4 "+f"(r[0]), "+f"(r[1]), "+f"(r[2]), "+f"(r[3])
#define F8 F4, "+f"(r[4]), "+f"(r[5]), "+f"(r[6]), "+f"(r[7])
#define F32 F8, "+f"(r[8]), "+f"(r[9]), "+f"(r[10]), "+f"(r[11]), "+f"(r[12]), "+f"(r[13]), "+f"(r[14]), "+f"(r[15]), \
    "+f"(r[16]), "+f"(r[17]), "+f"(r[18]), "+f"(r[19]), "+f"(r[20]), "+f"(r[21]), "+f"(r[22]), "+f"(r[23]), \
    "+f"(r[24]), "+f"(r[25]), "+f"(r[26]), "+f"(r[27]), "+f"(r[28]), "+f"(r[29]), "+f"(r[30]), "+f"(r[31])
#define I8 "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]), "+r"(r[4]), "+r"(r[5]), "+r"(r[6]), "+r"(r[7])
#define T8 "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define T32 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, " \
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}"
#define SHARED(FORM, T, D, A, B, ADDS, MORE) \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, " ADDS ", 0; wgmma.mma_async.sync.aligned." FORM " " T ", " A ", " B ", p" MORE "; }" \
                 : D : "l"(da), "l"(db), "r"(adds) : "memory");
#define REGISTERS(FORM, T, D, A, B, ADDS, MORE) \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, " ADDS ", 0; wgmma.mma_async.sync.aligned." FORM " " T ", " A ", " B ", p" MORE "; }" \
                 : D : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "l"(db), "r"(adds) : "memory");

MULTIPLY(halves, 64, 64, float, SHARED("m64n64k16.f32.f16.f16", T32, F32, "%32", "%33", "%34", ", 1, 1, 0, 0"))
MULTIPLY(halves_a, 64, 64, float, SHARED("m64n64k16.f32.f16.f16", T32, F32, "%32", "%33", "%34", ", 1, 1, 1, 0"))
MULTIPLY(halves_b, 64, 64, float, SHARED("m64n64k16.f32.f16.f16", T32, F32, "%32", "%33", "%34", ", 1, 1, 0, 1"))
MULTIPLY(halves_ab, 64, 64, float, SHARED("m64n64k16.f32.f16.f16", T32, F32, "%32", "%33", "%34", ", -1, 1, 1, 1"))
MULTIPLY(halves_registers, 64, 16, float, REGISTERS("m64n16k16.f32.f16.f16", T8, F8, "{%8, %9, %10, %11}", "%12", "%13", ", 1, -1, 0"))
MULTIPLY(bfloats, 64, 16, float, SHARED("m64n16k16.f32.bf16.bf16", T8, F8, "%8", "%9", "%10", ", 1, 1, 0, 0"))
MULTIPLY(tf32, 64, 16, float, SHARED("m64n16k8.f32.tf32.tf32", T8, F8, "%8", "%9", "%10", ", 1, 1"))
MULTIPLY(tf32_registers, 64, 16, float, REGISTERS("m64n16k8.f32.tf32.tf32", T8, F8, "{%8, %9, %10, %11}", "%12", "%13", ", 1, 1"))
MULTIPLY(e4m3, 64, 16, float, SHARED("m64n16k32.f32.e4m3.e4m3", T8, F8, "%8", "%9", "%10", ", 1, 1"))
MULTIPLY(e4m3_e5m2, 64, 16, float, SHARED("m64n16k32.f32.e4m3.e5m2", T8, F8, "%8", "%9", "%10", ", 1, 1"))
MULTIPLY(e5m2_registers, 64, 16, float, REGISTERS("m64n16k32.f32.e5m2.e5m2", T8, F8, "{%8, %9, %10, %11}", "%12", "%13", ", 1, 1"))
MULTIPLY(bytes, 64, 16, int, SHARED("m64n16k32.s32.s8.s8", T8, I8, "%8", "%9", "%10", ""))
MULTIPLY(bytes_mixed, 64, 16, int, SHARED("m64n16k32.s32.u8.s8.satfinite", T8, I8, "%8", "%9", "%10", ""))
MULTIPLY(bytes_registers, 64, 16, int, REGISTERS("m64n16k32.s32.s8.u8", T8, I8, "{%8, %9, %10, %11}", "%12", "%13", ""))

// Accumulators of halves: a register is two neighbours of a row.
extern "C" __global__ void half_sums(float* d, const unsigned char* a, const unsigned char* b, Layout la, Layout lb, int adds) {
    __shared__ __align__(1024) unsigned char sa[16384], sb[16384];
    for (int k = threadIdx.x; k < 16384; k += 128) { sa[k] = a[k]; sb[k] = b[k]; }
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    const int lane = threadIdx.x % 32;
    float* const first = d + (threadIdx.x / 32 * 16 + lane / 4) * 8 + lane % 4 * 2;
    unsigned r[2];
    for (int i = 0; i < 2; ++i)
        r[i] = __half_as_ushort(__float2half(first[64 * i])) | __half_as_ushort(__float2half(first[64 * i + 1])) << 16;
    const unsigned long long da = descriptor(sa, la), db = descriptor(sb, lb);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, %2, %3, p, 1, 1, 0, 0; }"
                 : "+r"(r[0]), "+r"(r[1]) : "l"(da), "l"(db), "r"(adds) : "memory");
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 2; ++i) {
        first[64 * i] = __half2float(__ushort_as_half(r[i] & 0xffff));
        first[64 * i + 1] = __half2float(__ushort_as_half(r[i] >> 16));
    }
}
)cuda";

// How elements are encoded, independently of the code under test.
enum class Kind { half, bfloat, tf32, e4m3, e5m2, byte };

size_t bytes_of(Kind kind) {
    return kind == Kind::tf32 ? 4 : kind == Kind::half || kind == Kind::bfloat ? 2 : 1;
}

uint32_t encoded(Kind kind, int value) {
    if (kind == Kind::byte) return static_cast<uint8_t>(value);
    const auto single = static_cast<float>(value);
    uint32_t bits = 0;
    std::memcpy(&bits, &single, 4);
    const uint32_t sign = bits >> 31, exponent = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
    const auto narrow = [&](uint32_t exponent_bits, uint32_t fraction_bits) {
        const uint32_t bias = (1u << (exponent_bits - 1)) - 1;
        const uint32_t magnitude =
            value == 0 ? 0 : (exponent - 127 + bias) << fraction_bits | fraction >> (23 - fraction_bits);
        return sign << (exponent_bits + fraction_bits) | magnitude;
    };
    switch (kind) {
        case Kind::half:
            return narrow(5, 10);
        case Kind::bfloat:
            return narrow(8, 7);
        case Kind::e4m3:
            return narrow(4, 3);
        case Kind::e5m2:
            return narrow(5, 2);
        default:
            return bits;
    }
}

struct Layout {
    int swizzle = 0, leading = 0, stride = 0, transposed = 0;
};

// Puts an operand where the descriptor says that it lies. `line`: a row of A, a column of B.
std::vector<uint8_t> laid_out(Kind kind, const std::vector<int>& values, size_t lines, size_t depth,
                              const Layout& layout) {
    std::vector<uint8_t> memory(16384, 0xee);
    const size_t size = bytes_of(kind), span = static_cast<size_t>(layout.swizzle);
    const auto leading = static_cast<size_t>(layout.leading), stride = static_cast<size_t>(layout.stride);
    for (size_t line = 0; line < lines; ++line) {
        for (size_t k = 0; k < depth; ++k) {
            size_t byte = 0;
            if (layout.transposed == 0) {
                // Rows of 8 lines; a line's 32 bytes lie side by side within the span, or 16 and 16 apart.
                byte = span != 0 ? line % 8 * span + line / 8 * stride + k * size
                                 : line % 8 * 16 + line / 8 * stride + k * size / 16 * leading + k * size % 16;
            } else {
                byte = span != 0 ? line * size % span + line * size / span * leading + k % 8 * span + k / 8 * stride
                                 : line * size % 16 + line * size / 16 * stride + k % 8 * 16 + k / 8 * leading;
            }
            // Within each 128 bytes of a pattern, chunks of 16 bytes change places with the 128-byte line's number.
            if (span != 0) byte ^= (byte / 128 % (span / 16)) * 16;
            const uint32_t bits = encoded(kind, values[line * depth + k]);
            std::memcpy(memory.data() + byte, &bits, size);
        }
    }
    return memory;
}

class Warpgroups : public Execution {
protected:
    void SetUp() override {
        if (device.compute_capability().major != 9) GTEST_SKIP() << "needs compute capability 9.0";
        static const ObjectCode compiled = Program(source, SourceType::cxx, {.arch = "sm_90a"}).compile();
        object_ = &compiled;
    }
    std::vector<int> integers_of(size_t count, int least, int most) {
        std::uniform_int_distribution<int> values(least, most);
        std::vector<int> result(count);
        for (int& value : result)
            value = values(random_);
        return result;
    }
    struct Case {
        const char* kernel;
        size_t columns;
        Kind a, b;
        Layout layout_a, layout_b;
        int sign = 1;
        int least_a = -7, most_a = 7, least_b = -7, most_b = 7;
        bool from_registers = false;
    };
    template <class Output>
    void expect_product(const Case& test) {
        const size_t depth = 32 / bytes_of(test.a);
        const auto a = integers_of(64 * depth, test.least_a, test.most_a);
        const auto b = integers_of(test.columns * depth, test.least_b, test.most_b);
        const auto old = integers_of(64 * test.columns, -100, 100);
        // A kernel that takes A from registers reads its rows one after the other.
        const auto bytes_a =
            test.from_registers ? rows_of(test.a, a, depth) : laid_out(test.a, a, 64, depth, test.layout_a);
        const Buffer in_a = test::buffer_of(device, bytes_a);
        const Buffer in_b = test::buffer_of(device, laid_out(test.b, b, test.columns, depth, test.layout_b));
        for (const int adds : {0, 1}) {
            const Buffer out = test::buffer_of(device, std::vector<Output>(old.begin(), old.end()));
            run(*object_, test.kernel, {1, 128}, out, in_a, in_b, test.layout_a, test.layout_b, adds);
            std::vector<Output> expected;
            for (size_t i = 0; i < 64; ++i) {
                for (size_t j = 0; j < test.columns; ++j) {
                    int sum = adds != 0 ? old[i * test.columns + j] : 0;
                    for (size_t k = 0; k < depth; ++k)
                        sum += test.sign * a[i * depth + k] * b[j * depth + k];
                    expected.push_back(static_cast<Output>(sum));
                }
            }
            EXPECT_EQ(test::values_of<Output>(out), expected) << test.kernel << " " << adds;
        }
    }
    static std::vector<uint8_t> rows_of(Kind kind, const std::vector<int>& values, size_t depth) {
        std::vector<uint8_t> memory(16384);
        for (size_t k = 0; k < values.size(); ++k) {
            const uint32_t bits = encoded(kind, values[k]);
            std::memcpy(memory.data() + k / depth * 32 + k % depth * bytes_of(kind), &bits, bytes_of(kind));
        }
        return memory;
    }
    const ObjectCode* object_ = nullptr;
    std::mt19937 random_{90};
};

// The layouts of operands with k side by side, from no swizzle to 128 bytes; each group of 8 lines lies behind the one
// before, with room between them.
std::vector<Layout> layouts_along_depth() {
    return {{0, 128, 256}, {0, 1024 + 16, 128}, {32, 0, 256}, {64, 0, 512}, {128, 0, 1024}, {32, 0, 1024}};
}
// And with lines side by side.
std::vector<Layout> layouts_along_lines() {
    return {{0, 1024, 128, 1}, {32, 512, 256, 1}, {64, 1024, 512, 1}, {128, 2048, 1024, 1}};
}

TEST_F(Warpgroups, OperandsLieAsTheirDescriptorsSay) {
    for (const Layout& layout : layouts_along_depth())
        expect_product<float>({"halves", 64, Kind::half, Kind::half, layout, {128, 0, 1024}});
    for (const Layout& layout : layouts_along_depth())
        expect_product<float>({"halves", 64, Kind::half, Kind::half, {0, 128, 256}, layout});
}

TEST_F(Warpgroups, HalvesMayBeTransposed) {
    for (const Layout& layout : layouts_along_lines()) {
        expect_product<float>({"halves_a", 64, Kind::half, Kind::half, layout, {32, 0, 256}});
        expect_product<float>({"halves_b", 64, Kind::half, Kind::half, {64, 0, 512}, layout});
        expect_product<float>({"halves_ab", 64, Kind::half, Kind::half, layout, layout, -1});
    }
}

TEST_F(Warpgroups, EveryTypeOfOperandHasItsDepth) {
    const Layout a{32, 0, 256}, b{128, 0, 1024};
    expect_product<float>({"bfloats", 16, Kind::bfloat, Kind::bfloat, a, b});
    expect_product<float>({"tf32", 16, Kind::tf32, Kind::tf32, a, b});
    expect_product<float>({"e4m3", 16, Kind::e4m3, Kind::e4m3, a, b});
    expect_product<float>({"e4m3_e5m2", 16, Kind::e4m3, Kind::e5m2, a, b, 1, -7, 7, -4, 4});
    expect_product<int>({"bytes", 16, Kind::byte, Kind::byte, a, b, 1, -128, 127, -128, 127});
    expect_product<int>({"bytes_mixed", 16, Kind::byte, Kind::byte, a, b, 1, 0, 255, -128, 127});
}

TEST_F(Warpgroups, AMayBeInRegisters) {
    const Layout b{128, 0, 1024};
    expect_product<float>({"halves_registers", 16, Kind::half, Kind::half, {}, b, -1, -7, 7, -7, 7, true});
    expect_product<float>({"tf32_registers", 16, Kind::tf32, Kind::tf32, {}, b, 1, -7, 7, -7, 7, true});
    expect_product<float>({"e5m2_registers", 16, Kind::e5m2, Kind::e5m2, {}, b, 1, -4, 4, -4, 4, true});
    expect_product<int>({"bytes_registers", 16, Kind::byte, Kind::byte, {}, b, 1, -128, 127, 0, 255, true});
}

TEST_F(Warpgroups, AccumulatorsMayBeHalves) {
    expect_product<float>({"half_sums", 8, Kind::half, Kind::half, {32, 0, 256}, {32, 0, 256}});
}

}  // namespace
}  // namespace cuprum::core
