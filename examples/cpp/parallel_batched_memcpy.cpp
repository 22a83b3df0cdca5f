// A batch of copies: the parts of a text in another order, in one call.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main() {
    try {
        const std::string text = "world hello ";
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer from = device.allocate(text.size());
        const core::Buffer to = device.allocate(text.size());
        from.copy_from_host(text.data(), text.size());
        const core::Buffer sources = device.allocate(2 * sizeof(uint64_t));
        const core::Buffer targets = device.allocate(2 * sizeof(uint64_t));
        const core::Buffer sizes = device.allocate(2 * sizeof(int));
        sources.copy_from_host(std::vector<uint64_t>{from.handle(), from.handle() + 6});
        targets.copy_from_host(std::vector<uint64_t>{to.handle() + 6, to.handle()});
        sizes.copy_from_host(std::vector<int>{6, 6});

        const auto addresses = parallel::Iterator::pointer(parallel::Type::of<uint64_t>());
        const parallel::BatchedMemcpy algorithm(addresses, addresses,
                                                parallel::Iterator::pointer(parallel::Type::of<int>()));
        algorithm(stream, sources, targets, sizes, 2);
        stream.sync();

        std::string found(text.size(), ' ');
        to.copy_to_host(found.data(), found.size());
        const bool ok = found == "hello world ";
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
