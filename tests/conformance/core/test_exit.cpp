// Objects that are destroyed while the process exits: in static storage, made before and after the driver's start.
// The test is that main returns 0 and that nothing crashes or hangs afterwards.
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "cuprum/cuprum.hpp"

namespace core = cuprum::core;

namespace {

struct Everything {
    std::optional<core::Stream> stream;
    std::optional<core::Event> event;
    std::optional<core::Buffer> buffer;
    std::optional<core::Buffer> ordered;
    std::optional<core::Kernel> kernel;

    void fill() {
        const core::Device device(0);
        stream = device.create_stream();
        event = stream->record();
        buffer = device.allocate(1024);
        ordered = device.allocate(1024, *stream);
        kernel = core::Program("extern \"C\" __global__ void k(int* x) { x[0] = 1; }").compile().get_kernel("k");
        core::launch(*stream, {1, 1}, *kernel, *buffer);
    }
};

// Constructed before the driver is started, hence destroyed after core has been told of the exit.
Everything early;

Everything& late() {
    static Everything everything;
    return everything;
}

}  // namespace

int main() {
    core::set_cleanup_error_handler([](const cuprum::Error& error) noexcept {
        std::fprintf(stderr, "%s\n", error.what());
        std::_Exit(1);
    });
    try {
        early.fill();
        late().fill();
    } catch (const cuprum::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
