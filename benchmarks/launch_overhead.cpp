// What a launch through core costs beside the bare driver call: host time, asynchronous, saxpy with four arguments on
// one block.
#include <cuda.h>

#include <cuprum/cuprum.hpp>

#include "cuprum/bindings/driver.hpp"
#include "measure.hpp"

namespace driver = cuprum::bindings::driver;
using namespace cuprum::core;
using cuprum::benchmarks::row;
using cuprum::benchmarks::side_by_side;
using cuprum::benchmarks::SideBySide;

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

    // The same launch of the CUfunction and of the CUkernel, which core launches.
    const auto launch_bare = [&](CUfunction function, void** parameters) {
        driver::cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream.handle(), parameters, nullptr);
    };
    const auto compare = [&](const char* bare_name, const char* core_name, auto bare, auto through_core) {
        const SideBySide times = side_by_side(batches, calls, bare, through_core, drain);
        row(bare_name, times.first, "us");
        row(core_name, times.second, "us", times.ratio, "driver");
    };
    compare(
        "driver: launch, no arguments", "driver: launch of a CUkernel, no arguments",
        [&] { launch_bare(empty_function, nullptr); },
        [&] { launch_bare(reinterpret_cast<CUfunction>(empty.handle()), nullptr); });
    compare(
        "driver: launch, no arguments", "core: launch, no arguments", [&] { launch_bare(empty_function, nullptr); },
        [&] { launch(stream, config, empty); });
    compare(
        "driver: launch, saxpy", "core: launch, saxpy", [&] { launch_bare(saxpy_function, arguments); },
        [&] { launch(stream, config, saxpy, a, x, y, n); });

    const GraphDefinition definition(device);
    definition.launch(config, empty);
    const Graph graph = definition.instantiate();
    compare(
        "driver: launch of a graph", "core: launch of a graph",
        [&] { driver::cuGraphLaunch(graph.handle(), stream.handle()); }, [&] { graph.launch(stream); });
    // One capture for each batch, whose beginning and end are not measured.
    GraphBuilder builder(device);
    builder.begin_building();
    const SideBySide captured = side_by_side(
        batches, calls, [&] { launch(stream, config, saxpy, a, x, y, n); },
        [&] { launch(builder, config, saxpy, a, x, y, n); },
        [&] {
            stream.sync();
            builder.end_building();
            builder = GraphBuilder(device);
            builder.begin_building();
        });
    row("core: capture of a launch, saxpy", captured.second, "us", captured.ratio, "launch");

    const auto bare_pair = [&](CUmemoryPool from) {
        return [&stream, from] {
            CUdeviceptr address = 0;
            driver::cuMemAllocFromPoolAsync(&address, 1024, from, stream.handle());
            driver::cuMemFreeAsync(address, stream.handle());
        };
    };
    compare("driver: stream-ordered allocate and free, 1 KiB", "core: stream-ordered allocate and free, 1 KiB",
            bare_pair(DeviceMemoryResource(device).handle()), [&] { Buffer buffer = device.allocate(1024, stream); });
    const DeviceMemoryResource pool(device, {});
    compare("driver: allocate from a pool and free, 1 KiB", "core: allocate from a pool and free, 1 KiB",
            bare_pair(pool.handle()), [&] { Buffer buffer = pool.allocate(1024, stream); });
    return 0;
}
