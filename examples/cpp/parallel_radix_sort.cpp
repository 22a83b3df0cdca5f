// A radix sort by the bits of numbers: keys alone over host data, and on the device keys with values, largest first.
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
            data[i] = static_cast<int>(i * 7919 % 10007) - 5000;
        std::vector<int> sorted = data;
        parallel::sort(sorted);

        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const uint64_t bytes = data.size() * sizeof(int);
        const core::Buffer keys = device.allocate(bytes);
        const core::Buffer keys_out = device.allocate(bytes);
        const core::Buffer values = device.allocate(bytes);
        const core::Buffer values_out = device.allocate(bytes);
        std::vector<int> positions(data.size());
        std::iota(positions.begin(), positions.end(), 0);
        keys.copy_from_host(data);
        values.copy_from_host(positions);
        const parallel::RadixSort sort(parallel::SortOrder::descending, parallel::Type::of<int>(),
                                       parallel::Type::of<int>());
        sort(stream, keys, keys_out, values, values_out, data.size());
        stream.sync();
        values_out.copy_to_host(positions);

        // Once more, between two buffers each: no other memory is needed for the keys and values.
        parallel::DoubleBuffer key_buffer(keys, keys_out), value_buffer(values, values_out);
        sort(stream, key_buffer, value_buffer, data.size());
        stream.sync();
        std::vector<int> again(data.size());
        (value_buffer.selector() == 0 ? values : values_out).copy_to_host(again);

        bool ok = again == positions && std::is_sorted(sorted.begin(), sorted.end());
        for (size_t i = 0; i < data.size(); ++i)
            ok = ok && data[static_cast<size_t>(positions[i])] == sorted[sorted.size() - 1 - i];
        std::printf("smallest %d, largest %d: %s\n", sorted.front(), sorted.back(), ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
