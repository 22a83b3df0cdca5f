// A merge of sorted keys with their values: two logs as one, by their times.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<int> host_first_times{1, 4, 9};
        const std::vector<int> host_first_events{10, 11, 12};
        const std::vector<int> host_second_times{2, 4};
        const std::vector<int> host_second_events{20, 21};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer first_times = device.allocate(host_first_times.size() * sizeof(int));
        first_times.copy_from_host(host_first_times);
        const core::Buffer first_events = device.allocate(host_first_events.size() * sizeof(int));
        first_events.copy_from_host(host_first_events);
        const core::Buffer second_times = device.allocate(host_second_times.size() * sizeof(int));
        second_times.copy_from_host(host_second_times);
        const core::Buffer second_events = device.allocate(host_second_events.size() * sizeof(int));
        second_events.copy_from_host(host_second_events);
        const core::Buffer times = device.allocate(5 * sizeof(int));
        const core::Buffer events = device.allocate(5 * sizeof(int));

        const parallel::MergePairs algorithm(
            parallel::Iterator::pointer<int>(first_times), parallel::Iterator::pointer<int>(first_events),
            parallel::Iterator::pointer<int>(second_times), parallel::Iterator::pointer<int>(second_events));
        algorithm(stream, first_times, first_events, 3, second_times, second_events, 2, times, events);
        stream.sync();

        std::vector<int> found_times(5);
        times.copy_to_host(found_times);
        std::vector<int> found_events(5);
        events.copy_to_host(found_events);
        const bool ok =
            found_times == std::vector<int>{1, 2, 4, 4, 9} && found_events == std::vector<int>{10, 20, 11, 21, 12};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
