// Objects that are destroyed while the process exits: in static storage, made before and after the driver's start.
// The test is that main returns 0, that nothing crashes or hangs afterwards, and that the driver, which may be gone by
// then, is not called once core has been told of the exit.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "cuprum/bindings/driver.hpp"
#include "cuprum/cuprum.hpp"

namespace core = cuprum::core;

namespace {

// Streams that were destroyed, and whether that is still allowed.
int destroyed_streams = 0;
bool driver_may_be_gone = false;
CUresult (*destroy_stream)(CUstream) = nullptr;

[[noreturn]] void fail(const char* text) {
    std::fprintf(stderr, "%s\n", text);
    std::_Exit(1);
}

CUresult watched_destroy(CUstream stream) {
    if (driver_may_be_gone) fail("the driver was called after the end of main");
    ++destroyed_streams;
    return destroy_stream(stream);
}

struct Everything {
    std::optional<core::Stream> stream;
    std::optional<core::Event> event;
    std::optional<core::Buffer> buffer;
    std::optional<core::Buffer> ordered;
    std::optional<core::Buffer> pinned;
    std::optional<core::Kernel> kernel;

    void fill() {
        const core::Device device(0);
        stream = device.create_stream();
        event = stream->record();
        buffer = device.allocate(1024);
        ordered = device.allocate(1024, *stream);
        pinned = core::LegacyPinnedMemoryResource().allocate(1024, *stream);
        kernel = core::Program("extern \"C\" __global__ void k(int* x) { x[0] = 1; }").compile().get_kernel("k");
        core::launch(*stream, {1, 1}, *kernel, *buffer);
        core::launch(*stream, {1, 1}, *kernel, *pinned);
        // Nobody waits for it: it is called before the end, or never.
        stream->launch_host_function([] {
            if (driver_may_be_gone) fail("a host function was called after the end of main");
        });
    }
};

// Constructed before the driver is started, hence destroyed after core has been told of the exit.
struct Early : Everything {
    ~Early() {
        // The thread's own things are gone by now.
        core::Program(".version 7.0\n.target sm_70\n", core::SourceType::ptx).compile(core::CodeType::ptx);
        if (!core::Program::last_log().empty()) fail("the log is not the last compile's");
        if (destroyed_streams != 1) fail("what was made after the driver's start was not destroyed before its end");
        driver_may_be_gone = true;
    }
} early;

Everything& late() {
    static Everything everything;
    return everything;
}

}  // namespace

int main() {
    namespace bindings = cuprum::bindings;
    core::set_cleanup_error_handler([](const cuprum::Error& error) noexcept { fail(error.what()); });
    try {
        destroy_stream =
            reinterpret_cast<CUresult (*)(CUstream)>(bindings::driver::library().address_of("cuStreamDestroy"));
        // Never taken back: it is to see the last call.
        static_cast<void>(
            new bindings::TableOverride(bindings::driver::library(), "cuStreamDestroy", &watched_destroy));
        early.fill();
        late().fill();
        // Something to say, and longer than a string holds in itself: a variable that is not used.
        core::Program("__global__ void k() { int a_variable_that_is_never_used; }").compile(core::CodeType::ptx);
        if (core::Program::last_log().size() < 32) fail("the compiler has not warned");
    } catch (const cuprum::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
