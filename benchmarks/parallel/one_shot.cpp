// What calls of the algorithms over host data cost in C++. benchmarks/one_shot.cpp has the C ABI's, small_calls.py
// Python's, beside CuPy's.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "../measure.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum::parallel;
using cuprum::benchmarks::microseconds_per_call;

int main(int count, char** arguments) {
    const int largest = count > 1 ? std::atoi(arguments[1]) : 24;
    for (const int log2 : {0, 10, 14, 16, 18, 20, 22, 24}) {
        if (log2 > largest) break;
        const size_t n = log2 == 0 ? 1000 : size_t{1} << log2;
        std::vector<float> data(n), result(n);
        std::iota(data.begin(), data.end(), 0.0F);
        const Type type = Type::of<float>();
        const int calls = n <= (1U << 16) ? 50 : 5;
        float sum = 0;
        const auto print = [&](const char* what, double cost) { std::printf("%s\t%zu\t%.1f us\n", what, n, cost); };
        const auto nothing = [] {};
        print("reduce, C++", microseconds_per_call(9, calls, [&] { sum += reduce(data, 0.0F); }, nothing));
        print("sort, C++", microseconds_per_call(
                               9, calls,
                               [&] {
                                   sort(HostInput{type, data.data(), n}, HostOutput{type, result.data(), n},
                                        std::nullopt, std::nullopt, SortOrder::ascending);
                               },
                               nothing));
    }
    return 0;
}
