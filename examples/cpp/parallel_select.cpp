// Selection: the elements that meet a condition, in order; over host data in one call, and on the device.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        std::vector<int> data(10000);
        for (size_t i = 0; i < data.size(); ++i)
            data[i] = static_cast<int>(i * 7919 % 10007);
        std::vector<int> multiples(data.size());
        multiples.resize(parallel::select(data, multiples, "a % 3 == 0"));

        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer output = device.allocate(data.size() * sizeof(long));
        const core::Buffer selected = device.allocate(sizeof(uint64_t));
        // Of 1, 2, 3 and so on, which are in no memory, the squares.
        const auto numbers = parallel::Iterator::counting(1L);
        const parallel::Select select(numbers, "long long r = llrint(sqrt((double)a)); return r * r == a;");
        select(stream, numbers, output, selected, data.size());
        stream.sync();
        uint64_t count = 0;
        selected.copy_to_host(&count, sizeof(count));
        std::vector<long> squares(count);
        output.slice(0, count * sizeof(long)).copy_to_host(squares);

        std::vector<int> expected;
        std::copy_if(data.begin(), data.end(), std::back_inserter(expected), [](int a) { return a % 3 == 0; });
        bool ok = multiples == expected && squares.size() == 100;
        for (size_t i = 0; i < squares.size(); ++i)
            ok = ok && squares[i] == static_cast<long>((i + 1) * (i + 1));
        std::printf("%zu multiples of 3, %zu squares: %s\n", multiples.size(), squares.size(), ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
