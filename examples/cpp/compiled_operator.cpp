// An operator that is compiled elsewhere, as LTO-IR, and linked into an algorithm: here a loop, over each element.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

namespace {

constexpr const char* source = R"(
extern "C" __device__ int halvings(int a) {
    int steps = 0;
    for (; a > 1; a /= 2) ++steps;
    return steps;
}
)";

int halvings(int a) {
    int steps = 0;
    for (; a > 1; a /= 2)
        ++steps;
    return steps;
}

}  // namespace

int main() {
    try {
        // Any compiler of device code will do.
        const core::ObjectCode code =
            core::Program(source, core::SourceType::cxx,
                          {.name = "halvings.cu", .relocatable_device_code = true, .link_time_optimization = true})
                .compile(core::CodeType::ltoir);
        const auto op = parallel::Operator::compiled("halvings", code, parallel::Passing::values);
        std::vector<int> data(1000);
        for (size_t i = 0; i < data.size(); ++i)
            data[i] = static_cast<int>(i * 7919 % 100003);
        std::vector<int> steps(data.size());
        parallel::transform(data, steps, op);

        bool ok = true;
        for (size_t i = 0; i < data.size(); ++i)
            ok = ok && steps[i] == halvings(data[i]);
        std::printf("%d takes %d halvings: %s\n", data.back(), steps.back(), ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
