// The top keys: the three best scores, which come in no particular order.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<int> host_scores{7, 42, 3, 42, 19, 42};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer scores = device.allocate(host_scores.size() * sizeof(int));
        scores.copy_from_host(host_scores);
        const core::Buffer best = device.allocate(3 * sizeof(int));

        const parallel::TopkKeys algorithm(parallel::SortOrder::descending, parallel::Iterator::pointer<int>(scores));
        algorithm(stream, scores, best, 3, host_scores.size());
        stream.sync();

        std::vector<int> found_best(3);
        best.copy_to_host(found_best);
        const bool ok = found_best == std::vector<int>{42, 42, 42};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
