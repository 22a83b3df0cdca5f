// A segmented sort: the scores of each group in descending order, and whose they are.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        std::vector<int> scores{12, 40, 31, 7, 25, 18, 3};
        std::vector<int> players{0, 1, 2, 3, 4, 5, 6};
        const std::vector<int64_t> offsets{0, 3, 7};  // group i is [offsets[i], offsets[i + 1])
        const uint64_t size = scores.size() * sizeof(int);

        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer keys = device.allocate(size);
        const core::Buffer values = device.allocate(size);
        const core::Buffer best = device.allocate(size);
        const core::Buffer whose = device.allocate(size);
        const core::Buffer begins = device.allocate(offsets.size() * sizeof(int64_t));
        keys.copy_from_host(scores);
        values.copy_from_host(players);
        begins.copy_from_host(offsets);
        const core::BufferRef ends = begins.slice(sizeof(int64_t), 2 * sizeof(int64_t));

        const parallel::SegmentedSort sort(parallel::SortOrder::descending, parallel::Type::of<int>(),
                                           parallel::Type::of<int>());
        sort(stream, keys, best, values, whose, scores.size(), 2, begins, ends);
        stream.sync();
        best.copy_to_host(scores);
        whose.copy_to_host(players);

        const bool ok =
            scores == std::vector<int>{40, 31, 12, 25, 18, 7, 3} && players == std::vector<int>{1, 2, 0, 4, 5, 3, 6};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
