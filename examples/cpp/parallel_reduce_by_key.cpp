// A reduction by key: the readings of each sensor, added.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<int> host_sensors{1, 1, 1, 4, 4, 7, 8, 8};
        const std::vector<float> host_readings{0.5F, 0.5F, 1.0F, 2.5F, 2.0F, 3.5F, 4.0F, 4.5F};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer sensors = device.allocate(host_sensors.size() * sizeof(int));
        sensors.copy_from_host(host_sensors);
        const core::Buffer readings = device.allocate(host_readings.size() * sizeof(float));
        readings.copy_from_host(host_readings);
        const core::Buffer keys = device.allocate(8 * sizeof(int));
        const core::Buffer sums = device.allocate(8 * sizeof(float));
        const core::Buffer count = device.allocate(1 * sizeof(uint64_t));

        const parallel::ReduceByKey algorithm(parallel::Iterator::pointer<int>(sensors),
                                              parallel::Iterator::pointer<float>(readings), parallel::OpKind::plus,
                                              parallel::Type::of<float>(), parallel::OpKind::equal_to);
        algorithm(stream, sensors, readings, keys, sums, count, host_sensors.size());
        stream.sync();

        std::vector<int> found_keys(4);
        keys.slice(0, 4 * sizeof(int)).copy_to_host(found_keys);
        std::vector<float> found_sums(4);
        sums.slice(0, 4 * sizeof(float)).copy_to_host(found_sums);
        std::vector<uint64_t> found_count(1);
        count.slice(0, 1 * sizeof(uint64_t)).copy_to_host(found_count);
        const bool ok = found_keys == std::vector<int>{1, 4, 7, 8} &&
                        found_sums == std::vector<float>{2.0F, 4.5F, 3.5F, 8.5F} &&
                        found_count == std::vector<uint64_t>{4};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
