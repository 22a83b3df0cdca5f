// __managed__ variables and cudaMallocManaged: the host reads and writes them before and after kernels.
#include <cstdio>

__managed__ int counter = 40;
__managed__ struct {
    float x, y;
} point;

__global__ void use(int* numbers) {
    atomicAdd(&counter, 1);
    numbers[threadIdx.x] *= 2;
    if (threadIdx.x == 0) point.y = point.x + 1;
}

int main() {
    std::printf("%d\n", counter);
    point.x = 2;
    counter = 100;
    int* numbers;
    cudaMallocManaged(&numbers, 32 * sizeof(int));
    for (int i = 0; i < 32; ++i)
        numbers[i] = i;
    int device;
    cudaGetDevice(&device);
    use<<<1, 32>>>(numbers);
    cudaDeviceSynchronize();
    std::printf("%d %g %d\n", counter, point.y, numbers[31]);
    int copied;
    cudaMemcpyFromSymbol(&copied, counter, sizeof copied);
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, numbers);
    std::printf("%d %d\n", copied, attributes.type == cudaMemoryTypeManaged);
    cudaFree(numbers);
    // expect: 40
    // expect: 132 3 62
    // expect: 132 1
}
