// __device__ and __constant__ variables, with and without initial values, static ones and arrays.
#include <cstdio>

__device__ int counter = 5;
static __device__ unsigned hits[4];
__constant__ float coefficients[3] = {1, 2, 3};
__device__ float* stored;

__global__ void evaluate(float x) {
    atomicAdd(&counter, 1);
    atomicAdd(&hits[threadIdx.x % 4], 1u);
    if (threadIdx.x == 0) *stored = coefficients[0] + coefficients[1] * x + coefficients[2] * x * x;
}

int main() {
    float* result;
    cudaMallocManaged(&result, sizeof(float));
    cudaMemcpyToSymbol(stored, &result, sizeof result);
    evaluate<<<1, 10>>>(2);
    cudaDeviceSynchronize();
    int count;
    unsigned counts[4];
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    cudaMemcpyFromSymbol(counts, hits, sizeof counts);
    std::printf("%g %d %u %u %u %u\n", *result, count, counts[0], counts[1], counts[2], counts[3]);
    const float other[] = {10, 0};
    cudaMemcpyToSymbol(coefficients, other, sizeof other, sizeof(float));
    evaluate<<<1, 1>>>(2);
    cudaDeviceSynchronize();
    std::printf("%g\n", *result);
    void* address;
    size_t bytes;
    cudaGetSymbolAddress(&address, hits);
    cudaGetSymbolSize(&bytes, hits);
    cudaMemset(address, 0, bytes);
    cudaMemcpyFromSymbol(counts, hits, sizeof counts);
    std::printf("%zu %u\n", bytes, counts[0]);
    std::printf("%s\n", cudaGetErrorName(cudaMemcpyToSymbol(coefficients, other, sizeof other, 2 * sizeof(float))));
    int on_host = 0;
    std::printf("%s\n", cudaGetErrorName(cudaGetSymbolAddress(&address, on_host)));
    // expect: 17 15 3 3 2 2
    // expect: 21
    // expect: 16 0
    // expect: cudaErrorInvalidValue
    // expect: cudaErrorInvalidSymbol
}
