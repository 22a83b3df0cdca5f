// A histogram with atomics in shared memory, compare-and-swap, and votes.
#include <cstdio>

__device__ double largest = 0;

__device__ void atomic_max(double* address, double value) {
    auto* const bits = reinterpret_cast<unsigned long long*>(address);
    unsigned long long seen = *bits;
    while (__longlong_as_double(static_cast<long long>(seen)) < value) {
        const unsigned long long before =
            atomicCAS(bits, seen, static_cast<unsigned long long>(__double_as_longlong(value)));
        if (before == seen) break;
        seen = before;
    }
}

__global__ void histogram(const unsigned char* text, int n, unsigned* counts, unsigned* evens) {
    __shared__ unsigned local[26];
    if (threadIdx.x < 26) local[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&local[text[i] - 'a'], 1);
        atomic_max(&largest, 0.5 * i);
    }
    const unsigned even = __ballot_sync(0xffffffff, i < n && text[i < n ? i : 0] % 2 == 0);
    if (threadIdx.x % 32 == 0) atomicAdd(evens, __popc(even));
    __syncthreads();
    if (threadIdx.x < 26) atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
}

int main() {
    constexpr int n = 520;
    unsigned char text[n];
    for (int i = 0; i < n; ++i)
        text[i] = static_cast<unsigned char>('a' + i * 7 % 26);
    unsigned char* device_text;
    unsigned *counts, on_host[27];
    cudaMalloc(&device_text, n);
    cudaMalloc(&counts, sizeof on_host);
    cudaMemset(counts, 0, sizeof on_host);
    cudaMemcpy(device_text, text, n, cudaMemcpyHostToDevice);
    histogram<<<5, 128>>>(device_text, n, counts, counts + 26);
    cudaMemcpy(on_host, counts, sizeof on_host, cudaMemcpyDeviceToHost);
    double top;
    cudaMemcpyFromSymbol(&top, largest, sizeof top);
    std::printf("%u %u %u %g\n", on_host[0], on_host[25], on_host[26], top);
    // expect: 20 20 260 259.5
}
