#define MAP(name, T, expr) extern "C" __global__ void name(const T* in, T* out, int n) { int i = blockIdx.x*blockDim.x+threadIdx.x; if (i < n) { T x = in[i]; out[i] = expr; } }
MAP(map_sinf, float, sinf(x)) MAP(map_cosf, float, cosf(x)) MAP(map_expf, float, expf(x)) MAP(map_logf, float, logf(x))
MAP(map_powf, float, powf(fabsf(x), 1.7f)) MAP(map_sqrtf, float, sqrtf(x)) MAP(map_divf, float, 1.5f/x) MAP(map_tanhf, float, tanhf(x)) MAP(map_erff, float, erff(x))
MAP(map_sin, double, sin(x)) MAP(map_cos, double, cos(x)) MAP(map_exp, double, exp(x)) MAP(map_log, double, log(x)) MAP(map_pow, double, pow(fabs(x), 1.7)) MAP(map_cbrt, double, cbrt(x))
MAP(map_div, double, 1.5/x) MAP(map_sqrt, double, sqrt(x)) MAP(map_fmodf, float, fmodf(x, 0.7f)) MAP(map_rsqrtf, float, rsqrtf(x))
MAP(map_fast_sin, float, __sinf(x)) MAP(map_fast_exp, float, __expf(x)) MAP(map_fast_log, float, __logf(x)) MAP(map_fast_div, float, __fdividef(1.5f, x))
MAP(map_rz, float, __fadd_rz(x, 0.1f)) MAP(map_rd, float, __fmul_rd(x, 0.1f)) MAP(map_ru, double, __dadd_ru(x, 0.1)) MAP(map_fma_rd, double, __fma_rd(x, 0.1, 0.3)) MAP(map_div_ru, float, __fdiv_ru(x, 0.3f))
