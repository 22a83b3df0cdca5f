// Differences of neighbours: how much a meter has counted between two readings.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<int> host_readings{3, 5, 10, 10, 18, 20};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer readings = device.allocate(host_readings.size() * sizeof(int));
        readings.copy_from_host(host_readings);
        const core::Buffer differences = device.allocate(6 * sizeof(int));

        const parallel::AdjacentDifference algorithm(parallel::Neighbour::left,
                                                     parallel::Iterator::pointer<int>(readings),
                                                     parallel::OpKind::minus, parallel::Type::of<int>());
        algorithm(stream, readings, differences, host_readings.size());
        stream.sync();

        std::vector<int> found_differences(6);
        differences.slice(0, 6 * sizeof(int)).copy_to_host(found_differences);
        const bool ok = found_differences == std::vector<int>{3, 2, 5, 0, 8, 2};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
