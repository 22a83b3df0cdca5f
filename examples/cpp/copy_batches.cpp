// Many copies in one call: pieces of the program's own memory, which is page-locked where it lies, go to a device and
// come back.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr uint64_t pieces = 20, unit = 1000;  // piece i has (i + 1) * unit numbers
constexpr uint64_t n = pieces * (pieces + 1) / 2 * unit;

std::vector<BufferRef> pieces_of(const BufferRef& memory) {
    std::vector<BufferRef> found;
    uint64_t offset = 0;
    for (uint64_t i = 1; i <= pieces; ++i) {
        const uint64_t size = i * unit * sizeof(int32_t);
        found.push_back(memory.slice(offset, size));
        offset += size;
    }
    return found;
}

void run(const Device& device) {
    std::vector<int32_t> values(n), result(n);
    std::iota(values.begin(), values.end(), 0);
    const Buffer source = Buffer::register_host_memory(values);
    const Buffer target = Buffer::register_host_memory(result);
    const Stream stream = device.create_stream();
    std::vector<Buffer> owners;
    std::vector<BufferRef> on_device;
    for (const BufferRef& piece : pieces_of(source)) {
        owners.push_back(device.allocate(piece.size(), stream));
        on_device.push_back(owners.back());
    }

    copy_batch(stream, pieces_of(source), on_device);
    copy_batch(stream, on_device, pieces_of(target), {.prefer_overlap_with_compute = true});
    stream.sync();

    const bool right = result == values;
    std::printf("%d buffers copied in one call on %s: %s\n", static_cast<int>(pieces), device.name().c_str(),
                right ? "right" : "wrong");
    if (!right) std::exit(EXIT_FAILURE);
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
