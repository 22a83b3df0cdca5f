// What a launch through core costs beside the bare driver call: host time, asynchronous, saxpy with four arguments on
// one block.
#include <cuda.h>

#include <cuprum/cuprum.hpp>

#include "cuprum/bindings/driver.hpp"
#include "measure.hpp"

namespace driver = cuprum::bindings::driver;
using namespace cuprum::core;
using cuprum::benchmarks::microseconds_per_call;
using cuprum::benchmarks::row;

int main() {
    const Device device(0);
    std::printf("# launch overhead on %s\n", device.name().c_str());
    const ObjectCode code = Program(
                                "extern \"C\" __global__ void saxpy(float a, float* x, float* y, int n) {\n"
                                "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                "    if (i < n) y[i] = a * x[i] + y[i];\n"
                                "}\n"
                                "extern \"C\" __global__ void empty() {}\n")
                                .compile();
    const Kernel saxpy = code.get_kernel("saxpy");
    const Kernel empty = code.get_kernel("empty");
    const Stream stream = device.create_stream();
    const Buffer x = device.allocate(1024 * sizeof(float));
    const Buffer y = device.allocate(1024 * sizeof(float));
    const LaunchConfig config{{1}, {32}};
    constexpr int batches = 50;
    constexpr int calls = 200;
    const auto drain = [&] { stream.sync(); };

    device.set_current();
    CUfunction empty_function = nullptr;
    CUfunction saxpy_function = nullptr;
    if (driver::cuKernelGetFunction(&empty_function, empty.handle()) != CUDA_SUCCESS ||
        driver::cuKernelGetFunction(&saxpy_function, saxpy.handle()) != CUDA_SUCCESS) {
        std::fprintf(stderr, "cuKernelGetFunction failed\n");
        return 1;
    }
    float a = 2.0F;
    int n = 32;
    DevicePointer x_address = x.handle();
    DevicePointer y_address = y.handle();
    void* arguments[] = {&a, &x_address, &y_address, &n};

    const double bare_empty = microseconds_per_call(
        batches, calls,
        [&] { driver::cuLaunchKernel(empty_function, 1, 1, 1, 32, 1, 1, 0, stream.handle(), nullptr, nullptr); },
        drain);
    const double core_empty = microseconds_per_call(batches, calls, [&] { launch(stream, config, empty); }, drain);
    const double bare_saxpy = microseconds_per_call(
        batches, calls,
        [&] { driver::cuLaunchKernel(saxpy_function, 1, 1, 1, 32, 1, 1, 0, stream.handle(), arguments, nullptr); },
        drain);
    const double core_saxpy =
        microseconds_per_call(batches, calls, [&] { launch(stream, config, saxpy, a, x, y, n); }, drain);
    row("driver: launch, no arguments", bare_empty, "us");
    row("core: launch, no arguments", core_empty, "us", core_empty / bare_empty, "driver");
    row("driver: launch, saxpy", bare_saxpy, "us");
    row("core: launch, saxpy", core_saxpy, "us", core_saxpy / bare_saxpy, "driver");

    const GraphDefinition definition(device);
    definition.launch(config, empty);
    const Graph graph = definition.instantiate();
    const double bare_graph =
        microseconds_per_call(batches, calls, [&] { driver::cuGraphLaunch(graph.handle(), stream.handle()); }, drain);
    const double core_graph = microseconds_per_call(batches, calls, [&] { graph.launch(stream); }, drain);
    row("driver: launch of a graph", bare_graph, "us");
    row("core: launch of a graph", core_graph, "us", core_graph / bare_graph, "driver");
    // One capture for each batch, whose beginning and end are not measured.
    GraphBuilder builder(device);
    builder.begin_building();
    const double captured = microseconds_per_call(
        batches, calls, [&] { launch(builder, config, saxpy, a, x, y, n); },
        [&] {
            builder.end_building();
            builder = GraphBuilder(device);
            builder.begin_building();
        });
    row("core: capture of a launch, saxpy", captured, "us", captured / core_saxpy, "launch");

    const double allocate =
        microseconds_per_call(batches, calls, [&] { Buffer buffer = device.allocate(1024, stream); }, drain);
    const auto pair_of = [&](CUmemoryPool from) {
        return microseconds_per_call(
            batches, calls,
            [&] {
                CUdeviceptr address = 0;
                driver::cuMemAllocFromPoolAsync(&address, 1024, from, stream.handle());
                driver::cuMemFreeAsync(address, stream.handle());
            },
            drain);
    };
    const double bare_allocate = pair_of(DeviceMemoryResource(device).handle());
    row("driver: stream-ordered allocate and free, 1 KiB", bare_allocate, "us");
    row("core: stream-ordered allocate and free, 1 KiB", allocate, "us", allocate / bare_allocate, "driver");
    const DeviceMemoryResource pool(device, {});
    const double bare_pool = pair_of(pool.handle());
    const double from_pool =
        microseconds_per_call(batches, calls, [&] { Buffer buffer = pool.allocate(1024, stream); }, drain);
    row("driver: allocate from a pool and free, 1 KiB", bare_pool, "us");
    row("core: allocate from a pool and free, 1 KiB", from_pool, "us", from_pool / bare_pool, "driver");
    return 0;
}
