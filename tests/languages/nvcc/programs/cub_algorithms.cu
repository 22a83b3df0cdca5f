// CUB for a whole device and for a block: reduce, scan, radix sort, select, histogram.
#include <cstdio>
#include <cub/cub.cuh>

struct IsOdd {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 1; }
};

__global__ void block_sum(const int* numbers, int* sum) {
    using Reduce = cub::BlockReduce<int, 128>;
    __shared__ typename Reduce::TempStorage storage;
    const int total = Reduce(storage).Sum(numbers[threadIdx.x]);
    if (threadIdx.x == 0) *sum = total;
}

// Asks how much temporary memory an algorithm needs, and runs it.
template <typename Algorithm>
void run(Algorithm algorithm) {
    void* temporary = nullptr;
    size_t bytes = 0;
    algorithm(temporary, bytes);
    cudaMalloc(&temporary, bytes);
    algorithm(temporary, bytes);
    cudaDeviceSynchronize();
    cudaFree(temporary);
}

int main() {
    constexpr int n = 2000;
    int *in, *out, *result;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&result, 10 * sizeof(int));
    for (int i = 0; i < n; ++i)
        in[i] = (i * 37) % n;
    run([=](void* memory, size_t& bytes) { cub::DeviceReduce::Sum(memory, bytes, in, result, n); });
    std::printf("sum %d\n", *result);
    run([=](void* memory, size_t& bytes) { cub::DeviceScan::ExclusiveSum(memory, bytes, in, out, n); });
    std::printf("scan %d %d\n", out[0], out[n - 1]);
    run([=](void* memory, size_t& bytes) { cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, n); });
    std::printf("sort %d %d %d\n", out[0], out[1000], out[n - 1]);
    run([=](void* memory, size_t& bytes) { cub::DeviceSelect::If(memory, bytes, out, in, result, n, IsOdd()); });
    std::printf("select %d: %d %d\n", *result, in[0], in[999]);
    run([=](void* memory, size_t& bytes) {
        cub::DeviceHistogram::HistogramEven(memory, bytes, out, result, 5, 0, n, n);
    });
    std::printf("histogram %d %d\n", result[0], result[3]);
    block_sum<<<1, 128>>>(out, result);
    const cudaError_t finished = cudaDeviceSynchronize();
    std::printf("block %s %d %s\n", cudaGetErrorName(finished), *result,
                cudaGetErrorName(cudaGetLastError()));
    // expect: sum 1999000
    // expect: scan 0 1997037
    // expect: sort 0 1000 1999
    // expect: select 1000: 1 1999
    // expect: histogram 500 500
    // expect: block cudaSuccess 8128 cudaSuccess
}
