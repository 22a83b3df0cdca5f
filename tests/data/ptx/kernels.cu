// Kernels of the driver's conformance tests. kernels.ptx is made of this with
//     nvcc -ptx -rdc=true -arch=compute_75 -o kernels.ptx kernels.cu
#include <cassert>

__device__ int counter = 41;
__constant__ int table[4] = {10, 20, 30, 40};

extern "C" __global__ void saxpy(float a, const float* x, float* y, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void fill(unsigned* p, unsigned value, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = value;
}

extern "C" __global__ void increment(unsigned* p, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = p[i] + 1;
}

// One thread writes one word at a byte offset.
extern "C" __global__ void store_at(char* p, long long offset) { *reinterpret_cast<unsigned*>(p + offset) = 7; }

extern "C" __global__ void nothing() {}

extern "C" __global__ void stop() { __trap(); }

extern "C" __global__ void check(int value) { assert(value == 1); }

// Writes counter and table, then counts on.
extern "C" __global__ void read_variables(int* out) {
    out[0] = counter;
    for (int i = 0; i < 4; ++i) out[1 + i] = table[i];
    counter = counter + 1;
}

// Reverses a block's words through shared memory of the size given at the launch.
extern "C" __global__ void reverse(unsigned* p) {
    extern __shared__ unsigned words[];
    words[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = words[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void static_shared(unsigned* p) {
    __shared__ unsigned words[256];
    words[threadIdx.x % 256] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = words[(threadIdx.x + 1) % blockDim.x];
}

struct Pair {
    short first;
    double second;
};

// Parameters of every width, with padding between them.
extern "C" __global__ void mixed(char a, double b, short c, Pair d, float e, unsigned long long* out) {
    out[0] = a;
    out[1] = static_cast<unsigned long long>(b);
    out[2] = c;
    out[3] = d.first;
    out[4] = static_cast<unsigned long long>(d.second);
    out[5] = static_cast<unsigned long long>(e);
}

extern "C" __global__ void __launch_bounds__(128) bounded(unsigned* p) { p[threadIdx.x] = threadIdx.x; }

extern "C" __global__ void copy_dimensions(unsigned* out) {
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
        const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
        out[block] = blockDim.x * 10000 + blockDim.y * 100 + blockDim.z;
    }
}
