// Execution::host beside the C++ standard library's parallel policy (libstdc++'s, which runs on TBB), on the same cores
// and in one run: calls of the two by turns, of each the fastest, because other work on the machine only ever adds
// time. usage: benchmark_host_execution [LARGEST_EXPONENT]   (elements: 2^16 to 2^26)
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <execution>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "../measure.hpp"
#include "cuprum/parallel/parallel.hpp"

namespace {

using cuprum::benchmarks::now_microseconds;
using cuprum::benchmarks::row;
namespace parallel = cuprum::parallel;
constexpr parallel::Execution host = parallel::Execution::host;

// Microseconds of the fastest call of each; `prepare` before each, not measured.
template <class Prepare, class Ours, class Theirs>
void compare(const std::string& name, int rounds, Prepare prepare, Ours ours, Theirs theirs) {
    const auto time = [&](auto& call, double& best) {
        prepare();
        const double begin = now_microseconds();
        call();
        best = std::min(best, now_microseconds() - begin);
    };
    double best_of_ours = std::numeric_limits<double>::infinity();
    double best_of_theirs = best_of_ours;
    for (int round = 0; round < rounds; ++round) {
        time(ours, best_of_ours);
        time(theirs, best_of_theirs);
    }
    row(name.c_str(), best_of_ours, "us", best_of_theirs / best_of_ours, "the speed of std::execution::par");
    std::fflush(stdout);
}

template <class T>
std::vector<T> random_elements(size_t count) {
    std::mt19937_64 generator(count);
    std::vector<T> elements(count);
    for (T& element : elements) {
        if constexpr (std::is_floating_point_v<T>) {
            element = static_cast<T>(static_cast<double>(static_cast<int64_t>(generator())) * 0x1p-40);
        } else {
            element = static_cast<T>(generator());
        }
    }
    return elements;
}

template <class T>
void measure(const char* type, int largest) {
    for (int exponent = 16; exponent <= largest; exponent += 2) {
        const size_t count = size_t{1} << exponent;
        const std::string name = std::string(" ") + type + " 2^" + std::to_string(exponent);
        const std::vector<T> data = random_elements<T>(count);
        const std::span<const T> elements(data);
        const int rounds = exponent <= 20 ? 100 : 20;
        T sum{};
        T expected{};
        parallel::BuildOptions options;
        options.execution = host;
        const parallel::Reduce built(parallel::Iterator::pointer(parallel::Type::of<T>()), parallel::OpKind::plus,
                                     parallel::Type::of<T>(), options);
        compare(
            "reduce" + name, rounds, [] {}, [&] { built({}, elements, &sum, count, T{}); },
            [&] { expected = std::reduce(std::execution::par, data.begin(), data.end(), T{}); });
        if constexpr (std::is_integral_v<T>) {
            if (sum != expected) std::puts("the sums differ");
        }

        std::vector<T> output(count);
        compare(
            "scan" + name, rounds / 2, [] {},
            [&] { parallel::inclusive_scan(elements, std::span(output), parallel::OpKind::plus, host); },
            [&] { std::inclusive_scan(std::execution::par, data.begin(), data.end(), output.begin()); });

        std::vector<T> keys;
        compare(
            "sort" + name, exponent <= 20 ? 10 : 3, [&] { keys = data; },
            [&] { parallel::sort(std::span(keys), parallel::SortOrder::ascending, host); },
            [&] { std::sort(std::execution::par, keys.begin(), keys.end()); });
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int largest = argc > 1 ? std::atoi(argv[1]) : 26;
    measure<int32_t>("int32", largest);
    measure<float>("float32", largest);
    measure<uint64_t>("uint64", largest);
    measure<double>("float64", largest);
}
