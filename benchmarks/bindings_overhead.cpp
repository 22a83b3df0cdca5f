// What a call through the bindings costs beside the bare function pointer, for a function that does next to nothing.
#include <cuda.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "cuprum/bindings/driver.hpp"
#include "cuprum/bindings/trace.hpp"
#include "measure.hpp"

namespace driver = cuprum::bindings::driver;
using cuprum::benchmarks::median;
using cuprum::benchmarks::now_microseconds;
using cuprum::benchmarks::row;

// As a program that has looked a function up keeps it: any call may change it, for all that the compiler knows.
CUresult (*bare_pointer)(int*) = nullptr;

namespace {

CUresult do_nothing(int* version) {
    *version = 0;
    return CUDA_SUCCESS;
}

// Nanoseconds by which a call is dearer than the bare one: pairs of batches, one right after the other, so that what
// else the machine does meets both; the median of the differences. Also gives the bare one's own time.
template <class Bare, class Call>
std::pair<double, double> difference(int calls, Bare bare, Call call) {
    std::vector<double> differences;
    std::vector<double> alone;
    const auto time = [calls](auto one) {
        const double begin = now_microseconds();
        for (int i = 0; i < calls; ++i) {
            one();
        }
        return (now_microseconds() - begin) * 1000 / calls;
    };
    time(bare);
    time(call);
    for (int batch = 0; batch < 101; ++batch) {
        const double first = time(bare);
        differences.push_back(time(call) - first);
        alone.push_back(first);
    }
    return {median(differences), median(alone)};
}

void report(const std::string& what, const cuprum::bindings::Function& function, CUresult (*address)(int*)) {
    int version = 0;
    bare_pointer = address;
    const auto bare = [&] { bare_pointer(&version); };
    const std::uint64_t arguments[] = {reinterpret_cast<std::uintptr_t>(&version)};
    const auto [direct, alone] = difference(100000, bare, [&] { driver::cuDriverGetVersion(&version); });
    const auto [invoked, again] = difference(100000, bare, [&] {
        std::uint64_t result = 0;
        function.invoke(arguments, &result);
    });
    static_cast<void>(again);
    row((what + ": bare pointer").c_str(), alone, "ns");
    row((what + ": the bindings add").c_str(), direct, "ns");
    row((what + ": through invoke, as the languages do, adds").c_str(), invoked, "ns");
}

}  // namespace

int main() {
    cuprum::bindings::Library& library = driver::library();
    std::printf("# calls through the bindings\n");
    const auto address = reinterpret_cast<CUresult (*)(int*)>(driver::address_of("cuDriverGetVersion"));
    if (address == nullptr) {
        std::fprintf(stderr, "%s\n", cuprum::bindings::last_resolution_failure()->to_error().what());
        return 1;
    }
    const cuprum::bindings::Function& function = *library.find("cuDriverGetVersion");
    report("cuDriverGetVersion", function, address);
    const cuprum::bindings::TableOverride override(library, "cuDriverGetVersion", &do_nothing);
    report("a function that does nothing", function, &do_nothing);

    const std::string path = "/tmp/cuprum_benchmark_" + std::to_string(getpid()) + ".json";
    cuprum::bindings::start_trace(path);
    int version = 0;
    const auto [traced, alone] =
        difference(1000, [&] { do_nothing(&version); }, [&] { driver::cuDriverGetVersion(&version); });
    static_cast<void>(alone);
    cuprum::bindings::stop_trace();
    unlink(path.c_str());
    row("a traced call adds", traced, "ns");
    return 0;
}
