// A few calls, for environment_test.py: prints what each returns.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cuprum/bindings/driver.hpp"

namespace driver = cuprum::bindings::driver;

int main(int argc, char** argv) {
    int count = 0;
    std::printf("cuInit %d\n", static_cast<int>(driver::cuInit(0)));
    if (const auto failure = cuprum::bindings::take_resolution_failure()) {
        std::printf("%s\n", failure->to_error().what());
    }
    for (int call = 1; call <= 3; ++call) {
        std::printf("cuDeviceGetCount %d\n", static_cast<int>(driver::cuDeviceGetCount(&count)));
    }
    std::fflush(stdout);
    if (argc > 1 && std::strcmp(argv[1], "abort") == 0) {
        std::abort();
    }
    return 0;
}
