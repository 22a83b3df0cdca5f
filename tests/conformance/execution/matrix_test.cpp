// Products of matrices by warps: nvcuda::wmma, mma, ldmatrix. Values are small integers, or fractions of two, so that
// every order of summation gives the same result. fp8 needs compute capability 8.9, f64 of more than m8n8k4 9.0.
#include <numeric>
#include <random>

#include "execution.hpp"

namespace cuprum::core {
namespace {

const char* const source = R"cuda(
#include <mma.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
using namespace nvcuda;

template <class T> __device__ T from(int value) { return T(float(value)); }
template <> __device__ signed char from(int value) { return value; }
template <> __device__ unsigned char from(int value) { return value; }
template <> __device__ double from(int value) { return value; }

template <class Layout> constexpr bool by_rows = false;
template <> constexpr bool by_rows<wmma::row_major> = true;

// C = A B + C0 of one tile, all matrices of ints outside; A, B in the layouts that are asked for, the tile dense in
// shared memory.
template <int M, int N, int K, class In, class Fragment, class Out, class LayoutA, class LayoutB>
__device__ void tile(int* c, const int* a, const int* b, wmma::layout_t layout_c) {
    __shared__ alignas(32) In sa[M * K], sb[K * N];
    __shared__ alignas(32) Out sc[M * N];
    constexpr bool row_a = by_rows<LayoutA>, row_b = by_rows<LayoutB>;
    const bool row_c = layout_c == wmma::mem_row_major;
    for (int i = threadIdx.x; i < M * K; i += 32) sa[row_a ? i : i % K * M + i / K] = from<In>(a[i]);
    for (int i = threadIdx.x; i < K * N; i += 32) sb[row_b ? i : i % N * K + i / N] = from<In>(b[i]);
    for (int i = threadIdx.x; i < M * N; i += 32) sc[row_c ? i : i % N * M + i / N] = from<Out>(c[i]);
    __syncwarp();
    wmma::fragment<wmma::matrix_a, M, N, K, Fragment, LayoutA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, Fragment, LayoutB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Out> fc;
    wmma::load_matrix_sync(fa, sa, row_a ? K : M);
    wmma::load_matrix_sync(fb, sb, row_b ? N : K);
    wmma::load_matrix_sync(fc, sc, row_c ? N : M, layout_c);
    wmma::mma_sync(fc, fa, fb, fc);
    for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = fc.x[i] + fc.x[i];
    wmma::store_matrix_sync(sc, fc, row_c ? N : M, layout_c);
    __syncwarp();
    for (int i = threadIdx.x; i < M * N; i += 32) c[i] = int(float(sc[row_c ? i : i % N * M + i / N]));
}
#define TILE(name, M, N, K, In, Fragment, Out, A, B, C) \
    extern "C" __global__ void name(int* c, const int* a, const int* b) { \
        tile<M, N, K, In, Fragment, Out, wmma::A, wmma::B>(c, a, b, wmma::C); }
TILE(half_float, 16, 16, 16, __half, __half, float, row_major, col_major, mem_row_major)
TILE(half_float_columns, 16, 16, 16, __half, __half, float, col_major, row_major, mem_col_major)
TILE(half_half, 16, 16, 16, __half, __half, __half, row_major, row_major, mem_row_major)
TILE(half_tall, 32, 8, 16, __half, __half, float, row_major, col_major, mem_col_major)
TILE(half_wide, 8, 32, 16, __half, __half, __half, col_major, col_major, mem_row_major)
TILE(bfloat, 16, 16, 16, __nv_bfloat16, __nv_bfloat16, float, row_major, col_major, mem_row_major)
TILE(bfloat_tall, 32, 8, 16, __nv_bfloat16, __nv_bfloat16, float, col_major, col_major, mem_row_major)
TILE(tf32, 16, 16, 8, float, wmma::precision::tf32, float, row_major, col_major, mem_row_major)
TILE(doubles, 8, 8, 4, double, double, double, row_major, col_major, mem_row_major)
TILE(doubles_columns, 8, 8, 4, double, double, double, col_major, row_major, mem_col_major)
TILE(bytes, 16, 16, 16, signed char, signed char, int, row_major, col_major, mem_row_major)
TILE(bytes_wide, 8, 32, 16, signed char, signed char, int, col_major, row_major, mem_col_major)
TILE(unsigned_bytes_tall, 32, 8, 16, unsigned char, unsigned char, int, row_major, col_major, mem_row_major)

// A whole matrix, in tiles: each warp a tile of C.
extern "C" __global__ void wmma_matmul(float* c, const __half* a, const __half* b, int m, int n, int k) {
    const int row = 16 * (blockIdx.y * blockDim.y + threadIdx.y), column = 16 * blockIdx.x;
    if (row >= m || column >= n) return;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    for (int i = 0; i < k; i += 16) {
        wmma::load_matrix_sync(fa, a + row * k + i, k);
        wmma::load_matrix_sync(fb, b + i * n + column, n);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}

// The same by mma.sync with ldmatrix: a warp makes 16 x 8 of C. B comes by rows, so its fragments are loaded transposed.
extern "C" __global__ void mma_matmul(float* c, const __half* a, const __half* b, int m, int n, int k) {
    __shared__ alignas(16) __half sa[16][16], sb[16][8];
    const int lane = threadIdx.x, row = 16 * blockIdx.y, column = 8 * blockIdx.x;
    float d[4] = {};
    for (int i = 0; i < k; i += 16) {
        for (int e = lane; e < 256; e += 32) sa[e / 16][e % 16] = a[(row + e / 16) * k + i + e % 16];
        for (int e = lane; e < 128; e += 32) sb[e / 8][e % 8] = b[(i + e / 8) * n + column + e % 8];
        __syncwarp();
        unsigned fa[4], fb[2];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                     : "r"((unsigned)__cvta_generic_to_shared(&sa[lane % 16][lane / 16 * 8])));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                     : "=r"(fb[0]), "=r"(fb[1]) : "r"((unsigned)__cvta_generic_to_shared(&sb[lane % 16][0])));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
        __syncwarp();
    }
    for (int e = 0; e < 4; ++e) c[(row + lane / 4 + e / 2 * 8) * n + column + lane % 4 * 2 + e % 2] = d[e];
}

// mma of every shape: fragments are put together element by element, where the ISA says that they are.
__device__ unsigned pack(const int* values, int count, int bits, unsigned (*encode)(int)) {
    unsigned word = 0;
    for (int i = 0; i < count; ++i) word |= (encode(values[i]) & (bits == 32 ? ~0u : (1u << bits) - 1)) << (i * bits);
    return word;
}
__device__ unsigned as_half(int v) { return __half_as_ushort(__float2half((float)v)); }
__device__ unsigned as_bfloat(int v) { return __bfloat16_as_ushort(__float2bfloat16((float)v)); }
__device__ unsigned as_float(int v) { return __float_as_uint((float)v); }
__device__ unsigned as_integer(int v) { return (unsigned)v; }
__device__ unsigned as_e4m3(int v) {
    const unsigned f = __float_as_uint((float)v), magnitude = f & 0x7fffffff;
    return (f >> 24 & 0x80) | (magnitude == 0 ? 0 : (((magnitude >> 23) - 120) << 3 | (magnitude >> 20 & 7)));
}
__device__ unsigned as_e5m2(int v) {
    const unsigned f = __float_as_uint((float)v), magnitude = f & 0x7fffffff;
    return (f >> 24 & 0x80) | (magnitude == 0 ? 0 : (((magnitude >> 23) - 112) << 2 | (magnitude >> 21 & 3)));
}
// Elements of `bits` bits; a register of A holds 32 / bits of them along k. M is 8 or 16.
template <int M, int K, int BITS>
__device__ void fragments(unsigned* fa, unsigned* fb, const int* a, const int* b, unsigned (*encode)(int)) {
    constexpr int E = 32 / BITS;
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    for (int r = 0; r < M * K / 32 / E; ++r) {
        const int row = M == 8 ? g : g + r % 2 * 8, first = t * E + (M == 8 ? r : r / 2) * 4 * E;
        fa[r] = pack(a + row * K + first, E, BITS, encode);
    }
    for (int r = 0; r < K * 8 / 32 / E; ++r) {
        int column[E];
        for (int i = 0; i < E; ++i) column[i] = b[(t * E + r * 4 * E + i) * 8 + g];
        fb[r] = pack(column, E, BITS, encode);
    }
}
#define D4 "{%0, %1, %2, %3}"
#define MMA(name, M, K, BITS, ENCODE, TYPE, CONSTRAINT, TEXT, ...) \
    extern "C" __global__ void name(int* c, const int* a, const int* b) { \
        unsigned fa[8], fb[8]; \
        fragments<M, K, BITS>(fa, fb, a, b, ENCODE); \
        const int lane = threadIdx.x; \
        TYPE d[4]; \
        for (int e = 0; e < M / 4; ++e) d[e] = c[(lane / 4 + e / 2 * 8) * 8 + lane % 4 * 2 + e % 2]; \
        asm volatile("mma.sync.aligned." TEXT ";" : CONSTRAINT : __VA_ARGS__); \
        for (int e = 0; e < M / 4; ++e) c[(lane / 4 + e / 2 * 8) * 8 + lane % 4 * 2 + e % 2] = (int)d[e]; }
#define FOUR(X) X(d[0]), X(d[1]), X(d[2]), X(d[3])
#define F4 "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
#define R4 "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define A1B1 "r"(fa[0]), "r"(fb[0])
#define A2B1 "r"(fa[0]), "r"(fa[1]), "r"(fb[0])
#define A4B2 "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1])
#define T21 " " D4 ", {%4, %5}, {%6}, " D4
#define T42 " " D4 ", {%4, %5, %6, %7}, {%8, %9}, " D4
#define COMMA ,
MMA(h8, 16, 8, 16, as_half, float, F4, "m16n8k8.row.col.f32.f16.f16.f32" T21, A2B1)
MMA(h16, 16, 16, 16, as_half, float, F4, "m16n8k16.row.col.f32.f16.f16.f32" T42, A4B2)
MMA(b8, 16, 8, 16, as_bfloat, float, F4, "m16n8k8.row.col.f32.bf16.bf16.f32" T21, A2B1)
MMA(b16, 16, 16, 16, as_bfloat, float, F4, "m16n8k16.row.col.f32.bf16.bf16.f32" T42, A4B2)
MMA(t4, 16, 4, 32, as_float, float, F4, "m16n8k4.row.col.f32.tf32.tf32.f32" T21, A2B1)
MMA(t8, 16, 8, 32, as_float, float, F4, "m16n8k8.row.col.f32.tf32.tf32.f32" T42, A4B2)
MMA(i8_8, 8, 16, 8, as_integer, int, "+r"(d[0]) COMMA "+r"(d[1]), "m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1}", A1B1)
MMA(i8_16, 16, 16, 8, as_integer, int, R4, "m16n8k16.row.col.s32.s8.s8.s32" T21, A2B1)
MMA(i8_32, 16, 32, 8, as_integer, int, R4, "m16n8k32.row.col.satfinite.s32.s8.s8.s32" T42, A4B2)
MMA(i4_8, 8, 32, 4, as_integer, int, "+r"(d[0]) COMMA "+r"(d[1]), "m8n8k32.row.col.s32.s4.s4.s32 {%0, %1}, {%2}, {%3}, {%0, %1}", A1B1)
MMA(i4_32, 16, 32, 4, as_integer, int, R4, "m16n8k32.row.col.s32.s4.s4.s32" T21, A2B1)
MMA(i4_64, 16, 64, 4, as_integer, int, R4, "m16n8k64.row.col.s32.s4.s4.s32" T42, A4B2)
MMA(e4m3, 16, 32, 8, as_e4m3, float, F4, "m16n8k32.row.col.f32.e4m3.e4m3.f32" T42, A4B2)
MMA(e5m2, 16, 32, 8, as_e5m2, float, F4, "m16n8k32.row.col.f32.e5m2.e5m2.f32" T42, A4B2)

// Of f64 every register is an element.
template <int M, int K> __device__ void doubles_of(double* fa, double* fb, const int* a, const int* b) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    for (int r = 0; r < M * K / 32; ++r) fa[r] = M == 8 ? a[g * K + t] : a[(g + r % 2 * 8) * K + t + r / 2 * 4];
    for (int r = 0; r < K * 8 / 32; ++r) fb[r] = b[(t + r * 4) * 8 + g];
}
#define MMA64(name, M, K, CONSTRAINT, TEXT, ...) \
    extern "C" __global__ void name(int* c, const int* a, const int* b) { \
        double fa[8], fb[4], d[4]; \
        doubles_of<M, K>(fa, fb, a, b); \
        const int lane = threadIdx.x; \
        for (int e = 0; e < M / 4; ++e) d[e] = c[(lane / 4 + e / 2 * 8) * 8 + lane % 4 * 2 + e % 2]; \
        asm volatile("mma.sync.aligned." TEXT ";" : CONSTRAINT : __VA_ARGS__); \
        for (int e = 0; e < M / 4; ++e) c[(lane / 4 + e / 2 * 8) * 8 + lane % 4 * 2 + e % 2] = (int)d[e]; }
#define P4 "+d"(d[0]) COMMA "+d"(d[1]) COMMA "+d"(d[2]) COMMA "+d"(d[3])
MMA64(d4, 8, 4, "+d"(d[0]) COMMA "+d"(d[1]), "m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1}", "d"(fa[0]), "d"(fb[0]))
MMA64(d4_16, 16, 4, P4, "m16n8k4.row.col.f64.f64.f64.f64" T21, "d"(fa[0]), "d"(fa[1]), "d"(fb[0]))
MMA64(d8_16, 16, 8, P4, "m16n8k8.row.col.f64.f64.f64.f64" T42, "d"(fa[0]), "d"(fa[1]), "d"(fa[2]), "d"(fa[3]), "d"(fb[0]), "d"(fb[1]))
MMA64(d16_16, 16, 16, P4, "m16n8k16.row.col.f64.f64.f64.f64 " D4 ", {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, " D4,
      "d"(fa[0]), "d"(fa[1]), "d"(fa[2]), "d"(fa[3]), "d"(fa[4]), "d"(fa[5]), "d"(fa[6]), "d"(fa[7]), "d"(fb[0]), "d"(fb[1]), "d"(fb[2]), "d"(fb[3]))

// f16 accumulators: a register is two neighbours of a row.
extern "C" __global__ void h16_half(int* c, const int* a, const int* b) {
    unsigned fa[8], fb[8], d[2];
    fragments<16, 16, 16>(fa, fb, a, b, as_half);
    const int lane = threadIdx.x, place = lane / 4 * 8 + lane % 4 * 2;
    for (int r = 0; r < 2; ++r) d[r] = as_half(c[place + 64 * r]) | as_half(c[place + 64 * r + 1]) << 16;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                 : "+r"(d[0]), "+r"(d[1]) : A4B2);
    for (int r = 0; r < 2; ++r) {
        c[place + 64 * r] = (int)__half2float(__ushort_as_half(d[r] & 0xffff));
        c[place + 64 * r + 1] = (int)__half2float(__ushort_as_half(d[r] >> 16));
    }
}

// Four products of 8 by 8 by 4, one after the other in memory, each by a quad pair. Fragments are lines, but for float
// accumulators.
template <bool ROW_A, bool ROW_B, class C, class D>
__device__ void quad_pairs(int* c, const int* a, const int* b) {
    const int lane = threadIdx.x, t = lane % 4, upper = lane < 16 ? 0 : 4, pair = lane % 16 / 4;
    a += pair * 32, b += pair * 32, c += pair * 64;
    int line[4];
    unsigned fa[2], fb[2], h[4];
    for (int i = 0; i < 4; ++i) line[i] = ROW_A ? a[(t + upper) * 4 + i] : a[(i + upper) * 4 + t];
    for (int r = 0; r < 2; ++r) fa[r] = pack(line + 2 * r, 2, 16, as_half);
    for (int i = 0; i < 4; ++i) line[i] = ROW_B ? b[t * 8 + i + upper] : b[i * 8 + t + upper];
    for (int r = 0; r < 2; ++r) fb[r] = pack(line + 2 * r, 2, 16, as_half);
    float f[8];
    int places[8];
    for (int i = 0; i < 8; ++i) places[i] = ((lane & 1) + (i & 2) + upper) * 8 + (i & 4) + (lane & 2) + (i & 1);
    for (int i = 0; i < 8; ++i) f[i] = c[places[i]];
    for (int r = 0; r < 4; ++r) h[r] = pack(c + (t + upper) * 8 + 2 * r, 2, 16, as_half);
#define OF(LA, LB) if (ROW_A == (LA[1] == 'r') && ROW_B == (LB[1] == 'r')) { \
    if (sizeof(C) == 4) asm volatile("mma.sync.aligned.m8n8k4" LA LB ".f32.f16.f16.f32 " T8F ", {%8, %9}, {%10, %11}, " T8F ";" : F8 : A2B2); \
    else if (sizeof(D) == 4) asm volatile("mma.sync.aligned.m8n8k4" LA LB ".f32.f16.f16.f16 " T8F ", {%8, %9}, {%10, %11}, {%12, %13, %14, %15};" : F8 : A2B2, H4); \
    else asm volatile("mma.sync.aligned.m8n8k4" LA LB ".f16.f16.f16.f16 " D4 ", {%4, %5}, {%6, %7}, " D4 ";" : "+r"(h[0]), "+r"(h[1]), "+r"(h[2]), "+r"(h[3]) : A2B2); }
#define T8F "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define F8 "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3]), "+f"(f[4]), "+f"(f[5]), "+f"(f[6]), "+f"(f[7])
#define A2B2 "r"(fa[0]), "r"(fa[1]), "r"(fb[0]), "r"(fb[1])
#define H4 "r"(h[0]), "r"(h[1]), "r"(h[2]), "r"(h[3])
    OF(".row", ".row") OF(".row", ".col") OF(".col", ".row") OF(".col", ".col")
    for (int i = 0; i < 8; ++i) {
        if (sizeof(D) == 4) c[places[i]] = (int)f[i];
        else c[(t + upper) * 8 + i] = (int)__half2float(__ushort_as_half(h[i / 2] >> i % 2 * 16 & 0xffff));
    }
}
#define QUAD_PAIRS(name, ...) \
    extern "C" __global__ void name(int* c, const int* a, const int* b) { quad_pairs<__VA_ARGS__>(c, a, b); }
QUAD_PAIRS(pairs_rr, true, true, float, float)
QUAD_PAIRS(pairs_rc, true, false, float, float)
QUAD_PAIRS(pairs_cr, false, true, float, float)
QUAD_PAIRS(pairs_cc, false, false, float, float)
QUAD_PAIRS(pairs_half_rr, true, true, __half, __half)
QUAD_PAIRS(pairs_half_rc, true, false, __half, __half)
QUAD_PAIRS(pairs_half_cr, false, true, __half, __half)
QUAD_PAIRS(pairs_half_cc, false, false, __half, __half)
QUAD_PAIRS(pairs_mixed_rr, true, true, __half, float)
QUAD_PAIRS(pairs_mixed_rc, true, false, __half, float)
QUAD_PAIRS(pairs_mixed_cr, false, true, __half, float)
QUAD_PAIRS(pairs_mixed_cc, false, false, __half, float)

// Into fragments and back, the second time transposed; then the registers themselves are.
extern "C" __global__ void moves(int* out) {
    __shared__ alignas(16) unsigned short from[32][8], to[32][8];
    for (int i = threadIdx.x; i < 256; i += 32) from[i / 8][i % 8] = i;
    __syncwarp();
    const unsigned source = __cvta_generic_to_shared(&from[threadIdx.x][0]), target = __cvta_generic_to_shared(&to[threadIdx.x][0]);
    unsigned r[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(source));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(r[3]));
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" :: "r"(target), "r"(r[1]), "r"(r[0]) : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0+256], {%1, %2};" :: "r"(target), "r"(r[2]), "r"(r[3]) : "memory");
    __syncwarp();
    for (int i = threadIdx.x; i < 256; i += 32) out[i] = to[i / 8][i % 8];
}
)cuda";

std::vector<int> product(const std::vector<int>& a, const std::vector<int>& b, std::vector<int> c, size_t m, size_t n,
                         size_t k) {
    for (size_t i = 0; i < m; ++i) {
        for (size_t j = 0; j < n; ++j) {
            for (size_t x = 0; x < k; ++x)
                c[i * n + j] += a[i * k + x] * b[x * n + j];
        }
    }
    return c;
}

class Matrices : public Execution {
protected:
    std::vector<int> integers_of(size_t count, int least, int most) {
        std::uniform_int_distribution<int> values(least, most);
        std::vector<int> result(count);
        for (int& value : result)
            value = values(random_);
        return result;
    }
    // The kernel's product of one tile, and what it should be.
    void expect_product(const char* kernel, size_t m, size_t n, size_t k, int least = -7, int most = 7, int times = 1) {
        const std::vector<int> a = integers_of(m * k, least, most), b = integers_of(k * n, least, most);
        const std::vector<int> c = integers_of(m * n, -100, 100);
        const Buffer in_a = test::buffer_of(device, a), in_b = test::buffer_of(device, b);
        const Buffer out = test::buffer_of(device, c);
        run(code(source), kernel, {1, 32}, out, in_a, in_b);
        std::vector<int> expected = product(a, b, c, m, n, k);
        for (int& value : expected)
            value *= times;
        EXPECT_EQ(test::values_of<int>(out), expected) << kernel;
    }
    // A large product of halves: the kernel's grid makes all of it.
    void expect_matmul(const char* kernel, LaunchConfig config, size_t m, size_t n, size_t k) {
        const std::vector<int> a = integers_of(m * k, -3, 3), b = integers_of(k * n, -3, 3);
        const auto halves = [](const std::vector<int>& values) {
            constexpr uint16_t of[] = {0xc200, 0xc000, 0xbc00, 0, 0x3c00, 0x4000, 0x4200};  // -3 to 3
            std::vector<uint16_t> result;
            for (const int value : values)
                result.push_back(of[value + 3]);
            return result;
        };
        const Buffer in_a = test::buffer_of(device, halves(a)), in_b = test::buffer_of(device, halves(b));
        const Buffer out = test::buffer_of(device, std::vector<float>(m * n, -1.0F));
        run(code(source), kernel, config, out, in_a, in_b, static_cast<int>(m), static_cast<int>(n),
            static_cast<int>(k));
        const std::vector<int> expected = product(a, b, std::vector<int>(m * n), m, n, k);
        EXPECT_EQ(test::values_of<float>(out), std::vector<float>(expected.begin(), expected.end()));
    }
    std::mt19937 random_{18};
};

TEST_F(Matrices, WmmaTilesOfEveryTypeAndLayout) {
    for (const char* const kernel : {"half_float", "half_float_columns", "half_half", "bfloat", "bytes"})
        expect_product(kernel, 16, 16, 16, -7, 7, 2);
    for (const char* const kernel : {"half_tall", "bfloat_tall"})
        expect_product(kernel, 32, 8, 16, -7, 7, 2);
    for (const char* const kernel : {"half_wide", "bytes_wide"})
        expect_product(kernel, 8, 32, 16, -7, 7, 2);
    expect_product("unsigned_bytes_tall", 32, 8, 16, 0, 255, 2);
    expect_product("tf32", 16, 16, 8, -7, 7, 2);
    expect_product("doubles", 8, 8, 4, -7, 7, 2);
    expect_product("doubles_columns", 8, 8, 4, -7, 7, 2);
}

TEST_F(Matrices, ATiledMatmulByWmma) {
    expect_matmul("wmma_matmul", {{5, 3}, {32, 2}}, 96, 80, 64);
}

TEST_F(Matrices, ATiledMatmulByMmaAndLdmatrix) {
    expect_matmul("mma_matmul", {{10, 3}, 32}, 48, 80, 64);
}

TEST_F(Matrices, MmaFragmentsLieWhereTheIsaSays) {
    struct Case {
        const char* kernel;
        size_t m, k;
        int least = -7, most = 7;
    };
    for (const auto& [kernel, m, k, least, most] :
         {Case{"h8", 16, 8}, Case{"h16", 16, 16}, Case{"h16_half", 16, 16}, Case{"b8", 16, 8}, Case{"b16", 16, 16},
          Case{"t4", 16, 4}, Case{"t8", 16, 8}, Case{"i8_8", 8, 16, -128, 127}, Case{"i8_16", 16, 16, -128, 127},
          Case{"i8_32", 16, 32, -128, 127}, Case{"i4_8", 8, 32}, Case{"i4_32", 16, 32}, Case{"i4_64", 16, 64},
          Case{"e4m3", 16, 32}, Case{"e5m2", 16, 32, -4, 4}, Case{"d4", 8, 4}, Case{"d4_16", 16, 4},
          Case{"d8_16", 16, 8}, Case{"d16_16", 16, 16}})
        expect_product(kernel, m, 8, k, least, most);
}

TEST_F(Matrices, QuadPairsMakeFourProducts) {
    constexpr size_t pairs = 4, m = 8, n = 8, k = 4;
    for (const char* const kernel :
         {"pairs_rr", "pairs_rc", "pairs_cr", "pairs_cc", "pairs_half_rr", "pairs_half_rc", "pairs_half_cr",
          "pairs_half_cc", "pairs_mixed_rr", "pairs_mixed_rc", "pairs_mixed_cr", "pairs_mixed_cc"}) {
        const std::vector<int> a = integers_of(pairs * m * k, -7, 7), b = integers_of(pairs * k * n, -7, 7);
        const std::vector<int> c = integers_of(pairs * m * n, -100, 100);
        const Buffer in_a = test::buffer_of(device, a), in_b = test::buffer_of(device, b);
        const Buffer out = test::buffer_of(device, c);
        run(code(source), kernel, {1, 32}, out, in_a, in_b);
        std::vector<int> expected;
        for (size_t pair = 0; pair < pairs; ++pair) {
            const auto part = [pair](const std::vector<int>& all) {
                const auto size = static_cast<std::ptrdiff_t>(all.size() / pairs);
                const auto first = all.begin() + static_cast<std::ptrdiff_t>(pair) * size;
                return std::vector<int>(first, first + size);
            };
            const std::vector<int> one = product(part(a), part(b), part(c), m, n, k);
            expected.insert(expected.end(), one.begin(), one.end());
        }
        EXPECT_EQ(test::values_of<int>(out), expected) << kernel;
    }
}

TEST_F(Matrices, LdmatrixAndStmatrixAreEachOthersReverse) {
    const std::vector<int> found = integers(code(source), "moves", 256, {1, 32});
    for (int i = 0; i < 256; ++i) {
        const int number = i / 64, row = i % 64 / 8, column = i % 8;
        const int expected = number == 0   ? 64 + i  // the second matrix
                             : number == 1 ? i - 64  // the first
                             : number == 2 ? 128 + column * 8 + row
                                           : i;  // transposed twice
        EXPECT_EQ(found[static_cast<size_t>(i)], expected) << i;
    }
}

}  // namespace
}  // namespace cuprum::core
