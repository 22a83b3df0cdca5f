// The top key with its value: who is the cheapest.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<int> host_prices{70, 42, 31, 55};
        const std::vector<int> host_shops{1, 2, 3, 4};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer prices = device.allocate(host_prices.size() * sizeof(int));
        prices.copy_from_host(host_prices);
        const core::Buffer shops = device.allocate(host_shops.size() * sizeof(int));
        shops.copy_from_host(host_shops);
        const core::Buffer lowest = device.allocate(1 * sizeof(int));
        const core::Buffer cheapest = device.allocate(1 * sizeof(int));

        const parallel::TopkPairs algorithm(parallel::SortOrder::ascending, parallel::Iterator::pointer<int>(prices),
                                            parallel::Iterator::pointer<int>(shops));
        algorithm(stream, prices, shops, lowest, cheapest, 1, host_prices.size());
        stream.sync();

        std::vector<int> found_lowest(1);
        lowest.copy_to_host(found_lowest);
        std::vector<int> found_cheapest(1);
        cheapest.copy_to_host(found_cheapest);
        const bool ok = found_lowest == std::vector<int>{31} && found_cheapest == std::vector<int>{3};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
