extern "C" __global__ void math_functions(float* f, double* d, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        f[i] = sinf(f[i]) + powf(f[i], 1.5f) + expf(-f[i]) + erff(f[i]) + sqrtf(f[i]) + fmodf(f[i], 3.0f);
        d[i] = cos(d[i]) + log(d[i]) + exp2(d[i]) + cbrt(d[i]) / d[i];
    }
}
