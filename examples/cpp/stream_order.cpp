// Streams that call functions of the program between their work, and that wait for words of memory and write them.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr uint32_t rounds = 5;

void run(const Device& device) {
    const Stream stream = device.create_stream();
    const Buffer memory = LegacyPinnedMemoryResource().allocate(2 * sizeof(uint32_t), stream);
    const std::span<uint32_t> words = memory.as_span<uint32_t>();  // a counter, and what the stream answers
    words[0] = words[1] = 0;
    std::vector<uint32_t> seen;

    // The whole of it is put into the stream at once, before any of it runs.
    for (uint32_t round = 1; round <= rounds; ++round) {
        stream.wait_value32(memory, 0, round);  // until the counter is that high
        stream.write_value32(memory, sizeof(uint32_t), 10 * round);
        stream.launch_host_function([&seen, words] { seen.push_back(words[1]); });
    }
    for (uint32_t round = 1; round <= rounds; ++round) {
        std::atomic_ref(words[0]).store(round);
    }
    stream.sync();

    int wrong = seen.size() == rounds ? 0 : 1;
    for (size_t i = 0; i < seen.size(); ++i)
        wrong += seen[i] != 10 * (i + 1) ? 1 : 0;
    std::printf("%u rounds of a stream and the CPU on %s: %d wrong\n", rounds, device.name().c_str(), wrong);
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
