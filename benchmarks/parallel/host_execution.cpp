// The host's cores beside the C++ standard library's parallel policy (libstdc++'s, which runs on TBB), on the same
// cores and in one run: the two by turns, some calls each, of which the first only brings data and threads back from
// the other. Of the calls the fastest, because other work on the machine only ever adds time, and the one in the
// middle. usage: benchmark_host_execution [LARGEST_EXPONENT [SMALLEST_EXPONENT [WHAT]]]
//     2^16 to 2^26 elements; WHAT: measures what has this in its name, such as "reduce" or "float64"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <execution>
#include <functional>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "../measure.hpp"
#include "cuprum/parallel/parallel.hpp"

namespace {

using cuprum::benchmarks::median;
using cuprum::benchmarks::now_microseconds;
namespace parallel = cuprum::parallel;
const parallel::Execution host = parallel::Execution::host();

// What is measured: that which has this in its name.
std::string wanted;

// One row: microseconds of our fastest call; both ratios. `prepare` before each call, not measured.
template <class Prepare, class Ours, class Theirs>
void compare(const std::string& name, int rounds, Prepare prepare, Ours ours, Theirs theirs) {
    if (name.find(wanted) == std::string::npos) return;
    constexpr int calls = 5;
    const auto time = [&](auto& call, std::vector<double>& times) {
        for (int i = 0; i <= calls; ++i) {
            prepare();
            const double begin = now_microseconds();
            call();
            if (i > 0) times.push_back(now_microseconds() - begin);
        }
    };
    std::vector<double> our_times;
    std::vector<double> their_times;
    for (int round = 0; round < rounds; ++round) {
        time(ours, our_times);
        time(theirs, their_times);
    }
    const double fastest = *std::min_element(our_times.begin(), our_times.end());
    std::printf("%s\t%.1f us\t%.2f\t%.2f\n", name.c_str(), fastest,
                *std::min_element(their_times.begin(), their_times.end()) / fastest,
                median(their_times) / median(our_times));
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
void measure(const char* type, int smallest, int largest) {
    const parallel::Type element = parallel::Type::of<T>();
    const auto reduction = [&](parallel::OpKind op) {
        return parallel::Reduce(parallel::Iterator::pointer(element), op, element, host);
    };
    const parallel::Reduce sum = reduction(parallel::OpKind::plus);
    const parallel::Reduce minimum = reduction(parallel::OpKind::minimum);
    const parallel::Reduce maximum = reduction(parallel::OpKind::maximum);
    const auto smaller = [](T a, T b) { return b < a ? b : a; };
    const auto larger = [](T a, T b) { return a < b ? b : a; };

    for (int exponent = smallest; exponent <= largest; exponent += 2) {
        const size_t count = size_t{1} << exponent;
        const std::string of = std::string(" ") + type + " 2^" + std::to_string(exponent);
        const std::vector<T> data = random_elements<T>(count);
        const std::span<const T> elements(data);
        const int rounds = exponent <= 20 ? 20 : exponent <= 24 ? 6 : 3;
        T ours{};
        T theirs{};
        const auto check = [&] {
            if (std::is_integral_v<T> && ours != theirs) std::puts("the results differ");
        };
        compare(
            "reduce plus" + of, rounds, [] {}, [&] { sum({}, elements, &ours, count, T{}); },
            [&] { theirs = std::reduce(std::execution::par, data.begin(), data.end(), T{}); });
        check();
        compare(
            "reduce minimum" + of, rounds, [] {}, [&] { minimum({}, elements, &ours, count, data[0]); },
            [&] { theirs = std::reduce(std::execution::par, data.begin(), data.end(), data[0], smaller); });
        check();
        compare(
            "reduce maximum" + of, rounds, [] {}, [&] { maximum({}, elements, &ours, count, data[0]); },
            [&] { theirs = std::reduce(std::execution::par, data.begin(), data.end(), data[0], larger); });
        check();
        const parallel::Iterator negated = parallel::Iterator::transform(
            parallel::Iterator::pointer(element, reinterpret_cast<cuprum::core::DevicePointer>(data.data())),
            parallel::OpKind::negate, element);
        const parallel::Reduce sum_of_negated(negated, parallel::OpKind::plus, element, host);
        compare(
            "transform-reduce" + of, rounds, [] {}, [&] { sum_of_negated({}, negated, &ours, count, T{}); },
            [&] {
                theirs = std::transform_reduce(std::execution::par, data.begin(), data.end(), T{}, std::plus<>(),
                                               std::negate<>());
            });
        check();

        std::vector<T> output(count);
        compare(
            "scan" + of, rounds, [] {},
            [&] { parallel::inclusive_scan(elements, std::span(output), parallel::OpKind::plus, host); },
            [&] { std::inclusive_scan(std::execution::par, data.begin(), data.end(), output.begin()); });

        std::vector<T> keys;
        compare(
            "sort" + of, exponent <= 20 ? 2 : 1, [&] { keys = data; },
            [&] { parallel::sort(std::span(keys), parallel::SortOrder::ascending, host); },
            [&] { std::sort(std::execution::par, keys.begin(), keys.end()); });
    }
}

}  // namespace

int main(int argc, char** argv) {
    const auto exponent = [&](int position, int otherwise) {
        return argc > position ? static_cast<int>(std::strtol(argv[position], nullptr, 10)) : otherwise;
    };
    const int largest = exponent(1, 26);
    const int smallest = exponent(2, 16);
    if (argc > 3) wanted = argv[3];
    std::puts("\tfastest\tits speed, and that of the call in the middle, in those of std::execution::par");
    measure<int32_t>("int32", smallest, largest);
    measure<float>("float32", smallest, largest);
    measure<uint64_t>("uint64", smallest, largest);
    measure<double>("float64", smallest, largest);
}
