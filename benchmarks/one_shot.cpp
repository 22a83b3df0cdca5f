// What calls of the algorithms over host data cost, in C++ and through the C ABI: small_calls.py has Python's, beside
// CuPy's, OneShotCost.java and OneShotCost.cs the others.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "c_abi.hpp"
#include "measure.hpp"

using cuprum::benchmarks::microseconds_per_call;
using cuprum::benchmarks::must;

int main(int count, char** arguments) {
    const int largest = count > 1 ? std::atoi(arguments[1]) : 24;
    cuprum_parallel_operator plus = nullptr;
    must(cuprum_parallel_operator_create(&plus, "plus", nullptr, nullptr, 0));
    for (const int log2 : {0, 10, 14, 16, 18, 20, 22, 24}) {
        if (log2 > largest) break;
        const size_t n = log2 == 0 ? 1000 : size_t{1} << log2;
        std::vector<float> data(n), result(n);
        std::iota(data.begin(), data.end(), 0.0F);
        const uint64_t bytes = n * sizeof(float);
        const int calls = n <= (1U << 16) ? 50 : 5;
        const float zero = 0;
        float sum = 0;
        const auto print = [&](const char* what, double cost) { std::printf("%s\t%zu\t%.1f us\n", what, n, cost); };
        print("reduce, C", microseconds_per_call(
                               9, calls,
                               [&] {
                                   must(cuprum_parallel_reduce_array(&sum, sizeof sum, nullptr, "float32", data.data(),
                                                                     bytes, "float32", &zero, sizeof zero, plus));
                               },
                               [] {}));
        print("sort, C", microseconds_per_call(
                             9, calls,
                             [&] {
                                 must(cuprum_parallel_sort_array_to(result.data(), bytes, nullptr, 0, nullptr,
                                                                    "float32", data.data(), bytes, nullptr, nullptr, 0,
                                                                    CUPRUM_SORT_ASCENDING, nullptr));
                             },
                             [] {}));
    }
    must(cuprum_parallel_operator_destroy(plus));
    return 0;
}
