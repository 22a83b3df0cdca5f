// A struct as a kernel's argument, by value, and a grid that has a thread for each element.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* source = R"(
struct Motion { float start; double speed; short steps; };

extern "C" __global__ void move(Motion motion, double* places, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) places[i] = motion.start + motion.speed * motion.steps * i;
}
)";

// As the kernel's: the compilers of host and device lay structs out alike.
struct Motion {
    float start;
    double speed;
    int16_t steps;
};

constexpr int32_t n = 1000;

void run(const Device& device) {
    const Kernel move = Program(source).compile().get_kernel("move");
    const Stream stream = device.create_stream();
    const Buffer places = device.allocate(n * sizeof(double), stream);
    const Motion motion{.start = 0.5F, .speed = 0.25, .steps = 4};
    launch(stream, LaunchConfig::for_num_elements(n, 128), move, motion, places, n);
    std::vector<double> result(n);
    places.copy_to_host(result, stream);
    stream.sync();

    int wrong = 0;
    for (size_t i = 0; i < result.size(); ++i)
        wrong += result[i] != 0.5 + static_cast<double>(i) ? 1 : 0;
    std::printf("%d places by a struct of %d bytes on %s: %d wrong\n", n, static_cast<int>(sizeof motion),
                device.name().c_str(), wrong);
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
