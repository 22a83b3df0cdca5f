// Runs of two and more equal elements: where a sensor begins to repeat itself, and how often it does.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<int> host_readings{5, 5, 5, 2, 7, 7, 5, 5};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer readings = device.allocate(host_readings.size() * sizeof(int));
        readings.copy_from_host(host_readings);
        const core::Buffer offsets = device.allocate(8 * sizeof(int));
        const core::Buffer lengths = device.allocate(8 * sizeof(int));
        const core::Buffer count = device.allocate(1 * sizeof(uint64_t));

        const parallel::NonTrivialRuns algorithm(parallel::Iterator::pointer<int>(readings), parallel::Type::of<int>(),
                                                 parallel::OpKind::equal_to);
        algorithm(stream, readings, offsets, lengths, count, host_readings.size());
        stream.sync();

        std::vector<int> found_offsets(3);
        offsets.slice(0, 3 * sizeof(int)).copy_to_host(found_offsets);
        std::vector<int> found_lengths(3);
        lengths.slice(0, 3 * sizeof(int)).copy_to_host(found_lengths);
        std::vector<uint64_t> found_count(1);
        count.slice(0, 1 * sizeof(uint64_t)).copy_to_host(found_count);
        const bool ok = found_offsets == std::vector<int>{0, 4, 6} && found_lengths == std::vector<int>{3, 2, 2} &&
                        found_count == std::vector<uint64_t>{3};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
