// An inclusive scan of one block, and its block sums added by a second kernel.
#include <cstdio>

constexpr int block = 256;

__global__ void scan_blocks(const int* in, int* out, int* sums, int n) {
    __shared__ int buffer[2][block];
    const int i = blockIdx.x * block + threadIdx.x;
    int from = 0;
    buffer[0][threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int distance = 1; distance < block; distance *= 2) {
        const int mine = buffer[from][threadIdx.x];
        const int left = static_cast<int>(threadIdx.x) >= distance ? buffer[from][threadIdx.x - distance] : 0;
        buffer[1 - from][threadIdx.x] = mine + left;
        from = 1 - from;
        __syncthreads();
    }
    if (i < n) out[i] = buffer[from][threadIdx.x];
    if (threadIdx.x == block - 1) sums[blockIdx.x] = buffer[from][threadIdx.x];
}

__global__ void add_sums(int* out, const int* sums, int n) {
    const int i = blockIdx.x * block + threadIdx.x;
    int before = 0;
    for (unsigned other = 0; other < blockIdx.x; ++other)
        before += sums[other];
    if (i < n) out[i] += before;
}

int main() {
    constexpr int n = 1000;
    constexpr int blocks = (n + block - 1) / block;
    int host[n];
    for (int i = 0; i < n; ++i)
        host[i] = 1 + i % 3;
    int *in, *out, *sums;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&sums, blocks * sizeof(int));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    scan_blocks<<<blocks, block>>>(in, out, sums, n);
    add_sums<<<blocks, block>>>(out, sums, n);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d %d %d %d\n", host[0], host[255], host[256], host[n - 1]);
    // expect: 1 511 513 1999
}
