// Arg-min and arg-max: the first extreme element and where it is, over host data and on the device.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        std::vector<int> data(10000);
        for (size_t i = 0; i < data.size(); ++i)
            data[i] = static_cast<int>((i + 5000) * 7919 % 10007);
        const auto smallest = parallel::argmin(data);

        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer input = device.allocate(data.size() * sizeof(int));
        input.copy_from_host(data);
        const auto elements = parallel::Iterator::pointer<int>(input);
        const parallel::ArgReduce find(parallel::ArgKind::maximum, elements);
        const core::Buffer output = device.allocate(find.result_type().size());
        find(stream, elements, output, data.size());
        stream.sync();
        parallel::Indexed<int> largest;
        output.copy_to_host(&largest, sizeof(largest));

        const bool ok = smallest == std::min_element(data.begin(), data.end()) - data.begin() &&
                        largest.index == std::max_element(data.begin(), data.end()) - data.begin() &&
                        largest.value == data[static_cast<size_t>(largest.index)];
        std::printf("smallest at %lld, largest %d at %lld: %s\n", static_cast<long long>(smallest), largest.value,
                    static_cast<long long>(largest.index), ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
