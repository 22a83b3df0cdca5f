// Kernels that are templates, with functors, and extended lambdas.
// nvcc: --extended-lambda
#include <cstdio>

template <typename T, typename Operation>
__global__ void transform(T* values, int n, Operation operation) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = operation(values[i]);
}

struct Square {
    template <typename T>
    __device__ T operator()(T x) const {
        return x * x;
    }
};

template <typename T, typename Operation>
T apply(T first, Operation operation) {
    T* values;
    cudaMallocManaged(&values, 10 * sizeof(T));
    for (int i = 0; i < 10; ++i)
        values[i] = first + static_cast<T>(i);
    transform<<<1, 32>>>(values, 10, operation);
    cudaDeviceSynchronize();
    const T last = values[9];
    cudaFree(values);
    return last;
}

int main() {
    const int offset = 1000;
    std::printf("%d\n", apply(1, Square()));
    std::printf("%g\n", apply(0.5, Square()));
    std::printf("%d\n", apply(0, [=] __device__(int x) { return x + offset; }));
    std::printf("%g\n", apply(1.f, [] __host__ __device__(float x) { return x / 4; }));
    // expect: 100
    // expect: 90.25
    // expect: 1009
    // expect: 2.5
}
