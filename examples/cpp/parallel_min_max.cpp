// Both extremes in one sweep: between which temperatures a day was.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<float> host_temperatures{3.5F, -1.25F, 8.0F, 12.75F, 6.5F};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer temperatures = device.allocate(host_temperatures.size() * sizeof(float));
        temperatures.copy_from_host(host_temperatures);
        const core::Buffer extremes = device.allocate(2 * sizeof(float));

        const parallel::MinMax algorithm(parallel::Iterator::pointer<float>(temperatures));
        algorithm(stream, temperatures, extremes, host_temperatures.size());
        stream.sync();

        std::vector<float> found_extremes(2);
        extremes.copy_to_host(found_extremes);
        const bool ok = found_extremes == std::vector<float>{-1.25F, 12.75F};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
