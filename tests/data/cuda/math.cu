// The math API in single and double precision, the intrinsics with explicit rounding, conversions, bit casts.
template <class T>
__device__ T every_function(T x, T y, int n) {
    T s = sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + atan2(x, y) + sinh(x) + cosh(x) + tanh(x);
    s += asinh(x) + acosh(x) + atanh(x) + exp(x) + exp2(x) + exp10(x) + expm1(x) + log(x) + log2(x) + log10(x) + log1p(x);
    s += pow(x, y) + sqrt(x) + rsqrt(x) + cbrt(x) + rcbrt(x) + hypot(x, y) + rhypot(x, y) + erf(x) + erfc(x) + erfinv(x);
    s += erfcinv(x) + erfcx(x) + tgamma(x) + lgamma(x) + normcdf(x) + normcdfinv(x) + ceil(x) + floor(x) + trunc(x);
    s += round(x) + rint(x) + nearbyint(x) + T(lrint(x)) + T(llrint(x)) + T(lround(x)) + T(llround(x)) + fmod(x, y);
    s += remainder(x, y) + copysign(x, y) + nextafter(x, y) + fdim(x, y) + fmax(x, y) + fmin(x, y) + fma(x, y, s) + fabs(x);
    s += ldexp(x, n) + scalbn(x, n) + logb(x) + T(ilogb(x)) + j0(x) + j1(x) + jn(n, x) + y0(x) + y1(x) + yn(n, x);
    s += sinpi(x) + cospi(x) + norm3d(x, y, s) + rnorm3d(x, y, s) + norm4d(x, y, s, x) + cyl_bessel_i0(x) + cyl_bessel_i1(x);
    int exponent, quotient;
    T whole, sine, cosine;
    s += frexp(x, &exponent) + modf(x, &whole) + remquo(x, y, &quotient);
    sincos(x, &sine, &cosine);
    s += sine * cosine + whole + T(exponent + quotient) + T(isnan(x) + isinf(x) + isfinite(x) + signbit(x));
    return s;
}

extern "C" __global__ void math_single(float* f, int n) { f[0] = every_function(f[1], f[2], n); }
extern "C" __global__ void math_double(double* f, int n) { f[0] = every_function(f[1], f[2], n); }

extern "C" __global__ void math_intrinsics(float* f, double* d) {
    const float a = f[0], b = f[1], c = f[2];
    const double x = d[0], y = d[1], z = d[2];
    int k = 3;
    f[k++] = __sinf(a), f[k++] = __cosf(a), f[k++] = __tanf(a), f[k++] = __expf(a), f[k++] = __exp10f(a), f[k++] = __logf(a);
    f[k++] = __log2f(a), f[k++] = __log10f(a), f[k++] = __powf(a, b), f[k++] = __fdividef(a, b), f[k++] = __saturatef(a);
    f[k++] = __fadd_rn(a, b), f[k++] = __fadd_rz(a, b), f[k++] = __fadd_ru(a, b), f[k++] = __fadd_rd(a, b);
    f[k++] = __fsub_rn(a, b), f[k++] = __fsub_rz(a, b), f[k++] = __fmul_rn(a, b), f[k++] = __fmul_ru(a, b);
    f[k++] = __fmaf_rn(a, b, c), f[k++] = __fmaf_rz(a, b, c), f[k++] = __fmaf_ru(a, b, c), f[k++] = __fmaf_rd(a, b, c);
    f[k++] = __frcp_rn(a), f[k++] = __frcp_rz(a), f[k++] = __frcp_ru(a), f[k++] = __frcp_rd(a), f[k++] = __frsqrt_rn(a);
    f[k++] = __fsqrt_rn(a), f[k++] = __fsqrt_rz(a), f[k++] = __fsqrt_ru(a), f[k++] = __fsqrt_rd(a);
    f[k++] = __fdiv_rn(a, b), f[k++] = __fdiv_rz(a, b), f[k++] = __fdiv_ru(a, b), f[k++] = __fdiv_rd(a, b);
    f[k++] = __fmaf_ieee_rn(a, b, c), f[k++] = __tanhf(a);
    k = 3;
    d[k++] = __dadd_rn(x, y), d[k++] = __dadd_rz(x, y), d[k++] = __dmul_ru(x, y), d[k++] = __dmul_rd(x, y);
    d[k++] = __fma_rn(x, y, z), d[k++] = __fma_rz(x, y, z), d[k++] = __drcp_rn(x), d[k++] = __drcp_ru(x);
    d[k++] = __dsqrt_rn(x), d[k++] = __dsqrt_rd(x), d[k++] = __ddiv_rn(x, y), d[k++] = __ddiv_rz(x, y), d[k++] = __dsub_ru(x, y);
}

extern "C" __global__ void math_conversions(float* f, double* d, int* i, long long* l) {
    const float a = f[0];
    const double x = d[0];
    int k = 1;
    i[k++] = __float2int_rn(a), i[k++] = __float2int_rz(a), i[k++] = __float2int_ru(a), i[k++] = __float2int_rd(a);
    i[k++] = __float2uint_rn(a), i[k++] = __float2uint_rz(a), i[k++] = __float2uint_ru(a), i[k++] = __float2uint_rd(a);
    i[k++] = __double2int_rn(x), i[k++] = __double2int_rz(x), i[k++] = __double2int_ru(x), i[k++] = __double2uint_rd(x);
    i[k++] = __double2hiint(x), i[k++] = __double2loint(x), i[k++] = __float_as_int(a), i[k++] = char(a) + (unsigned char)(a);
    i[k++] = short(a) + (unsigned short)(a) + char(x) + (unsigned short)(x) + bool(a);
    k = 1;
    l[k++] = __float2ll_rn(a), l[k++] = __float2ll_rz(a), l[k++] = __float2ull_ru(a), l[k++] = __float2ull_rd(a);
    l[k++] = __double2ll_rn(x), l[k++] = __double2ll_rz(x), l[k++] = __double2ull_ru(x), l[k++] = __double_as_longlong(x);
    k = 1;
    f[k++] = __int2float_rn(i[0]), f[k++] = __int2float_rz(i[0]), f[k++] = __int2float_ru(i[0]), f[k++] = __uint2float_rd(i[0]);
    f[k++] = __ll2float_rn(l[0]), f[k++] = __ll2float_rz(l[0]), f[k++] = __ull2float_ru(l[0]), f[k++] = __ull2float_rd(l[0]);
    f[k++] = __double2float_rn(x), f[k++] = __double2float_rz(x), f[k++] = __double2float_ru(x), f[k++] = __double2float_rd(x);
    f[k++] = __int_as_float(i[0]), f[k++] = float(char(i[0])) + float((unsigned short)(i[0]));
    k = 1;
    d[k++] = __int2double_rn(i[0]), d[k++] = __uint2double_rn(i[0]), d[k++] = __ll2double_rn(l[0]), d[k++] = __ll2double_rz(l[0]);
    d[k++] = __ull2double_ru(l[0]), d[k++] = __ull2double_rd(l[0]), d[k++] = __hiloint2double(i[0], i[1]);
    d[k++] = __longlong_as_double(l[0]), d[k++] = a;
}
