// Managed memory: pages are moved ahead of their use, advice says how they are used, and content that nobody needs any
// more is dropped instead of moved.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* source = R"(
extern "C" __global__ void look_up(const int* table, int* values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = table[i % 256];
}
)";

constexpr int32_t n = 100'000;
constexpr int32_t table_size = 256;

// Advice is a matter of speed alone. Drivers of CUDA 13.0 refuse it for the memory of a pool.
const char* advise(const BufferRef& table, const Device& device) {
    try {
        table.set_read_mostly(true);
        table.set_preferred_location(MemoryLocation(device));
        return "with advice";
    } catch (const cuprum::Unsupported&) {
        return "without advice";
    }
}

void run(const Device& device) {
    const Kernel look_up = Program(source).compile().get_kernel("look_up");
    const Stream stream = device.create_stream();
    const ManagedMemoryResource managed;
    const Buffer table = managed.allocate(table_size * sizeof(int32_t), stream);
    const Buffer values = managed.allocate(n * sizeof(int32_t), stream);
    stream.sync();  // before the host uses what was allocated in the stream
    const std::span<int32_t> entries = table.as_span<int32_t>();
    for (int32_t i = 0; i < table_size; ++i)
        entries[static_cast<size_t>(i)] = i * i;
    const char* const advice = advise(table, device);

    const std::array<BufferRef, 2> both{table, values};
    prefetch_batch(stream, both, std::array{MemoryLocation(device)});  // one location for all
    launch(stream, LaunchConfig::for_num_elements(n, 256), look_up, table, values, n);
    table.discard(stream);  // it need not come back
    values.prefetch(MemoryLocation::host(), stream);
    stream.sync();

    int wrong = 0;
    for (int32_t i = 0; const int32_t value : values.as_span<int32_t>()) {
        const int32_t entry = i++ % table_size;
        wrong += value != entry * entry ? 1 : 0;
    }
    std::printf("%d values in managed memory %s on %s: %d wrong\n", n, advice, device.name().c_str(), wrong);
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
