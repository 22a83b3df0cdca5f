// Sorting data in host memory that is larger than the device's memory that the sort may take: it goes through in
// pieces.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

namespace {

using namespace cuprum;
using namespace cuprum::parallel;

int run() {
    constexpr uint64_t limit = uint64_t{1} << 20;  // bytes
    constexpr uint64_t size = 2 * limit;
    // Page-locked, so that copies in both directions and kernels run at once.
    const core::LegacyPinnedMemoryResource page_locked;
    const core::Buffer memory = page_locked.allocate(size), target_memory = page_locked.allocate(size);
    const std::span<int32_t> numbers = memory.as_span<int32_t>(), target = target_memory.as_span<int32_t>();
    const auto n = static_cast<int32_t>(numbers.size());
    for (int32_t i = 0; i < n; ++i)
        numbers[static_cast<size_t>(i)] = n - 1 - i;

    const out_of_core::DeviceMemory device{core::Device(0), limit};
    const Type type = Type::of<int32_t>();
    int32_t largest = 0;
    out_of_core::Reduce(device, type, OpKind::maximum, type)(host_input(numbers), {type, &largest, 1});
    // The sorted runs may overwrite the input.
    out_of_core::RadixSort(SortOrder::ascending, device, type)(host_input(numbers), host_output(target),
                                                               host_output(numbers));

    bool ok = largest == n - 1;
    for (int32_t i = 0; i < n; ++i)
        ok = ok && target[static_cast<size_t>(i)] == i;
    std::printf("%d bytes sorted with %d of the device: %s\n", static_cast<int>(size), static_cast<int>(limit),
                ok ? "ok" : "WRONG");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
