#include <cuda_bf16.h>
#include <cuda_fp16.h>
extern "C" __global__ void half_precision(__half* h, __half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2) {
    const int i = threadIdx.x;
    h[i] = __hfma(h[i], h[i + 1], __float2half(0.5f));
    h2[i] = __hadd2(h2[i], __float2half2_rn(1.5f));
    b[i] = __hmul(b[i], __float2bfloat16(3.0f));
    b2[i] = __hfma2(b2[i], b2[i + 1], b2[i + 2]);
    h[i + 2] = __hgt(h[i], h[i + 1]) ? hsqrt(h[i]) : hexp(h[i + 1]);
    atomicAdd(&h2[7], h2[i]);
}
