// Prefix sums by key: what each customer has paid so far.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::vector<int> host_customers{1, 1, 1, 4, 4, 7, 8, 8};
        const std::vector<int> host_payments{3, 1, 4, 1, 5, 9, 2, 6};
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer customers = device.allocate(host_customers.size() * sizeof(int));
        customers.copy_from_host(host_customers);
        const core::Buffer payments = device.allocate(host_payments.size() * sizeof(int));
        payments.copy_from_host(host_payments);
        const core::Buffer sums = device.allocate(8 * sizeof(int));

        const parallel::InclusiveScanByKey algorithm(parallel::Iterator::pointer<int>(customers),
                                                     parallel::Iterator::pointer<int>(payments), parallel::OpKind::plus,
                                                     parallel::Type::of<int>(), parallel::OpKind::equal_to);
        algorithm(stream, customers, payments, sums, host_customers.size());
        stream.sync();

        std::vector<int> found_sums(8);
        sums.slice(0, 8 * sizeof(int)).copy_to_host(found_sums);
        const bool ok = found_sums == std::vector<int>{3, 4, 8, 1, 6, 9, 2, 8};
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
