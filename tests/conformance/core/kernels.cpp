#include "fixture.hpp"

namespace cuprum::test {

namespace {

constexpr const char* source = R"(
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void add(const double* a, const double* b, double* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

// One partial sum per block of 256 threads.
extern "C" __global__ void block_sums(const int* input, int* sums, int n) {
    __shared__ int part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? input[i] : 0;
    __syncthreads();
    for (int width = 128; width > 0; width /= 2) {
        if (threadIdx.x < width) part[threadIdx.x] += part[threadIdx.x + width];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

// c = a * b, square, row by row.
extern "C" __global__ void matmul(const float* a, const float* b, float* c, int width) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= width || column >= width) return;
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += a[row * width + k] * b[k * width + column];
    c[row * width + column] = sum;
}

extern "C" __global__ void increment(int* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}

// x[0] = x[0] * factor + 1, many times: takes a while, and shows the order in which launches ran.
extern "C" __global__ void slow_step(unsigned int* x, unsigned int factor, int rounds) {
    unsigned int value = x[0];
    for (int i = 0; i < rounds; ++i) value = value * factor + 1u;
    x[0] = value;
}

struct Mixed { char a; double b; short c; };

// Parameters of every size and alignment.
extern "C" __global__ void write_arguments(char a, short b, int c, long long d, float e, double f, Mixed g, double* out) {
    out[0] = a; out[1] = b; out[2] = c; out[3] = (double)d; out[4] = e; out[5] = f;
    out[6] = g.a; out[7] = g.b; out[8] = g.c;
}

extern "C" __global__ void nothing() {}

extern "C" __global__ void dynamic_shared(int* out) {
    extern __shared__ int memory[];
    memory[threadIdx.x] = threadIdx.x * 3;
    __syncthreads();
    out[threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x];
}

// Where each thread is.
extern "C" __global__ void positions(unsigned int* out) {
    unsigned int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned int at = block * blockDim.x * blockDim.y * blockDim.z + thread;
    out[at] = block * 1000u + thread;
}
)";

}  // namespace

const core::ObjectCode& kernels() {
    // Leaked, so that the driver is not called after main.
    static const auto* const code =
        new core::ObjectCode(core::Program(source, core::SourceType::cxx, {.name = "kernels.cu"}).compile());
    return *code;
}

}  // namespace cuprum::test
