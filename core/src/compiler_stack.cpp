#include "compiler_stack.hpp"

#include <pthread.h>

#include <cstdint>

namespace cuprum::core::detail {

std::size_t stack_left() noexcept {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return SIZE_MAX;
    void* lowest = nullptr;
    std::size_t size = 0;
    const bool is_known = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
    pthread_attr_destroy(&attributes);
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const auto end = reinterpret_cast<std::uintptr_t>(lowest);
    return is_known && here > end ? here - end : SIZE_MAX;
}

bool call_with_stack(void* (*call)(void*), void* argument) noexcept {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_t thread{};
    // Twice, since the stack has other things on it too; what is not used takes no memory.
    const bool is_started = pthread_attr_setstacksize(&attributes, 2 * stack_for_compilers) == 0 &&
                            pthread_create(&thread, &attributes, call, argument) == 0;
    pthread_attr_destroy(&attributes);
    return is_started && pthread_join(thread, nullptr) == 0;
}

}  // namespace cuprum::core::detail
