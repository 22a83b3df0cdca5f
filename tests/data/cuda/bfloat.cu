// Every family of cuda_bf16.h: arithmetic, comparison, conversion, functions, of bfloat16 and of pairs.
#include <cuda_bf16.h>

extern "C" __global__ void bfloat_arithmetic(__nv_bfloat16* h, __nv_bfloat162* p, float* f) {
    const __nv_bfloat16 a = h[0], b = h[1], c = h[2];
    const __nv_bfloat162 x = p[0], y = p[1], z = p[2];
    h[3] = __hadd(a, b), h[4] = __hsub(a, b), h[5] = __hmul(a, b), h[6] = __hdiv(a, b), h[7] = __hfma(a, b, c);
    h[8] = __hadd_sat(a, b), h[9] = __hsub_sat(a, b), h[10] = __hmul_sat(a, b), h[11] = __hfma_sat(a, b, c);
    h[12] = __hadd_rn(a, b), h[13] = __hsub_rn(a, b), h[14] = __hmul_rn(a, b);
    h[15] = __hneg(a), h[16] = __habs(a), h[17] = __hmax(a, b), h[18] = __hmin(a, b);
    h[19] = __hmax_nan(a, b), h[20] = __hmin_nan(a, b), h[21] = __hfma_relu(a, b, c);
    h[22] = a + b - c * a / b, h[23] = -a;
    p[3] = __hadd2(x, y), p[4] = __hsub2(x, y), p[5] = __hmul2(x, y), p[6] = __h2div(x, y), p[7] = __hfma2(x, y, z);
    p[8] = __hadd2_sat(x, y), p[9] = __hsub2_sat(x, y), p[10] = __hmul2_sat(x, y), p[11] = __hfma2_sat(x, y, z);
    p[12] = __hneg2(x), p[13] = __habs2(x), p[14] = __hmax2(x, y), p[15] = __hmin2(x, y);
    p[16] = __hmax2_nan(x, y), p[17] = __hmin2_nan(x, y), p[18] = __hfma2_relu(x, y, z), p[19] = __hcmadd(x, y, z);
    p[20] = __hadd2_rn(x, y), p[21] = __hsub2_rn(x, y), p[22] = __hmul2_rn(x, y);
    f[0] = __bfloat162float(a) + __low2float(x) + __high2float(y);
}

extern "C" __global__ void bfloat_comparison(const __nv_bfloat16* h, const __nv_bfloat162* p, int* out, __nv_bfloat162* sets) {
    const __nv_bfloat16 a = h[0], b = h[1];
    const __nv_bfloat162 x = p[0], y = p[1];
    int k = 0;
    out[k++] = __heq(a, b), out[k++] = __hne(a, b), out[k++] = __hle(a, b), out[k++] = __hge(a, b);
    out[k++] = __hlt(a, b), out[k++] = __hgt(a, b), out[k++] = __hequ(a, b), out[k++] = __hneu(a, b);
    out[k++] = __hleu(a, b), out[k++] = __hgeu(a, b), out[k++] = __hltu(a, b), out[k++] = __hgtu(a, b);
    out[k++] = __hisnan(a), out[k++] = __hisinf(a);
    out[k++] = __hbeq2(x, y), out[k++] = __hbne2(x, y), out[k++] = __hble2(x, y), out[k++] = __hbge2(x, y);
    out[k++] = __hblt2(x, y), out[k++] = __hbgt2(x, y), out[k++] = __hbequ2(x, y), out[k++] = __hbneu2(x, y);
    out[k++] = __hbleu2(x, y), out[k++] = __hbgeu2(x, y), out[k++] = __hbltu2(x, y), out[k++] = __hbgtu2(x, y);
    out[k++] = __heq2_mask(x, y), out[k++] = __hne2_mask(x, y), out[k++] = __hle2_mask(x, y);
    out[k++] = __hge2_mask(x, y), out[k++] = __hlt2_mask(x, y), out[k++] = __hgt2_mask(x, y);
    out[k++] = __hequ2_mask(x, y), out[k++] = __hneu2_mask(x, y), out[k++] = __hltu2_mask(x, y);
    k = 0;
    sets[k++] = __heq2(x, y), sets[k++] = __hne2(x, y), sets[k++] = __hle2(x, y), sets[k++] = __hge2(x, y);
    sets[k++] = __hlt2(x, y), sets[k++] = __hgt2(x, y), sets[k++] = __hequ2(x, y), sets[k++] = __hneu2(x, y);
    sets[k++] = __hleu2(x, y), sets[k++] = __hgeu2(x, y), sets[k++] = __hltu2(x, y), sets[k++] = __hgtu2(x, y);
    sets[k++] = __hisnan2(x);
}

extern "C" __global__ void bfloat_conversion(__nv_bfloat16* h, __nv_bfloat162* p, const float* f, const double* g, int* i, long long* l) {
    int k = 0;
    h[k++] = __float2bfloat16(f[0]), h[k++] = __float2bfloat16_rn(f[0]), h[k++] = __float2bfloat16_rz(f[0]);
    h[k++] = __float2bfloat16_rd(f[0]), h[k++] = __float2bfloat16_ru(f[0]), h[k++] = __double2bfloat16(g[0]);
    h[k++] = __int2bfloat16_rn(i[0]), h[k++] = __int2bfloat16_rz(i[0]), h[k++] = __int2bfloat16_rd(i[0]), h[k++] = __int2bfloat16_ru(i[0]);
    h[k++] = __uint2bfloat16_rn(i[1]), h[k++] = __uint2bfloat16_rz(i[1]), h[k++] = __uint2bfloat16_rd(i[1]);
    h[k++] = __short2bfloat16_rn(i[2]), h[k++] = __short2bfloat16_rz(i[2]), h[k++] = __ushort2bfloat16_rn(i[2]);
    h[k++] = __ll2bfloat16_rn(l[0]), h[k++] = __ll2bfloat16_rz(l[0]), h[k++] = __ull2bfloat16_rn(l[0]), h[k++] = __ull2bfloat16_ru(l[0]);
    h[k++] = hceil(h[0]), h[k++] = hfloor(h[0]), h[k++] = htrunc(h[0]), h[k++] = hrint(h[0]);
    p[0] = __floats2bfloat162_rn(f[0], f[1]), p[1] = __float2bfloat162_rn(f[0]), p[2] = h2ceil(p[0]), p[3] = h2floor(p[0]);
    p[4] = h2trunc(p[0]), p[5] = h2rint(p[0]), p[6] = __halves2bfloat162(h[0], h[1]), p[7] = __lowhigh2highlow(p[0]);
    k = 0;
    i[k++] = __bfloat162int_rn(h[0]), i[k++] = __bfloat162int_rz(h[0]), i[k++] = __bfloat162int_rd(h[0]), i[k++] = __bfloat162int_ru(h[0]);
    i[k++] = __bfloat162uint_rn(h[0]), i[k++] = __bfloat162uint_rz(h[0]), i[k++] = __bfloat162uint_rd(h[0]);
    i[k++] = __bfloat162short_rn(h[0]), i[k++] = __bfloat162short_rz(h[0]), i[k++] = __bfloat162ushort_rn(h[0]);
    i[k++] = __bfloat162char_rz(h[0]), i[k++] = __bfloat162uchar_rz(h[0]), i[k++] = __bfloat16_as_short(h[0]);
    l[1] = __bfloat162ll_rn(h[0]), l[2] = __bfloat162ll_rz(h[0]), l[3] = __bfloat162ull_rn(h[0]), l[4] = __bfloat162ull_rz(h[0]);
}

extern "C" __global__ void bfloat_functions(__nv_bfloat16* h, __nv_bfloat162* p) {
    const __nv_bfloat16 a = h[0];
    const __nv_bfloat162 x = p[0];
    int k = 1;
    h[k++] = hsqrt(a), h[k++] = hrsqrt(a), h[k++] = hrcp(a), h[k++] = hlog(a), h[k++] = hlog2(a), h[k++] = hlog10(a);
    h[k++] = hexp(a), h[k++] = hexp2(a), h[k++] = hexp10(a), h[k++] = hcos(a), h[k++] = hsin(a);
    h[k++] = htanh(a), h[k++] = htanh_approx(a);
    k = 1;
    p[k++] = h2sqrt(x), p[k++] = h2rsqrt(x), p[k++] = h2rcp(x), p[k++] = h2log(x), p[k++] = h2log2(x);
    p[k++] = h2log10(x), p[k++] = h2exp(x), p[k++] = h2exp2(x), p[k++] = h2exp10(x), p[k++] = h2cos(x);
    p[k++] = h2sin(x), p[k++] = h2tanh(x), p[k++] = h2tanh_approx(x);
}

extern "C" __global__ void bfloat_memory(__nv_bfloat16* h, __nv_bfloat162* p) {
    p[0] = __ldg(p + 1), p[2] = __ldcg(p + 3), p[4] = __ldca(p + 5), p[6] = __ldcs(p + 7), p[8] = __ldcv(p + 9);
    h[0] = __ldg(h + 1), h[2] = __ldlu(h + 3);
    __stwb(p + 10, p[0]), __stcg(p + 11, p[0]), __stcs(p + 12, p[0]), __stwt(p + 13, p[0]);
    p[14] = __shfl_sync(0xffffffff, p[0], 3), p[15] = __shfl_xor_sync(0xffffffff, p[0], 3);
    h[4] = __shfl_up_sync(0xffffffff, h[0], 1), h[5] = __shfl_down_sync(0xffffffff, h[0], 1);
    atomicAdd(h + 6, h[0]);
    atomicAdd(p + 16, p[0]);
}
