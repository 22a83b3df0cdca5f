// What the driver is done with, on a thread of its own that must not use it: what host functions and graphs have held
// may do so when it is destroyed (a Buffer does), which is left to a thread of the program's.
#pragma once

#include <atomic>

namespace cuprum::core {

struct LeftToDestroy {
    LeftToDestroy() = default;
    virtual ~LeftToDestroy() = default;
    LeftToDestroy(const LeftToDestroy&) = delete;
    LeftToDestroy& operator=(const LeftToDestroy&) = delete;
    LeftToDestroy* next = nullptr;  // in left_to_destroy
};

inline std::atomic<LeftToDestroy*> left_to_destroy = nullptr;

// On any thread: takes `object` over.
inline void leave_to_destroy(LeftToDestroy* object) noexcept {
    object->next = left_to_destroy.load(std::memory_order_relaxed);
    while (!left_to_destroy.compare_exchange_weak(object->next, object, std::memory_order_release,
                                                  std::memory_order_relaxed)) {}
}

// On a thread of the program's.
void destroy_all_that_is_left() noexcept;

// The same, where that costs nothing while there is nothing: after a wait.
inline void destroy_what_is_left() noexcept {
    if (left_to_destroy.load(std::memory_order_relaxed) != nullptr) [[unlikely]]
        destroy_all_that_is_left();
}

}  // namespace cuprum::core
