// Whole kernels on the simulator, each beside one thread of C++ that does the same: a tiled product of matrices through
// wmma, a stencil, bodies that attract each other, branches that diverge, many small blocks. Times are the processor's,
// so that what else runs on the machine changes little; run it with CUPRUM_SIM=threads=1.
#include <cuprum/cuprum.hpp>

#include <cmath>
#include <cstdlib>
#include <ctime>

#include "measure.hpp"

using namespace cuprum::core;
using cuprum::benchmarks::row;

namespace {

const char* const source = R"cuda(
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void matmul(const half* a, const half* b, float* c, int n) {
    __shared__ half as[32][40], bs[32][40];
    int warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k0 = 0; k0 < n; k0 += 32) {
        for (int e = threadIdx.x; e < 1024; e += blockDim.x) {
            as[e / 32][e % 32] = a[(blockIdx.y * 32 + e / 32) * n + k0 + e % 32];
            bs[e / 32][e % 32] = b[(k0 + e / 32) * n + blockIdx.x * 32 + e % 32];
        }
        __syncthreads();
        for (int step = 0; step < 32; step += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
            wmma::load_matrix_sync(fa, &as[row][step], 40);
            wmma::load_matrix_sync(fb, &bs[step][column], 40);
            wmma::mma_sync(sum, fa, fb, sum);
        }
        __syncthreads();
    }
    wmma::store_matrix_sync(c + (blockIdx.y * 32 + row) * n + blockIdx.x * 32 + column, sum, n, wmma::mem_row_major);
}
extern "C" __global__ void stencil(const float* in, float* out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    const float* at = in + y * n + x;
    out[y * n + x] = 0.25f * (at[-1] + at[1] + at[-n] + at[n]);
}
extern "C" __global__ void bodies(const float4* at, float4* force, int n) {
    __shared__ float4 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 own = at[i], sum = {0, 0, 0, 0};
    for (int first = 0; first < n; first += 128) {
        tile[threadIdx.x] = at[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 128; ++k) {
            float x = tile[k].x - own.x, y = tile[k].y - own.y, z = tile[k].z - own.z;
            float inverse = rsqrtf(x * x + y * y + z * z + 0.01f), f = tile[k].w * inverse * inverse * inverse;
            sum.x += f * x; sum.y += f * y; sum.z += f * z;
        }
        __syncthreads();
    }
    force[i] = sum;
}
// How many steps a number takes to 1: lanes leave the loop one by one, and branch within it.
extern "C" __global__ void collatz(int* steps, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int count = 0;
    for (unsigned v = i + 1; v != 1; ++count) {
        if (v % 2 == 0) v /= 2;
        else v = 3 * v + 1;
    }
    steps[i] = count;
}
extern "C" __global__ void scale(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 1.0001f; }
)cuda";

double processor_milliseconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

// The best of several, after one to warm up: whatever else runs only ever adds.
template <class Run>
double milliseconds(Run run) {
    double best = 0;
    for (int k = 0; k <= 5; ++k) {
        const double begin = processor_milliseconds();
        run();
        const double time = processor_milliseconds() - begin;
        if (k > 0 && (best == 0 || time < best)) best = time;
    }
    return best;
}

// So that the compiler computes what nobody reads.
template <class T>
void keep(const std::vector<T>& values) {
    asm volatile("" : : "g"(values.data()) : "memory");
}

struct Body {
    float x, y, z, mass;
};

}  // namespace

int main() {
    const Device device(0);
    const Stream stream = device.create_stream();
    std::printf("# programs on %s, beside one thread of C++\n", device.name().c_str());
    const ObjectCode code = Program(source).compile();
    const auto measure = [&](const char* name, const char* kernel_name, const LaunchConfig& config, auto&& host,
                             auto... arguments) {
        const Kernel kernel = code.get_kernel(kernel_name);
        const double simulated = milliseconds([&] {
            launch(stream, config, kernel, arguments...);
            stream.sync();
        });
        row(name, simulated, "ms", simulated / milliseconds(host), "one thread of C++");
    };

    constexpr int n = 256;
    std::vector<float> left(n * n), right(n * n), product(n * n);
    for (size_t k = 0; k < left.size(); ++k) {
        left[k] = static_cast<float>(std::rand() % 16);
        right[k] = static_cast<float>(std::rand() % 16);
    }
    const Buffer a = device.allocate(1 << 22), b = device.allocate(1 << 22);
    a.fill(0, 1, stream);
    b.fill(0, 1, stream);
    const Buffer c = device.allocate(1 << 22);
    measure(
        "tiled matmul by wmma, 256^3", "matmul", {{n / 32, n / 32}, {128}},
        [&] {
            std::fill(product.begin(), product.end(), 0.0F);
            for (int i = 0; i < n; ++i) {
                for (int k = 0; k < n; ++k) {
                    for (int j = 0; j < n; ++j)
                        product[static_cast<size_t>(i * n + j)] +=
                            left[static_cast<size_t>(i * n + k)] * right[static_cast<size_t>(k * n + j)];
                }
            }
            keep(product);
        },
        a.handle(), b.handle(), c.handle(), n);

    constexpr int side = 1024;
    std::vector<float> before(side * side, 1), after(side * side);
    measure(
        "stencil of 5 points, 1024 x 1024", "stencil", {{side / 128, side}, {128}},
        [&] {
            for (int y = 1; y < side - 1; ++y) {
                for (int x = 1; x < side - 1; ++x) {
                    const float* const at = before.data() + y * side + x;
                    after[static_cast<size_t>(y * side + x)] = 0.25F * (at[-1] + at[1] + at[-side] + at[side]);
                }
            }
            keep(after);
        },
        a.handle(), b.handle(), side);

    constexpr int count = 2048;
    std::vector<Body> at(count), force(count);
    for (Body& body : at) {
        const auto next = [] { return static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX); };
        body = {next(), next(), next(), next()};
    }
    a.copy_from_host(at.data(), at.size() * sizeof(Body));
    measure(
        "2048 bodies, all pairs", "bodies", {{count / 128}, {128}},
        [&] {
            for (size_t i = 0; i < at.size(); ++i) {
                Body sum{};
                for (const Body& other : at) {
                    const float x = other.x - at[i].x, y = other.y - at[i].y, z = other.z - at[i].z;
                    const float inverse = 1 / std::sqrt(x * x + y * y + z * z + 0.01F);
                    const float f = other.mass * inverse * inverse * inverse;
                    sum.x += f * x;
                    sum.y += f * y;
                    sum.z += f * z;
                }
                force[i] = sum;
            }
            keep(force);
        },
        a.handle(), b.handle(), count);

    std::vector<int> steps(1 << 16);
    measure(
        "branches that diverge, 2^16 numbers", "collatz", {{(1 << 16) / 128}, {128}},
        [&] {
            for (size_t i = 0; i < steps.size(); ++i) {
                int passed = 0;
                for (uint32_t v = static_cast<uint32_t>(i) + 1; v != 1; ++passed)
                    v = v % 2 == 0 ? v / 2 : 3 * v + 1;
                steps[i] = passed;
            }
            keep(steps);
        },
        b.handle(), 1 << 16);

    std::vector<float> values(1 << 19, 1);
    measure(
        "16384 blocks of one warp", "scale", {{1 << 14}, {32}},
        [&] {
            for (float& value : values)
                value *= 1.0001F;
            keep(values);
        },
        c.handle());
    return 0;
}
