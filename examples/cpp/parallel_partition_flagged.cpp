// A partition by flags: the readings that another sensor has confirmed, and behind them the others, backwards.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<int> host_readings{21, 35, -4, 18, 40, 2, 31, -1};
        const std::vector<int> host_confirmed{0, 1, 0, 1, 1, 0, 0, 1};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer readings = device.allocate(host_readings.size() * sizeof(int));
        readings.copy_from_host(host_readings);
        const core::Buffer confirmed = device.allocate(host_confirmed.size() * sizeof(int));
        confirmed.copy_from_host(host_confirmed);
        const core::Buffer parts = device.allocate(8 * sizeof(int));
        const core::Buffer count = device.allocate(1 * sizeof(uint64_t));

        const parallel::PartitionFlagged algorithm(parallel::Iterator::pointer<int>(readings),
                                                   parallel::Iterator::pointer<int>(confirmed));
        algorithm(stream, readings, confirmed, parts, count, host_readings.size());
        stream.sync();

        std::vector<int> found_parts(8);
        parts.slice(0, 8 * sizeof(int)).copy_to_host(found_parts);
        std::vector<uint64_t> found_count(1);
        count.slice(0, 1 * sizeof(uint64_t)).copy_to_host(found_count);
        const bool ok =
            found_parts == std::vector<int>{35, 18, 40, -1, 31, 2, -4, 21} && found_count == std::vector<uint64_t>{4};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
