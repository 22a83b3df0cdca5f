// A segmented scan: the running total of each account, whose bookings lie one after another.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<int> host_amounts{5, 10, -3, 7, 7, -4};
        const std::vector<int64_t> host_begins{0, 3, 3};
        const std::vector<int64_t> host_ends{3, 3, 6};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer amounts = device.allocate(host_amounts.size() * sizeof(int));
        amounts.copy_from_host(host_amounts);
        const core::Buffer begins = device.allocate(host_begins.size() * sizeof(int64_t));
        begins.copy_from_host(host_begins);
        const core::Buffer ends = device.allocate(host_ends.size() * sizeof(int64_t));
        ends.copy_from_host(host_ends);
        const core::Buffer balances = device.allocate(6 * sizeof(int));

        const parallel::SegmentedScan algorithm(parallel::ScanKind::inclusive,
                                                parallel::Iterator::pointer<int>(amounts), parallel::OpKind::plus,
                                                parallel::Type::of<int>());
        algorithm(stream, amounts, balances, host_amounts.size(), host_begins.size(), begins, ends);
        stream.sync();

        std::vector<int> found_balances(6);
        balances.copy_to_host(found_balances);
        const bool ok = found_balances == std::vector<int>{5, 15, 12, 7, 14, 10};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
