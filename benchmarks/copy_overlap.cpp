// Whether a copy from the host runs while a kernel does: times of each alone and of both, from page-locked memory,
// where it does, and from other memory, where the copy holds the host up.
#include <cstdint>
#include <vector>

#include <cuprum/cuprum.hpp>

#include "measure.hpp"

using namespace cuprum::core;
using cuprum::benchmarks::median;
using cuprum::benchmarks::now_microseconds;
using cuprum::benchmarks::row;

namespace {

// Milliseconds from the first call until both streams are done: median of 15.
template <class Work>
double milliseconds(const Stream& first, const Stream& second, const Work& work) {
    std::vector<double> times;
    for (int i = 0; i < 16; ++i) {
        const double begin = now_microseconds();
        work();
        first.sync();
        second.sync();
        if (i > 0) times.push_back((now_microseconds() - begin) / 1000);
    }
    return median(std::move(times));
}

}  // namespace

int main() {
    const Device device(0);
    std::printf("# a copy of 256 MiB beside a kernel on %s\n", device.name().c_str());
    constexpr uint64_t size = 256ULL << 20U;
    const Kernel spin = Program(
                            "extern \"C\" __global__ void spin(long long nanoseconds) {\n"
                            "    unsigned long long begin, now;\n"
                            "    asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(begin));\n"
                            "    do asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(now));\n"
                            "    while (now - begin < nanoseconds);\n"
                            "}\n")
                            .compile()
                            .get_kernel("spin");
    const Stream computing = device.create_stream();
    const Stream copying = device.create_stream();
    const Buffer destination = device.allocate(size);
    const PinnedMemoryResource pinned;
    const Buffer page_locked = pinned.allocate(size, copying);
    const std::vector<char> pageable(size);

    const auto compare = [&](const char* name, auto copy) {
        const double copy_alone = milliseconds(computing, copying, copy);
        // As long as the copy, so that nothing hides in the longer of the two.
        const auto kernel = [&, nanoseconds = static_cast<long long>(copy_alone * 1e6)] {
            launch(computing, {1, 1}, spin, nanoseconds);
        };
        const double kernel_alone = milliseconds(computing, copying, kernel);
        const double both = milliseconds(computing, copying, [&] {
            kernel();
            copy();
        });
        std::printf("%s\n", name);
        row("  the copy alone", copy_alone, "ms");
        row("  the kernel alone", kernel_alone, "ms");
        row("  both", both, "ms", both / (copy_alone + kernel_alone), "one after the other");
    };
    compare("from page-locked memory", [&] { destination.copy_from(page_locked, copying); });
    compare("from pageable memory", [&] { destination.copy_from_host(pageable.data(), size, copying); });
    return 0;
}
