// Binary search: which tax bracket each income is in, by the brackets' lower limits.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<int> limits{0, 12000, 50000, 120000};
        const std::vector<int> incomes{49999, 50000, 0, 300000, 12001};
        std::vector<int> brackets(incomes.size());

        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer data = device.allocate(limits.size() * sizeof(int));
        const core::Buffer values = device.allocate(incomes.size() * sizeof(int));
        data.copy_from_host(limits);
        values.copy_from_host(incomes);

        // How many limits are at most the income; written over the incomes.
        const auto numbers = parallel::Iterator::pointer(parallel::Type::of<int>());
        const parallel::BinarySearch search(parallel::Bound::upper, numbers, numbers, parallel::OpKind::less,
                                            parallel::Type::of<int>());
        search(stream, data, limits.size(), values, values, incomes.size());
        stream.sync();
        values.copy_to_host(brackets);

        const bool ok = brackets == std::vector<int>{2, 3, 1, 4, 2};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
