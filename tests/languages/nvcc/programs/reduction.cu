// A block's sum in shared memory, dynamic and static, and across warps by shuffles.
#include <cstdio>

__global__ void sum_dynamic(const int* numbers, int n, int* total) {
    extern __shared__ int partial[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[threadIdx.x] = i < n ? numbers[i] : 0;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(total, partial[0]);
}

__global__ void sum_shuffle(const int* numbers, int n, int* total) {
    __shared__ int of_warps[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i < n ? numbers[i] : 0;
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffff, value, distance);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (unsigned warp = 0; warp < blockDim.x / 32; ++warp)
            sum += of_warps[warp];
        atomicAdd(total, sum);
    }
}

int main() {
    constexpr int n = 5000;
    int *numbers, *totals;
    cudaMallocManaged(&numbers, n * sizeof(int));
    cudaMallocManaged(&totals, 2 * sizeof(int));
    for (int i = 0; i < n; ++i)
        numbers[i] = i % 7;
    totals[0] = totals[1] = 0;
    sum_dynamic<<<(n + 127) / 128, 128, 128 * sizeof(int)>>>(numbers, n, &totals[0]);
    sum_shuffle<<<(n + 127) / 128, 128>>>(numbers, n, &totals[1]);
    cudaDeviceSynchronize();
    std::printf("%d %d\n", totals[0], totals[1]);
    cudaFree(numbers);
    cudaFree(totals);
    // expect: 14995 14995
}
