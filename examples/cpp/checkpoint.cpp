// A checkpoint of this process: while its GPU memory is in the host's, it holds no GPU, which others may use. A GPU's
// driver leaves that to another process; there this one says so.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;
using checkpoint::ProcessState;

void run(const Device& device) {
    if (!device.is_simulator()) {
        std::printf("checkpoint on %s: has to be made by another process\n", device.name().c_str());
        return;
    }
    const Stream stream = device.create_stream();
    const Buffer buffer = device.allocate(4000, stream);
    buffer.fill(42, 4, stream);
    stream.sync();

    const checkpoint::Process process(getpid());
    process.lock();        // from here on every other call of CUDA waits
    process.checkpoint();  // the GPU is free
    int wrong = process.state() == ProcessState::checkpointed ? 0 : 1;
    process.restore();
    process.unlock();

    std::vector<int32_t> values(1000);
    buffer.copy_to_host(values, stream);
    stream.sync();
    for (const int32_t each : values)
        wrong += each != 42 ? 1 : 0;
    std::printf("checkpoint on %s: %d wrong\n", device.name().c_str(), wrong);
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
