// What a program does, for tools to see: ranges and marks of NVTX, which Nsight Systems and Cuprum's own trace show
// (`cuprum trace -- build/bin/ranges_cpp`); and how many objects are alive.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

void run(const Device& device) {
    const uint64_t streams = live_objects(ObjectKind::stream), buffers = live_objects(ObjectKind::buffer);
    int wrong = 0;
    {
        const nvtx::Range range("fill and copy");
        const Stream stream = device.create_stream();
        const Buffer buffer = device.allocate(4000, stream);
        const uint64_t copying = nvtx::start_range("copying");
        std::vector<int32_t> values(1000);
        buffer.fill(42, 4, stream);
        nvtx::mark("filled");
        buffer.copy_to_host(values, stream);
        stream.sync();
        nvtx::end_range(copying);
        for (const int32_t each : values)
            wrong += each != 42 ? 1 : 0;
        wrong += live_objects(ObjectKind::stream) != streams + 1 || live_objects(ObjectKind::buffer) != buffers + 1;
    }
    wrong += live_objects(ObjectKind::stream) != streams || live_objects(ObjectKind::buffer) != buffers;
    wrong += nvtx::pop_range() != -1;  // no range is left
    std::printf("ranges on %s: %d wrong\n", device.name().c_str(), wrong);
    if (wrong != 0) std::exit(EXIT_FAILURE);
}

}  // namespace

int main() {
    try {
        run(Device(0));
        return EXIT_SUCCESS;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
