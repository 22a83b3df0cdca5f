// cuda_fp8.h: conversions to and from e4m3 and e5m2, alone and in twos and fours.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void float8_conversion(const float* f, const double* g, const __half* h, float* out, int* bits) {
    const __nv_fp8_e4m3 a(f[0]), b(h[0]), c(g[0]), d(__float2bfloat16(f[1])), e(5), u(7u), l(3ll);
    const __nv_fp8_e5m2 m(f[0]), n(h[0]), o(g[0]), p(__float2bfloat16(f[1])), q(5);
    const __nv_fp8x2_e4m3 pair(make_float2(f[0], f[1]));
    const __nv_fp8x2_e4m3 half_pair(__floats2half2_rn(f[0], f[1]));
    const __nv_fp8x2_e5m2 other(make_float2(f[0], f[1]));
    const __nv_fp8x4_e4m3 four(make_float4(f[0], f[1], f[2], f[3]));
    int k = 0;
    out[k++] = float(a) + float(b) + float(c) + float(d) + float(e) + float(u) + float(l);
    out[k++] = float(m) + float(n) + float(o) + float(p) + float(q);
    out[k++] = static_cast<float2>(pair).x + static_cast<float2>(half_pair).y + static_cast<float2>(other).x;
    out[k++] = static_cast<float4>(four).w;
    out[k++] = __half2float(__half(a)) + __bfloat162float(__nv_bfloat16(m)) + float(double(b));
    bits[0] = int(a), bits[1] = unsigned(m), bits[2] = (long long)b, bits[3] = bool(a), bits[4] = short(n), bits[5] = char(n);
    bits[6] = __nv_cvt_float_to_fp8(f[0], __NV_NOSAT, __NV_E4M3), bits[7] = __nv_cvt_float_to_fp8(f[0], __NV_NOSAT, __NV_E5M2);
    bits[8] = __nv_cvt_float2_to_fp8x2(make_float2(f[0], f[1]), __NV_SATFINITE, __NV_E5M2);
    bits[9] = __half2_raw(__nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t(bits[0]), __NV_E5M2)).x;
}
