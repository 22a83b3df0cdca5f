// What a thread has of its own.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace cuprum::simulator::libcuda {

// The calling thread's own Value, made at its first use and destroyed when the thread ends. The functions of a driver
// are called after that, too: from destructors of static objects, and of other objects of the thread. For them there is
// a fresh one then, which stays. `Owner` tells values of one type apart.
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

}  // namespace cuprum::simulator::libcuda
