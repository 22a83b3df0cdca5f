// What a table of functions is made of. Not installed.
#pragma once

#include <atomic>

#include "cuprum/bindings/table.hpp"

namespace cuprum::bindings::detail {

// Slots of one function type. Relaxed order suffices: what a resolved function needs was published by the loader
// before its address could be known, and the pointer itself carries no data of ours.
template <class Pointer>
struct TypedSlot {
    static const std::atomic<Pointer>& of(const void* slot) { return *static_cast<const std::atomic<Pointer>*>(slot); }
    static std::atomic<Pointer>& of(void* slot) { return *static_cast<std::atomic<Pointer>*>(slot); }

    static AnyFunction load(const void* slot) {
        return reinterpret_cast<AnyFunction>(of(slot).load(std::memory_order_relaxed));
    }
    static AnyFunction exchange(void* slot, AnyFunction value) {
        return reinterpret_cast<AnyFunction>(
            of(slot).exchange(reinterpret_cast<Pointer>(value), std::memory_order_relaxed));
    }
    static bool compare_exchange(void* slot, AnyFunction expected, AnyFunction desired) {
        Pointer old = reinterpret_cast<Pointer>(expected);
        return of(slot).compare_exchange_strong(old, reinterpret_cast<Pointer>(desired), std::memory_order_relaxed);
    }
    static constexpr SlotOperations operations{&load, &exchange, &compare_exchange};
};

// What a call returns whose function is missing. A library's source file specialises it for its status type.
template <class Result>
Result missing_result(ResolutionFailure::Kind) {
    return Result();
}

// The function that a slot starts with. `List` has the members `library()` and `function(Index)`.
template <class List, auto Index, class Pointer>
struct Stub;

template <class List, auto Index, class Result, class... Parameters>
struct Stub<List, Index, Result (*)(Parameters...)> {
    using Pointer = Result (*)(Parameters...);

    static Result call(Parameters... arguments) {
        ResolutionFailure::Kind failure;
        AnyFunction address = List::library().resolve(List::function(Index), failure);
        if (address == nullptr) {
            return missing_result<Result>(failure);
        }
        return reinterpret_cast<Pointer>(address)(arguments...);
    }
    static AnyFunction address() { return reinterpret_cast<AnyFunction>(&call); }
};

}  // namespace cuprum::bindings::detail
