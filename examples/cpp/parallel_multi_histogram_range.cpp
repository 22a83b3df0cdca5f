// A histogram of ranges of several channels: red is dark or bright, green dark, medium or bright, blue not counted.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<uint8_t> host_pixels{255, 0, 10, 200, 64, 20, 0, 65, 30, 130, 255, 40};
        const std::vector<int> host_levels{0, 128, 256, 0, 60, 200, 256};
        const std::vector<uint64_t> bins{2, 3};
        const std::vector<int> expected{1, 3, 1, 2, 1};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer pixels = device.allocate(host_pixels.size());
        pixels.copy_from_host(host_pixels);
        const core::Buffer levels = device.allocate(host_levels.size() * sizeof(int));
        levels.copy_from_host(host_levels);
        const core::Buffer counts = device.allocate(expected.size() * sizeof(int));

        const parallel::MultiHistogramRange algorithm(parallel::Iterator::pointer<uint8_t>(pixels), 3, 2,
                                                      parallel::Type::of<int>());
        algorithm(stream, pixels, levels, counts, bins, host_pixels.size() / 3);
        stream.sync();

        std::vector<int> found(expected.size());
        counts.copy_to_host(found);
        const bool ok = found == expected;
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
