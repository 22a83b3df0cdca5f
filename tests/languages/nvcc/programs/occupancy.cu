// Properties, attributes of kernels, occupancy, and a launch with more shared memory than usual.
#include <cstdio>

__global__ void __launch_bounds__(256) small(int* out) {
    out[threadIdx.x] = static_cast<int>(threadIdx.x);
}

__global__ void large(int* out, int words) {
    extern __shared__ int shared[];
    for (int i = threadIdx.x; i < words; i += blockDim.x)
        shared[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) *out = shared[words - 1];
}

int main() {
    int count, version, driver;
    cudaDeviceProp properties;
    cudaGetDeviceCount(&count);
    cudaGetDeviceProperties(&properties, 0);
    cudaRuntimeGetVersion(&version);
    cudaDriverGetVersion(&driver);
    int threads;
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    std::printf("%d %d %d %d\n", count >= 1, properties.warpSize, properties.maxThreadsPerBlock,
                threads == properties.maxThreadsPerMultiProcessor);
    std::printf("%d %d\n", version / 1000 * 1000 == CUDART_VERSION / 1000 * 1000, driver >= 12000);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, small);
    std::printf("%d %zu\n", attributes.maxThreadsPerBlock, attributes.sharedSizeBytes);
    int grid, block, blocks;
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, small);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, 256, 0);
    std::printf("%d %d\n", block, blocks >= 1 && blocks <= properties.maxBlocksPerMultiProcessor);
    int* out;
    cudaMallocManaged(&out, sizeof(int));
    const int bytes = 64 * 1024;
    large<<<1, 128, bytes>>>(out, bytes / 4);
    std::printf("%d\n", cudaGetLastError() != cudaSuccess);
    cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    large<<<1, 128, bytes>>>(out, bytes / 4);
    std::printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
    std::printf("%d\n", *out);
    // expect: 1 32 1024 1
    // expect: 1 1
    // expect: 256 0
    // expect: 256 1
    // expect: 1
    // expect: cudaSuccess 16383
}
