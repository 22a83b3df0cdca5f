// A GPU as NVML sees it: its memory, temperature, power and clocks, and that it counts the memory of this program.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr uint64_t size = 64 << 20;

void run(const Device& device) {
    device.allocate(4).close();  // the device is in use from here on
    const system::Device gpu = device.to_system_device();
    const uint64_t before = gpu.memory_info().used;
    Buffer buffer = device.allocate(size);
    const uint64_t grown = gpu.memory_info().used - before;
    buffer.close();

    const uint32_t clock = gpu.clock(system::ClockType::sm);
    const bool right = grown >= size && gpu.to_cuda_device() == device && clock <= gpu.max_clock(system::ClockType::sm);
    std::printf("%s: %u MiB more, %d degrees, %u W, %u MHz, one of %d: %s\n", gpu.name().c_str(),
                static_cast<unsigned>(grown >> 20), gpu.temperature(), gpu.power_usage() / 1000, clock,
                system::get_num_devices(), right ? "right" : "wrong");
    if (!right) std::exit(EXIT_FAILURE);
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
