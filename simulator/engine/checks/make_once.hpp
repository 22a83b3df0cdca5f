// Objects that threads make when they are first needed.
#pragma once

#include <atomic>
#include <memory>

namespace cuprum::simulator {

template <typename Object>
[[gnu::noinline]] Object& make_and_publish(std::atomic<Object*>& pointer) {
    auto fresh = std::make_unique<Object>();
    Object* expected = nullptr;
    if (!pointer.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel)) return *expected;
    return *fresh.release();
}

// What the pointer points to; where it is null, a new one: the same for all threads.
template <typename Object>
[[gnu::always_inline]] inline Object& make_once(std::atomic<Object*>& pointer) {
    Object* const old = pointer.load(std::memory_order_acquire);
    return old != nullptr ? *old : make_and_publish(pointer);
}

}  // namespace cuprum::simulator
