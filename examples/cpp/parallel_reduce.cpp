// A reduction: over host data in one call, and on the device, built once and called as often as wanted.
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
        std::iota(data.begin(), data.end(), 1);
        const long sum = parallel::reduce(data, 0L, "a + b");

        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer input = device.allocate(data.size() * sizeof(int));
        const core::Buffer output = device.allocate(sizeof(long));
        input.copy_from_host(data);
        // Squares, made while they are read: a transform-reduction.
        const auto squares = parallel::Iterator::transform(parallel::Iterator::pointer<int>(input), "(long long)a * a",
                                                           parallel::Type::of<long>());
        const parallel::Reduce reduce(squares, parallel::OpKind::plus, parallel::Type::of<long>());
        reduce(stream, squares, output, data.size(), 0L);
        stream.sync();
        long sum_of_squares = 0;
        output.copy_to_host(&sum_of_squares, sizeof(sum_of_squares));

        const bool ok = sum == 50005000 && sum_of_squares == 333383335000;
        std::printf("sum %ld, sum of squares %ld: %s\n", sum, sum_of_squares, ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
