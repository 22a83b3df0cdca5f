// A merge of sorted keys: the times of two logs in one order.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<int> host_first{1, 4, 9, 12};
        const std::vector<int> host_second{2, 4, 20};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer first = device.allocate(host_first.size() * sizeof(int));
        first.copy_from_host(host_first);
        const core::Buffer second = device.allocate(host_second.size() * sizeof(int));
        second.copy_from_host(host_second);
        const core::Buffer merged = device.allocate(7 * sizeof(int));

        const parallel::MergeKeys algorithm(parallel::Iterator::pointer<int>(first),
                                            parallel::Iterator::pointer<int>(second));
        algorithm(stream, first, host_first.size(), second, host_second.size(), merged);
        stream.sync();

        std::vector<int> found_merged(7);
        merged.copy_to_host(found_merged);
        const bool ok = found_merged == std::vector<int>{1, 2, 4, 4, 9, 12, 20};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
