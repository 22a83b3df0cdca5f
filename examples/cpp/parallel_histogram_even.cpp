// A histogram: how many grades are in each fifth of the scale.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<float> grades{12, 99, 55, 43, 60, 61, 0, 100, 38};
        std::vector<uint32_t> counts(5);
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer samples = device.allocate(grades.size() * sizeof(float));
        const core::Buffer histogram = device.allocate(counts.size() * sizeof(uint32_t));
        samples.copy_from_host(grades);

        // From 0 up to, but not including, 100.
        const parallel::HistogramEven count(parallel::Iterator::pointer<float>(samples), parallel::Type::of<float>());
        count(stream, samples, histogram, counts.size(), 0.0F, 100.0F, grades.size());
        stream.sync();
        histogram.copy_to_host(counts);

        const bool ok = counts == std::vector<uint32_t>{2, 1, 2, 2, 1};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
