constexpr int kTile = 16;
extern "C" __global__ void matrix_multiply(const float* a, const float* b, float* c, int n) {
    __shared__ float tile_a[kTile][kTile];
    __shared__ float tile_b[kTile][kTile];
    const int row = blockIdx.y * kTile + threadIdx.y;
    const int column = blockIdx.x * kTile + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n / kTile; ++t) {
        tile_a[threadIdx.y][threadIdx.x] = a[row * n + t * kTile + threadIdx.x];
        tile_b[threadIdx.y][threadIdx.x] = b[(t * kTile + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < kTile; ++k) {
            sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
        }
        __syncthreads();
    }
    c[row * n + column] = sum;
}
