// A segmented reduction: the sum of each row of a matrix whose rows have different lengths.
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
        const std::vector<long> offsets{0, 10, 10, 4000, 10000};  // row i is [offsets[i], offsets[i + 1])
        const size_t rows = offsets.size() - 1;

        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer input = device.allocate(data.size() * sizeof(int));
        const core::Buffer begins = device.allocate(offsets.size() * sizeof(long));
        const core::Buffer output = device.allocate(rows * sizeof(long));
        input.copy_from_host(data);
        begins.copy_from_host(offsets);
        const core::BufferRef ends = begins.slice(sizeof(long), rows * sizeof(long));

        const auto elements = parallel::Iterator::pointer<int>(input);
        const parallel::SegmentedReduce sums(elements, parallel::OpKind::plus, parallel::Type::of<long>());
        sums(stream, elements, output, rows, begins, ends, 0L);
        stream.sync();
        std::vector<long> result(rows);
        output.copy_to_host(result);

        bool ok = true;
        for (size_t row = 0; row < rows; ++row) {
            const long expected = std::accumulate(data.begin() + offsets[row], data.begin() + offsets[row + 1], 0L);
            std::printf("row %zu: %ld\n", row, result[row]);
            ok = ok && result[row] == expected;
        }
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
