// Per-thread values. For the layers above; not part of the interface.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace cuprum::bindings {

// The calling thread's own Value, made at its first use and destroyed when the thread ends. A library's functions are
// called even after that: from destructors of static objects, and of other objects of the thread. They get a new
// value, which is never destroyed. `Owner` tells values of one type apart.
template <class Value, class Owner = Value>
Value& of_this_thread() {
    alignas(Value) thread_local constinit std::byte storage[sizeof(Value)] = {};
    thread_local constinit bool made = false;
    struct Renewal {
        ~Renewal() {
            Value* const value = std::launder(reinterpret_cast<Value*>(storage));
            std::destroy_at(value);
            std::construct_at(value);
        }
    };
    if (!made) {
        ::new (static_cast<void*>(storage)) Value;
        made = true;
        thread_local const Renewal renewal;
    }
    return *std::launder(reinterpret_cast<Value*>(storage));
}

}  // namespace cuprum::bindings
