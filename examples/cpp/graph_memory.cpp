// Memory of a graph: what it allocates in each launch, and a buffer that it keeps although the program has closed it.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr int32_t n = 10'000;
constexpr uint64_t size = n * sizeof(int32_t);
constexpr int launches = 3;

// result = a copy of constants, by way of memory that the graph allocates and frees.
Graph build(const Device& device, const GraphMemoryResource& memory, const Buffer& result) {
    Buffer constants = device.allocate(size);
    constants.copy_from_host(std::vector<int32_t>(n, 42));
    GraphBuilder builder(device);
    builder.begin_building();
    Buffer scratch = memory.allocate(size, builder.stream());  // nothing is allocated yet
    scratch.copy_from(constants, builder);
    result.copy_from(scratch, builder);
    scratch.close();  // the graph frees it
    builder.end_building();
    return builder.complete();  // which keeps the constants
}

void run(const Device& device) {
    const GraphMemoryResource memory(device);
    const Stream stream = device.create_stream();
    const Buffer result = device.allocate(size);
    memory.set_attribute(GraphMemoryAttribute::used_mem_high, 0);

    Graph graph = build(device, memory, result);
    std::vector<int32_t> values(n);
    int wrong = 0;
    for (int i = 0; i < launches; ++i) {
        result.fill(0, 4, stream);
        graph.launch(stream);
        result.copy_to_host(values, stream);
        stream.sync();
        for (const int32_t each : values)
            wrong += each != 42 ? 1 : 0;
    }
    const uint64_t used = memory.attribute(GraphMemoryAttribute::used_mem_high);
    std::printf("a graph launched %d times on %s, which allocates: %d values wrong\n", launches, device.name().c_str(),
                wrong);
    graph.close();
    memory.trim();
    if (wrong != 0 || used < size) std::exit(EXIT_FAILURE);
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
