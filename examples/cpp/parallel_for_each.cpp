// A call for each position: how often each remainder occurs, counted through an address in the operator's state.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

struct Target {
    uint64_t counts;
};

template <>
struct cuprum::parallel::TypeTraits<Target> {
    static Type type() { return Type::structure_of<Target>("Target", field("counts", &Target::counts)); }
};

int main() {
    try {
        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer counts = device.allocate(4 * sizeof(int));
        counts.copy_from_host(std::vector<int>(4, 0));

        const parallel::Operator count_remainder("atomicAdd(reinterpret_cast<int*>(counts) + a % 4, 1)",
                                                 Target{counts.handle()});
        const auto positions = parallel::Iterator::counting(0);
        const parallel::ForEach algorithm(positions, count_remainder);
        algorithm(stream, positions, 1000);
        stream.sync();

        std::vector<int> found(4);
        counts.copy_to_host(found);
        const bool ok = found == std::vector<int>(4, 250);
        std::printf("%s\n", ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
