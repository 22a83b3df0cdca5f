// Ranges and marks of the program's own, for tools such as Nsight Systems (NVTX) and for Cuprum's own trace
// (bindings/trace.hpp, `cuprum trace`). Without either they cost next to nothing. Functions may be called from any
// thread; names are UTF-8.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/bindings/nvtx.hpp"

namespace cuprum::core::nvtx {

// Marks this moment.
inline void mark(const std::string& name) {
    bindings::nvtx::mark(name.c_str());
}

// Begins a range within the thread's innermost one. Gives how many there were before.
inline int32_t push_range(const std::string& name) {
    return bindings::nvtx::range_push(name.c_str());
}

// Ends the thread's innermost range. Gives how many are left; -1 where there was none.
inline int32_t pop_range() {
    return bindings::nvtx::range_pop();
}

// Begins a range that may end in any thread. Gives its number.
inline uint64_t start_range(const std::string& name) {
    return bindings::nvtx::range_start(name.c_str());
}

// Ends it; what is no such number is ignored.
inline void end_range(uint64_t range) {
    bindings::nvtx::range_end(range);
}

// A range as long as the object lives, in one thread.
class [[nodiscard]] Range {
public:
    explicit Range(const std::string& name) { push_range(name); }
    Range(const Range&) = delete;
    Range& operator=(const Range&) = delete;
    ~Range() { pop_range(); }
};

}  // namespace cuprum::core::nvtx
