// The first of each run of equal elements: what a sensor that repeats itself has to say.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<int> host_readings{1, 1, 4, 4, 4, 1, 7, 7};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer readings = device.allocate(host_readings.size() * sizeof(int));
        readings.copy_from_host(host_readings);
        const core::Buffer kept = device.allocate(8 * sizeof(int));
        const core::Buffer count = device.allocate(1 * sizeof(uint64_t));

        const parallel::Unique algorithm(parallel::Iterator::pointer<int>(readings), parallel::OpKind::equal_to);
        algorithm(stream, readings, kept, count, host_readings.size());
        stream.sync();

        std::vector<int> found_kept(4);
        kept.slice(0, 4 * sizeof(int)).copy_to_host(found_kept);
        std::vector<uint64_t> found_count(1);
        count.slice(0, 1 * sizeof(uint64_t)).copy_to_host(found_count);
        const bool ok = found_kept == std::vector<int>{1, 4, 1, 7} && found_count == std::vector<uint64_t>{4};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
