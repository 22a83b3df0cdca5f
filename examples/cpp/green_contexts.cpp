// A green context: its streams' kernels run on a part of the device's multiprocessors.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <set>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* source = R"(
extern "C" __global__ void where(unsigned int* numbers) {
    unsigned int number;
    asm("mov.u32 %0, %%smid;" : "=r"(number));
    numbers[blockIdx.x] = number;
}
)";

constexpr uint32_t blocks = 512;

void run(const Device& device) {
    const Kernel where = Program(source).compile().get_kernel("where");
    const SMResource multiprocessors = SMResource::of(device);
    const SMResource part = multiprocessors.split({}).groups.front();  // as few as there can be
    const Context green = device.create_context({.resources = {part}});
    const Stream stream = green.create_stream();
    const Buffer memory = device.allocate(blocks * sizeof(uint32_t), stream);
    launch(stream, {blocks, 1024}, where, memory);
    std::vector<uint32_t> numbers(blocks);
    memory.copy_to_host(numbers, stream);
    stream.sync();

    const size_t used = std::set<uint32_t>(numbers.begin(), numbers.end()).size();
    std::printf("a kernel on %d of %d multiprocessors of %s: it used %zu\n", part.sm_count(),
                multiprocessors.sm_count(), device.name().c_str(), used);
    if (used == 0 || used > static_cast<size_t>(part.sm_count())) std::exit(EXIT_FAILURE);
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
