#include "driver/memory/resting_memory.hpp"

#include <sys/mman.h>

#include <array>
#include <cstddef>
#include <mutex>
#include <utility>

namespace cuprum::simulator::libcuda {

namespace {

constexpr size_t most_resting = 1024;  // of the process

struct Range {
    uint64_t begin = 0, span = 0;
};

}  // namespace

void rest(uint64_t begin, uint64_t span) noexcept {
    // Where this fails they keep what they show until they are unmapped.
    [[maybe_unused]] void* const emptied = ::mmap(reinterpret_cast<void*>(begin), span, PROT_READ | PROT_WRITE,
                                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    static std::mutex mutex;
    static std::array<Range, most_resting> resting{};  // a ring: the next one is the oldest
    static size_t next = 0;
    const std::lock_guard lock(mutex);
    const Range oldest = std::exchange(resting[next], {begin, span});
    next = (next + 1) % most_resting;
    if (oldest.span != 0) ::munmap(reinterpret_cast<void*>(oldest.begin), oldest.span);
}

}  // namespace cuprum::simulator::libcuda
