// Two graphs in two streams that hand work to each other through a word of memory, which nodes wait for and write.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* source = R"(
// words: whether there is an item, the item, and the items that were taken, a digit for each.
extern "C" __global__ void make(unsigned* words) { words[1] += 1; }
extern "C" __global__ void take(unsigned* words) { words[2] = 10 * words[2] + words[1]; }
)";
constexpr int rounds = 5;
constexpr uint32_t expected = 12345;

// A kernel that runs when the first word is `before`, and then makes it `after`.
Graph step(const Device& device, const Kernel& kernel, const Buffer& words, uint32_t before, uint32_t after) {
    const GraphDefinition definition(device);
    definition.wait_value32(words, 0, before, WaitCondition::equal)
        .launch({1, 1}, kernel, words)
        .write_value32(words, 0, after);
    return definition.instantiate();
}

void run(const Device& device) {
    const ObjectCode code = Program(source).compile();
    const Stream makers_stream = device.create_stream();
    const Stream takers_stream = device.create_stream();
    const Buffer words = device.allocate(3 * sizeof(uint32_t));  // without a stream: not of a pool
    std::array<uint32_t, 3> values{};
    words.copy_from_host(values);

    const Graph maker = step(device, code.get_kernel("make"), words, 0, 1);
    const Graph taker = step(device, code.get_kernel("take"), words, 1, 0);
    // The launch that another one waits for is put in first: streams may share a queue of the hardware.
    for (int round = 0; round < rounds; ++round) {
        maker.launch(makers_stream);
        taker.launch(takers_stream);
    }
    takers_stream.sync();
    makers_stream.sync();

    words.copy_to_host(values);
    std::printf("%d items handed over on %s: %u\n", rounds, device.name().c_str(), values[2]);
    if (values[2] != expected) std::exit(EXIT_FAILURE);
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
