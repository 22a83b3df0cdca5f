// A transformation: of pairs over host data, and on the device with an operator whose state is given at each call, and
// of three inputs.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

namespace {
struct Scale {
    double factor;
};
}  // namespace

template <>
struct cuprum::parallel::TypeTraits<Scale> {
    static Type type() { return Type::structure_of<Scale>("Scale", field("factor", &Scale::factor)); }
};

int main() {
    try {
        std::vector<int> data(10000);
        std::iota(data.begin(), data.end(), 0);
        std::vector<int> pairs(data.size());
        parallel::transform(data, data, pairs, "a * 3 - b");

        const core::Device device(0);
        const core::Stream stream = device.create_stream();
        const core::Buffer input = device.allocate(data.size() * sizeof(int));
        const core::Buffer output = device.allocate(data.size() * sizeof(double));
        input.copy_from_host(data);
        const auto elements = parallel::Iterator::pointer<int>(input);
        const parallel::Operator scale("a * factor", Scale{1});
        const parallel::Transform transform(elements, scale, parallel::Type::of<double>());
        std::vector<double> scaled(data.size());
        bool ok = true;
        for (const double factor : {0.5, 2.0}) {  // no second build: the state is an argument of the kernel
            const parallel::Operator with_factor = scale.with_state(Scale{factor});
            transform(stream, elements, output, data.size(), {.op = &with_factor});
            stream.sync();
            output.copy_to_host(scaled);
            for (size_t i = 0; i < data.size(); ++i)
                ok = ok && pairs[i] == 2 * data[i] && scaled[i] == data[i] * factor;
        }

        const std::array built_for{elements, elements, parallel::Iterator::constant(0.5)};
        const parallel::Transform of_three(built_for, "1.0 * a * b + c", parallel::Type::of<double>());
        of_three(stream, std::array<parallel::Input, 3>{input, input, built_for[2]}, output, data.size());
        stream.sync();
        std::vector<double> sums(data.size());
        output.copy_to_host(sums);
        for (size_t i = 0; i < data.size(); ++i)
            ok = ok && sums[i] == 1.0 * data[i] * data[i] + 0.5;
        std::printf("last %d and %g: %s\n", pairs.back(), scaled.back(), ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
