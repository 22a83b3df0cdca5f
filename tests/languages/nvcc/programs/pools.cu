// Stream-ordered memory, the default pool and one of the program's own.
#include <cstdio>

__global__ void write(int* numbers) {
    numbers[threadIdx.x] = threadIdx.x * threadIdx.x;
}

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int* numbers;
    cudaMallocAsync(&numbers, 64 * sizeof(int), stream);
    write<<<1, 64, 0, stream>>>(numbers);
    int back[64];
    cudaMemcpyAsync(back, numbers, sizeof back, cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(numbers, stream);
    cudaStreamSynchronize(stream);
    cudaMemPool_t pool, current;
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    cudaMemPoolCreate(&pool, &properties);
    cudaMallocFromPoolAsync(reinterpret_cast<void**>(&numbers), 1024, pool, stream);
    unsigned long long used = 0;
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
    cudaFreeAsync(numbers, stream);
    cudaStreamSynchronize(stream);
    cudaMemPoolDestroy(pool);
    cudaDeviceGetMemPool(&current, 0);
    cudaDeviceGetDefaultMemPool(&pool, 0);
    std::printf("%d %d %d %s\n", back[63], used >= 1024, pool == current, cudaGetErrorName(cudaGetLastError()));
    // expect: 3969 1 1 cudaSuccess
}
