// Ranges and marks of the program's own, for tools such as Nsight Systems (NVTX) and for Cuprum's own trace
// (`cuprum trace`). Without either they cost next to nothing. Functions may be called from any thread; names are UTF-8.
#pragma once

#include <cstdint>
#include <string>

namespace cuprum::core::nvtx {

// Marks this moment.
void mark(const std::string& name) noexcept;

// Begins a range within the thread's innermost one. Gives how many there were before.
int32_t push_range(const std::string& name) noexcept;

// Ends the thread's innermost range. Gives how many are left; -1 where there was none.
int32_t pop_range() noexcept;

// Begins a range that may end in any thread. Gives its number.
uint64_t start_range(const std::string& name) noexcept;

// Ends it; a range that does not exist, or has ended, is ignored.
void end_range(uint64_t range) noexcept;

// A range as long as the object lives, in one thread.
class [[nodiscard]] Range {
public:
    explicit Range(const std::string& name) { push_range(name); }
    Range(const Range&) = delete;
    Range& operator=(const Range&) = delete;
    ~Range() { pop_range(); }
};

}  // namespace cuprum::core::nvtx
