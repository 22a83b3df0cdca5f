// What finding the toolkit costs: everything that Program needs, for the first time and again.
#include "cuprum/pathfinder/pathfinder.hpp"

#include <string>

#include "cuprum/pathfinder/toolkit.hpp"
#include "measure.hpp"

using namespace cuprum;
using pathfinder::PartKind;

namespace {

// Keeps the compiler from leaving out a look-up whose result nobody reads.
void use(const void* pointer) {
    asm volatile("" : : "r"(pointer) : "memory");
}

void find_what_program_needs() {
    use(&pathfinder::locate(PartKind::dynamic_library, "nvrtc"));
    use(&pathfinder::locate(PartKind::dynamic_library, "nvJitLink"));
    use(&pathfinder::find_cuda_include_dirs());
}

}  // namespace

int main() {
    const auto nothing = [] {};
    std::printf("# Pathfinder\n");
    const double cold = benchmarks::microseconds_per_call(
        21, 10,
        [] {
            pathfinder::reset_cache();
            find_what_program_needs();
        },
        nothing);
    benchmarks::row("cold: all parts that Program needs", cold / 1000, "ms");
    const double all = benchmarks::microseconds_per_call(
        11, 1,
        [] {
            pathfinder::reset_cache();
            use(pathfinder::find_all_parts().data());
        },
        nothing);
    benchmarks::row("cold: every part that is known by name", all / 1000, "ms");
    const double library = benchmarks::microseconds_per_call(
        51, 10000, [] { use(&pathfinder::locate(PartKind::dynamic_library, "nvrtc")); }, nothing);
    benchmarks::row("cached: a library by name", library * 1000, "ns");
    const double headers = benchmarks::microseconds_per_call(
        51, 10000, [] { use(&pathfinder::find_nvidia_header_directory("cccl")); }, nothing);
    benchmarks::row("cached: a header folder by name", headers * 1000, "ns");
    const double folders =
        benchmarks::microseconds_per_call(51, 10000, [] { use(&pathfinder::find_cuda_include_dirs()); }, nothing);
    benchmarks::row("cached: the include folders", folders * 1000, "ns");
}
