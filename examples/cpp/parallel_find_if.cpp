// A search: when a level was first exceeded.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<int> host_levels{3, 5, 8, 12, 7, 15};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer levels = device.allocate(host_levels.size() * sizeof(int));
        levels.copy_from_host(host_levels);
        const core::Buffer first = device.allocate(1 * sizeof(int));

        const parallel::FindIf algorithm(parallel::Iterator::pointer<int>(levels), "a > 10", parallel::Type::of<int>());
        algorithm(stream, levels, first, host_levels.size());
        stream.sync();

        std::vector<int> found_first(1);
        first.copy_to_host(found_first);
        const bool ok = found_first == std::vector<int>{3};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
