// Memory pools: a device's, with what it holds; page-locked host memory; and managed memory, which moves.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <span>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr uint64_t n = 100'000;
constexpr uint64_t size = n * sizeof(int32_t);

void require(bool condition, const char* text) {
    if (condition) return;
    std::fprintf(stderr, "%s\n", text);
    std::exit(EXIT_FAILURE);
}

// What is freed stays with the pool, up to its threshold, until it is trimmed.
void device_pool(const Device& device, const Stream& stream) {
    const DeviceMemoryResource pool(device, {.max_size = 64 << 20});
    pool.set_attribute(MemoryPoolAttribute::release_threshold, 64 << 20);
    for (int round = 0; round < 3; ++round) {
        const Buffer buffer = pool.allocate(size, stream);
        buffer.fill(0, 1, stream);
    }
    stream.sync();
    require(pool.attribute(MemoryPoolAttribute::used_mem_current) == 0, "a buffer is left");
    const uint64_t held = pool.attribute(MemoryPoolAttribute::reserved_mem_current);
    pool.trim_to(0);
    require(held >= size && pool.attribute(MemoryPoolAttribute::reserved_mem_current) == 0, "trimming did nothing");
}

void host_pools(const Device& device, const Stream& stream) {
    const PinnedMemoryResource pinned;
    const ManagedMemoryResource managed;
    const Buffer source = pinned.allocate(size, stream);
    const Buffer moving = managed.allocate(size, stream);
    stream.sync();  // before the host uses what was allocated in the stream
    const std::span<int32_t> values = source.as_span<int32_t>();
    std::iota(values.begin(), values.end(), 0);
    moving.prefetch(device, stream);
    moving.copy_from(source, stream);
    moving.prefetch(MemoryLocation::host(), stream);
    stream.sync();
    require(moving.as_span<int32_t>()[n - 1] == static_cast<int32_t>(n - 1), "the last value is wrong");
}

}  // namespace

int main() {
    try {
        const Device device(0);
        const Stream stream = device.create_stream();
        device_pool(device, stream);
        host_pools(device, stream);
        std::printf("pools of device, pinned and managed memory on %s\n", device.name().c_str());
        return EXIT_SUCCESS;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
