// A memory resource that the program writes: it counts what a pool is asked for. The device then allocates from it.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <utility>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

// Memory of another resource, which it counts.
class Counting : public MemoryAllocator {
public:
    explicit Counting(MemoryResource upstream) : upstream_(std::move(upstream)) {}

    DevicePointer allocate(uint64_t size, StreamRef stream) override {
        const DevicePointer address = upstream_.allocate(size, stream).release();
        const uint64_t now = bytes += size;
        most_bytes = std::max(most_bytes.load(), now);
        return address;
    }
    void deallocate(DevicePointer address, uint64_t size, StreamRef stream) override {
        bytes -= size;
        upstream_.deallocate(address, size, stream);
    }

    std::atomic<uint64_t> bytes = 0, most_bytes = 0;

private:
    MemoryResource upstream_;
};

void require(bool condition, const char* text) {
    if (condition) return;
    std::fprintf(stderr, "%s\n", text);
    std::exit(EXIT_FAILURE);
}

}  // namespace

int main() {
    try {
        const Device device(0);
        const Stream stream = device.create_stream();
        const auto counting = std::make_shared<Counting>(DeviceMemoryResource(device, {}));
        const UserMemoryResource resource(counting, MemoryKind::device, device.device_id());
        device.set_memory_resource(resource);
        {
            Buffer first = device.allocate(1000, stream);
            const Buffer second = device.allocate(2000, stream);
            first.fill(0, 1, stream);
            first.close();
            const Buffer third = resource.allocate(500, stream);
            require(counting->bytes == 2500 && counting->most_bytes == 3000, "the count is wrong");
        }
        stream.sync();
        require(counting->bytes == 0, "a buffer is left");
        std::printf("at most %d bytes at a time on %s\n", static_cast<int>(counting->most_bytes),
                    device.name().c_str());
        return EXIT_SUCCESS;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
