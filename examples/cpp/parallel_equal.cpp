// A comparison: whether two readings are the same but for a small error.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<int> host_first{100, 205, 298};
        const std::vector<int> host_second{101, 204, 300};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer first = device.allocate(host_first.size() * sizeof(int));
        first.copy_from_host(host_first);
        const core::Buffer second = device.allocate(host_second.size() * sizeof(int));
        second.copy_from_host(host_second);
        const core::Buffer result = device.allocate(sizeof(bool));

        const auto in_first = parallel::Iterator::pointer<int>(first);
        const parallel::Equal algorithm(in_first, parallel::Iterator::pointer<int>(second), "abs(a - b) <= 2");
        algorithm(stream, first, second, result, host_first.size());
        stream.sync();

        bool is_same = false;
        result.copy_to_host(&is_same, sizeof(is_same));
        std::printf("%s\n", is_same ? "ok" : "WRONG");
        return is_same ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
