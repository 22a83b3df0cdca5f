// Products by nvcuda::wmma of elements that share a byte: 4-bit integers and bits.
#include <random>

#include "execution.hpp"

namespace cuprum::core {
namespace {

const char* const source = R"cuda(
#include <mma.h>
using namespace nvcuda;
namespace small = nvcuda::wmma::experimental;

template <class A, class B, class C> __device__ void multiply(C& c, const A& a, const B& b, char operation) {
    if (operation == 's') wmma::mma_sync(c, a, b, c, true);
    else wmma::mma_sync(c, a, b, c);
}
using BitsA = wmma::fragment<wmma::matrix_a, 8, 8, 128, small::precision::b1, wmma::row_major>;
using BitsB = wmma::fragment<wmma::matrix_b, 8, 8, 128, small::precision::b1, wmma::col_major>;
using BitsC = wmma::fragment<wmma::accumulator, 8, 8, 128, int>;
__device__ void multiply(BitsC& c, const BitsA& a, const BitsB& b, char operation) {
    if (operation == '&') wmma::bmma_sync(c, a, b, c, small::bmmaBitOpAND);
    else wmma::bmma_sync(c, a, b, c);
}

// A by rows, each twice as long as the part that is multiplied; B by columns; an element an int outside.
template <class Element, int K, int BITS, char OPERATION, wmma::layout_t LAYOUT>
__device__ void tile(int* c, const int* a, const int* b) {
    constexpr int together = 32 / BITS, words = 8 * K / together;
    constexpr unsigned mask = (1u << BITS) - 1;
    __shared__ alignas(16) unsigned sa[2 * words], sb[words];
    __shared__ alignas(16) int sc[64];
    for (int w = threadIdx.x; w < words; w += 32) {
        unsigned of_a = 0, of_b = 0;
        for (int e = 0; e < together; ++e) {
            const int line = (w * together + e) / K, k = (w * together + e) % K;
            of_a |= (a[line * K + k] & mask) << e * BITS;
            of_b |= (b[k * 8 + line] & mask) << e * BITS;
        }
        sa[w / (K / together) * (2 * K / together) + w % (K / together)] = of_a;
        sb[w] = of_b;
    }
    const bool rows = LAYOUT == wmma::mem_row_major;
    for (int i = threadIdx.x; i < 64; i += 32) sc[rows ? i : i % 8 * 8 + i / 8] = c[i];
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 8, 8, K, Element, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, K, Element, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, K, int> fc;
    wmma::load_matrix_sync(fa, sa, 2 * K);
    wmma::load_matrix_sync(fb, sb, K);
    wmma::load_matrix_sync(fc, sc, 8, LAYOUT);
    multiply(fc, fa, fb, OPERATION);
    wmma::store_matrix_sync(sc, fc, 8, LAYOUT);
    __syncwarp();
    for (int i = threadIdx.x; i < 64; i += 32) c[i] = sc[rows ? i : i % 8 * 8 + i / 8];
}
#define TILE(name, ...) \
    extern "C" __global__ void name(int* c, const int* a, const int* b) { tile<__VA_ARGS__>(c, a, b); }
TILE(signed_halves, small::precision::s4, 32, 4, '*', wmma::mem_row_major)
TILE(signed_halves_columns, small::precision::s4, 32, 4, '*', wmma::mem_col_major)
TILE(signed_halves_saturated, small::precision::s4, 32, 4, 's', wmma::mem_row_major)
TILE(unsigned_halves, small::precision::u4, 32, 4, '*', wmma::mem_row_major)
TILE(unsigned_halves_saturated, small::precision::u4, 32, 4, 's', wmma::mem_col_major)
TILE(bits_and, small::precision::b1, 128, 1, '&', wmma::mem_row_major)
TILE(bits_xor, small::precision::b1, 128, 1, '^', wmma::mem_row_major)
TILE(bits_xor_columns, small::precision::b1, 128, 1, '^', wmma::mem_col_major)
)cuda";

class PackedMatrices : public Execution {
protected:
    std::vector<int> integers_of(size_t count, int least, int most) {
        std::uniform_int_distribution<int> values(least, most);
        std::vector<int> result(count);
        for (int& value : result)
            value = values(random_);
        return result;
    }
    // `combine`: what is added up along k.
    template <class Combine>
    void expect_sums(const char* kernel, size_t k, int least, int most, Combine combine) {
        constexpr size_t size = 8;
        const std::vector<int> a = integers_of(size * k, least, most), b = integers_of(k * size, least, most);
        std::vector<int> expected = integers_of(size * size, -1000, 1000);
        const Buffer in_a = test::buffer_of(device, a), in_b = test::buffer_of(device, b);
        const Buffer out = test::buffer_of(device, expected);
        run(code(source), kernel, {1, 32}, out, in_a, in_b);
        for (size_t i = 0; i < size; ++i) {
            for (size_t j = 0; j < size; ++j) {
                for (size_t x = 0; x < k; ++x)
                    expected[i * size + j] += combine(a[i * k + x], b[x * size + j]);
            }
        }
        EXPECT_EQ(test::values_of<int>(out), expected) << kernel;
    }
    std::mt19937 random_{32};
};

TEST_F(PackedMatrices, FourBitIntegersAreMultiplied) {
    for (const char* const kernel : {"signed_halves", "signed_halves_columns", "signed_halves_saturated"})
        expect_sums(kernel, 32, -8, 7, std::multiplies());
    for (const char* const kernel : {"unsigned_halves", "unsigned_halves_saturated"})
        expect_sums(kernel, 32, 0, 15, std::multiplies());
}

TEST_F(PackedMatrices, BitsThatAreBothSetOrDifferAreCounted) {
    expect_sums("bits_and", 128, 0, 1, std::bit_and());
    for (const char* const kernel : {"bits_xor", "bits_xor_columns"})
        expect_sums(kernel, 128, 0, 1, std::bit_xor());
}

}  // namespace
}  // namespace cuprum::core
