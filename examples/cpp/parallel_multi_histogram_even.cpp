// A histogram of several channels: how bright red, green and blue are in a picture of four pixels with alpha.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<uint8_t> host_pixels{255, 0, 10, 1, 200, 64, 20, 1, 0, 65, 30, 0, 130, 255, 40, 0};
        const std::vector<uint64_t> bins{4, 2, 4};
        const std::vector<parallel::Value> lower(3, 0), upper(3, 256);
        const std::vector<int> expected{1, 0, 1, 2, 3, 1, 4, 0, 0, 0};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer pixels = device.allocate(host_pixels.size());
        pixels.copy_from_host(host_pixels);
        const core::Buffer counts = device.allocate(expected.size() * sizeof(int));

        const parallel::MultiHistogramEven algorithm(parallel::Iterator::pointer<uint8_t>(pixels), 4, 3,
                                                     parallel::Type::of<int>(), parallel::Type::of<int>());
        algorithm(stream, pixels, counts, bins, lower, upper, host_pixels.size() / 4);
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
