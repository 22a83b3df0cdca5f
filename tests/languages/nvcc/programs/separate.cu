// Relocatable device code: the device's linker has put the program together.
// nvcc: -rdc=true
#include <cstdio>

__device__ int counter = 3;
__device__ int next(int step);

__global__ void count(int* out) {
    *out = next(static_cast<int>(threadIdx.x) + 2);
}

__device__ int next(int step) {
    return counter += step;
}

int main() {
    int* out;
    cudaMallocManaged(&out, sizeof(int));
    count<<<1, 1>>>(out);
    std::printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
    int value;
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    std::printf("%d %d\n", *out, value);
    // expect: cudaSuccess 5 5
}
