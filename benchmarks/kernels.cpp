// Kernel times, by events: what the simulator takes, and what a GPU takes, for the kernels of the examples.
#include <cuprum/cuprum.hpp>

#include "measure.hpp"

using namespace cuprum::core;
using cuprum::benchmarks::median;
using cuprum::benchmarks::row;

namespace {

const char* const kSource = R"cuda(
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void add(const double* a, const double* b, double* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
extern "C" __global__ void block_sums(const float* input, float* output, int n) {
    __shared__ float sums[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[threadIdx.x] = i < n ? input[i] : 0.0f;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) sums[threadIdx.x] += sums[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) output[blockIdx.x] = sums[0];
}
extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
extern "C" __global__ void sine(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = sinf(x[i]);
}
extern "C" __global__ void empty() {}
)cuda";

// Milliseconds of one launch: the median of 21 after three to warm up.
template <class Launch>
double kernel_milliseconds(const Device& device, const Stream& stream, Launch launch_once) {
    const Event begin = device.create_event({.timing_enabled = true});
    const Event end = device.create_event({.timing_enabled = true});
    std::vector<double> times;
    for (int i = 0; i < 24; ++i) {
        stream.record(begin);
        launch_once();
        stream.record(end);
        end.sync();
        if (i >= 3) times.push_back(end - begin);
    }
    return median(std::move(times));
}

}  // namespace

int main() {
    const Device device(0);
    std::printf("# kernels on %s\n", device.name().c_str());
    constexpr int n = 1 << 20;
    constexpr uint32_t blocks = n / 256;
    const ObjectCode code = Program(kSource).compile();
    const Stream stream = device.create_stream();
    const std::vector<double> host(n, 0.5);
    const Buffer a = device.allocate(n * sizeof(double));
    const Buffer b = device.allocate(n * sizeof(double));
    const Buffer c = device.allocate(n * sizeof(double));
    for (const Buffer* buffer : {&a, &b, &c})
        buffer->copy_from_host(host);

    const auto measure = [&](const char* name, const char* kernel_name, LaunchConfig config, auto... arguments) {
        const Kernel kernel = code.get_kernel(kernel_name);
        row(name, kernel_milliseconds(device, stream, [&] { launch(stream, config, kernel, arguments...); }), "ms");
    };
    const auto pointer = [](const Buffer& buffer) { return buffer.handle(); };
    measure("saxpy, 2^20 floats", "saxpy", {{blocks}, {256}}, 2.0F, pointer(a), pointer(b), n);
    measure("vector add, 2^20 doubles", "add", {{blocks}, {256}}, pointer(a), pointer(b), pointer(c), n);
    measure("shared-memory tree reduction, 2^20 floats", "block_sums", {{blocks}, {256}}, pointer(a), pointer(c), n);
    measure("naive matmul 256^3, 16x16 blocks", "matmul", {{16, 16}, {16, 16}}, pointer(a), pointer(b), pointer(c),
            256);
    measure("sinf, 2^20 floats", "sine", {{blocks}, {256}}, pointer(a), pointer(c), n);
    measure("empty kernel", "empty", {{1}, {32}});
    return 0;
}
