// A partition in three: hot, cold, and all other readings, each in their order.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        std::vector<int> readings{21, 35, -4, 18, 40, 2, 31, -1};
        const uint64_t size = readings.size() * sizeof(int);
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer input = device.allocate(size);
        const core::Buffer hot = device.allocate(size);
        const core::Buffer cold = device.allocate(size);
        const core::Buffer mild = device.allocate(size);
        const core::Buffer counts = device.allocate(2 * sizeof(uint64_t));
        input.copy_from_host(readings);

        const auto elements = parallel::Iterator::pointer<int>(input);
        const parallel::ThreeWayPartition partition(elements, "a > 30", "a < 0");
        partition(stream, elements, hot, cold, mild, counts, readings.size());
        stream.sync();

        std::array<uint64_t, 2> numbers{};
        counts.copy_to_host(numbers);
        std::vector<int> hot_readings(numbers[0]);
        hot.slice(0, numbers[0] * sizeof(int)).copy_to_host(hot_readings);
        const bool ok = hot_readings == std::vector<int>{35, 40, 31} && numbers[1] == 2;
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
