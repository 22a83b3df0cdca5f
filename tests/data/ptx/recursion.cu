__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
struct Large { double values[5]; int count; };
__device__ __noinline__ Large shift(Large in, int by) {
    for (int i = 0; i < 5; ++i) {
        in.values[i] += by;
    }
    in.count += by;
    return in;
}
extern "C" __global__ void recursion(int* out, Large* large) {
    out[threadIdx.x] = fibonacci(threadIdx.x);
    large[threadIdx.x] = shift(large[threadIdx.x], fibonacci(3));
}
