// What a debugger's view is tested with: structures, a loop, a call, shared memory.
struct Point {
    float x, y;
    int tag;
};

__device__ __noinline__ float scale(float value, float by) {
    float product = value * by;
    return product + 1.0f;
}

extern "C" __global__ void scaled(float a, float* x, const float* y, int n) {
    __shared__ float tile[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Point p = {x[i], y[i], i};
        float sum = scale(a, p.x);
        tile[threadIdx.x & 3] = 2.0f;
        for (int k = 0; k < 3; ++k) {
            double term = k * 0.5;
            sum += term;
        }
        x[i] = sum + p.y;
    }
}
