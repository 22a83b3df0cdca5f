// A histogram of ranges: how many people are children, of working age, and older.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<int> host_ages{3, 70, 35, 17, 18, 64, 65, 40};
        const std::vector<int> host_levels{0, 18, 65, 150};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer ages = device.allocate(host_ages.size() * sizeof(int));
        ages.copy_from_host(host_ages);
        const core::Buffer levels = device.allocate(host_levels.size() * sizeof(int));
        levels.copy_from_host(host_levels);
        const core::Buffer people = device.allocate(3 * sizeof(int));

        const parallel::HistogramRange algorithm(parallel::Iterator::pointer<int>(ages), parallel::Type::of<int>());
        algorithm(stream, ages, levels, people, 3, host_ages.size());
        stream.sync();

        std::vector<int> found_people(3);
        people.copy_to_host(found_people);
        const bool ok = found_people == std::vector<int>{2, 4, 2};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
