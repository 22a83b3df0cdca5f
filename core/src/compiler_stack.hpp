// NVIDIA's compilers recurse deeply: NVRTC 13.5 takes more than the 1 MiB of stack that Java's threads have for the
// text of one of CUB's algorithms, and a stack that overflows ends the process.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "cuprum/bindings/table.hpp"

namespace cuprum::core {

namespace detail {

// Bytes between here and the end of this thread's stack.
std::size_t stack_left() noexcept;
// Calls `call(argument)` on a thread of its own that has as much stack as compilers need, and waits for it. False, and
// nothing called, if there is no such thread to be had.
bool call_with_stack(void* (*call)(void*), void* argument) noexcept;

constexpr std::size_t stack_for_compilers = std::size_t{4} << 20;

}  // namespace detail

// Calls `function`, which calls `name` of `library` and must not throw, with stack enough for a compiler: on this
// thread, or else on one of its own.
template <class Function>
void with_compiler_stack(bindings::Library& library, std::string_view name, const Function& function) {
    // That it is missing, the bindings record for the thread that asks.
    if (library.address_of(name) == nullptr) return function();
    const auto call = [](void* argument) -> void* {
        (*static_cast<const Function*>(argument))();
        return nullptr;
    };
    if (detail::stack_left() < detail::stack_for_compilers &&
        detail::call_with_stack(call, const_cast<Function*>(std::addressof(function)))) {
        return;
    }
    function();
}

}  // namespace cuprum::core
