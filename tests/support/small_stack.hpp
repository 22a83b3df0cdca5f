// Runs something on a thread that has little stack, so that a large array on it is a crash.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <stdexcept>

namespace cuprum::test {

/// Runs `function`, which must not throw, on a thread with `size` bytes of stack, and waits for it.
template <class Function>
void run_with_stack(size_t size, const Function& function) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    const int refused = pthread_attr_setstacksize(&attributes, size);
    pthread_t thread{};
    const auto run = [](void* argument) -> void* {
        (*static_cast<const Function*>(argument))();
        return nullptr;
    };
    const bool is_started =
        refused == 0 && pthread_create(&thread, &attributes, run, const_cast<Function*>(&function)) == 0;
    pthread_attr_destroy(&attributes);
    if (!is_started) throw std::runtime_error("a thread with a small stack could not be started");
    pthread_join(thread, nullptr);
}

}  // namespace cuprum::test
