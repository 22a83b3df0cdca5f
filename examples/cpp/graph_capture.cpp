// A graph of what is put into a stream: captured once, launched often, and updated with another one's parameters.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* source = R"(
extern "C" __global__ void multiply_add(float* values, float factor, float summand, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = values[i] * factor + summand;
}
)";

constexpr int32_t n = 10'000;
constexpr int launches = 3;

// values = (values * factor + 1) * 2, in two steps.
GraphBuilder build(const Device& device, const Kernel& kernel, const Buffer& values, float factor) {
    const LaunchConfig config = LaunchConfig::for_num_elements(n, 256);
    GraphBuilder builder(device);
    builder.begin_building();
    launch(builder, config, kernel, values, factor, 1.0F, n);
    launch(builder, config, kernel, values, 2.0F, 0.0F, n);
    builder.end_building();
    return builder;
}

void run(const Device& device) {
    const Kernel kernel = Program(source).compile().get_kernel("multiply_add");
    const Stream stream = device.create_stream();
    const Buffer values = device.allocate(n * sizeof(float), stream);
    values.fill(0, 4, stream);

    Graph graph = build(device, kernel, values, 1.0F).complete();
    for (int i = 0; i < launches; ++i)
        graph.launch(stream);  // 0, 2, 6, 14
    graph.update(build(device, kernel, values, 3.0F).graph_definition());
    graph.launch(stream);  // (14 * 3 + 1) * 2

    std::vector<float> result(n);
    values.copy_to_host(result, stream);
    stream.sync();
    int wrong = 0;
    for (const float each : result)
        wrong += each != 86.0F ? 1 : 0;
    std::printf("a graph launched %d times on %s: %d of %d values wrong\n", launches + 1, device.name().c_str(), wrong,
                n);
    if (wrong != 0) std::exit(EXIT_FAILURE);
}

}  // namespace

int main() {
    try {
        run(Device(0));
        return EXIT_SUCCESS;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
