// How launches from several threads scale, each in a stream of its own, beside the bare driver call: launches a second
// of all threads together. saxpy with four arguments on one block.
#include <cuda.h>

#include <barrier>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <cuprum/cuprum.hpp>

#include "cuprum/bindings/driver.hpp"
#include "measure.hpp"

namespace driver = cuprum::bindings::driver;
using namespace cuprum::core;
using cuprum::benchmarks::median;
using cuprum::benchmarks::now_microseconds;
using cuprum::benchmarks::row;

namespace {

// Millions a second: the median of some batches, each begun by all threads at once. `launch_in(stream)` launches once.
double million_launches_per_second(const Device& device, int32_t thread_count,
                                   const std::function<void(const Stream&)>& launch_in) {
    constexpr int batches = 21;
    constexpr int calls = 1000;
    std::vector<double> rates;
    double begin = 0;
    std::barrier start(thread_count, [&]() noexcept { begin = now_microseconds(); });
    std::barrier end(thread_count,
                     [&]() noexcept { rates.push_back(thread_count * calls / (now_microseconds() - begin)); });
    std::barrier drained(thread_count);
    std::vector<std::thread> threads;
    for (int32_t i = 0; i < thread_count; ++i) {
        threads.emplace_back([&] {
            device.set_current();
            const Stream stream = device.create_stream();
            for (int batch = 0; batch < batches; ++batch) {
                start.arrive_and_wait();
                for (int call = 0; call < calls; ++call)
                    launch_in(stream);
                end.arrive_and_wait();
                stream.sync();
                drained.arrive_and_wait();
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    return median(std::move(rates));
}

}  // namespace

int main() {
    const Device device(0);
    std::printf("# launches from several threads on %s, %u cores\n", device.name().c_str(),
                std::thread::hardware_concurrency());
    const Kernel saxpy = Program(
                             "extern \"C\" __global__ void saxpy(float a, float* x, float* y, int n) {\n"
                             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    if (i < n) y[i] = a * x[i] + y[i];\n"
                             "}\n")
                             .compile()
                             .get_kernel("saxpy");
    device.set_current();
    CUfunction function = nullptr;
    if (driver::cuKernelGetFunction(&function, saxpy.handle()) != CUDA_SUCCESS) {
        std::fprintf(stderr, "cuKernelGetFunction failed\n");
        return 1;
    }
    const Buffer x = device.allocate(32 * sizeof(float));
    const Buffer y = device.allocate(32 * sizeof(float));
    const LaunchConfig config{{1}, {32}};
    const float a = 2.0F;
    const int n = 0;  // the threads share y
    for (const int32_t threads : {1, 2, 4, 8, 16}) {
        const double bare = million_launches_per_second(device, threads, [&](const Stream& stream) {
            const void* arguments[] = {&a, x.address_of_handle(), y.address_of_handle(), &n};
            driver::cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream.handle(), const_cast<void**>(arguments),
                                   nullptr);
        });
        const double ours = million_launches_per_second(
            device, threads, [&](const Stream& stream) { launch(stream, config, saxpy, a, x, y, n); });
        const std::string with = std::to_string(threads) + (threads == 1 ? " thread" : " threads");
        row(("driver: launches, " + with).c_str(), bare, "million/s");
        row(("core: launches, " + with).c_str(), ours, "million/s", ours / bare, "driver");
    }
    return 0;
}
