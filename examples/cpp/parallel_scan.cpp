// Prefix sums: the running total before each element (exclusive), and the running maximum (inclusive).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        std::vector<int> data(10000);
        for (size_t i = 0; i < data.size(); ++i)
            data[i] = static_cast<int>(i * 7919 % 10007);
        std::vector<long> totals(data.size());
        std::vector<int> maxima(data.size());
        parallel::exclusive_scan(data, totals, 100L, "a + b");
        parallel::inclusive_scan(data, maxima, "a < b ? b : a");

        std::vector<long> expected_totals(data.size());
        std::vector<int> expected_maxima(data.size());
        std::exclusive_scan(data.begin(), data.end(), expected_totals.begin(), 100L);
        std::inclusive_scan(data.begin(), data.end(), expected_maxima.begin(),
                            [](int a, int b) { return std::max(a, b); });
        const bool ok = totals == expected_totals && maxima == expected_maxima;
        std::printf("total before the last %ld, maximum %d: %s\n", totals.back(), maxima.back(), ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
