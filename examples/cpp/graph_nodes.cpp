// A graph described node by node: a fill, a loop that a kernel ends, a copy and a function of the program's.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

// One step towards 1: how many it takes is not known before.
constexpr const char* source = R"(
extern "C" __device__ __cudart_builtin__ void CUDARTAPI cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned);
extern "C" __global__ void step(cudaGraphConditionalHandle again, unsigned* value, unsigned* steps) {
    *value = *value % 2 == 0 ? *value / 2 : 3 * *value + 1;
    *steps += 1;
    cudaGraphSetConditional(again, *value != 1);
}
)";

constexpr uint32_t start = 27;
constexpr uint32_t expected = 111;  // steps

void run(const Device& device) {
    const Kernel step = Program(source).compile().get_kernel("step");
    const Stream stream = device.create_stream();
    const Buffer value = device.allocate(sizeof(uint32_t));
    const Buffer steps = device.allocate(sizeof(uint32_t));
    const Buffer result = device.allocate(sizeof(uint32_t));
    int calls = 0;

    const GraphDefinition definition(device);
    const GraphCondition again = definition.create_condition(1);
    const GraphNode filled =
        definition.memset({.destination = value.handle(), .value = start, .element_size = 4, .width = 1})
            .memset({.destination = steps.handle(), .value = 0, .element_size = 4, .width = 1});
    const GraphNode loop = filled.while_loop(again);
    loop.bodies()[0].launch({1, 1}, step, again.handle(), value, steps);
    loop.memcpy(result, steps, sizeof(uint32_t)).callback([&calls] { ++calls; });

    const Graph graph = definition.instantiate();
    graph.launch(stream);
    graph.launch(stream);
    stream.sync();
    uint32_t counted = 0;
    result.copy_to_host(&counted, sizeof counted);
    std::printf("from %u to 1 in %u steps, %d times, on %s\n", start, counted, calls, device.name().c_str());
    if (counted != expected || calls != 2) std::exit(EXIT_FAILURE);
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
