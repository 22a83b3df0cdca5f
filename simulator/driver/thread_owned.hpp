// What a thread has of its own and gives back when it ends.
#pragma once

#include <utility>

namespace cuprum::simulator::libcuda {

// The calling thread's own Value, made at its first use. Programs call the driver after a thread's own objects have
// been destroyed, too: from the destructors of static objects, or of other objects of the thread. They get a fresh one
// then, which stays. `Owner` tells values of one type apart.
template <class Value, class Owner = Value>
Value& of_this_thread() {
    thread_local constinit Value* value = nullptr;  // has no destructor, and so outlives its thread's objects
    struct End {
        ~End() { delete std::exchange(value, nullptr); }
    };
    if (value == nullptr) {
        value = new Value;
        thread_local const End end;  // once in a thread
    }
    return *value;
}

}  // namespace cuprum::simulator::libcuda
