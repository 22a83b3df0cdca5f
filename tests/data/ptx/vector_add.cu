extern "C" __global__ void __launch_bounds__(256, 2) vector_add(const double* a, const double* b, double* c, long long n) {
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (long long)blockDim.x) {
        c[i] = a[i] + b[i];
    }
}
