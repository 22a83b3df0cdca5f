// Memory, copies, a launch, and errors asked for as every tutorial does.
#include <cstdio>
#include <vector>

__global__ void add(const float* a, const float* b, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

int main() {
    constexpr int n = 1000;
    std::vector<float> a(n), b(n), sum(n);
    for (int i = 0; i < n; ++i) {
        a[i] = i;
        b[i] = 2 * i;
    }
    float *da, *db, *dsum;
    cudaMalloc(&da, n * sizeof(float));
    cudaMalloc(&db, n * sizeof(float));
    cudaMalloc(&dsum, n * sizeof(float));
    cudaMemcpy(da, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(da, db, dsum, n);
    std::printf("launch: %s\n", cudaGetErrorString(cudaGetLastError()));
    cudaMemcpy(sum.data(), dsum, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("sum[1]=%g sum[999]=%g\n", sum[1], sum[999]);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dsum);
    // expect: launch: no error
    // expect: sum[1]=3 sum[999]=2997
}
