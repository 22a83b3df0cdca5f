// What a table of functions is made of. Not installed.
#pragma once

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include "cuprum/bindings/options.hpp"
#include "cuprum/bindings/table.hpp"
#include "observation.hpp"

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

// What a call returns whose function is missing: a status of the library's own, a text, or nothing.
template <class List, class Result>
Result missing_result(ResolutionFailure::Kind kind) {
    if constexpr (std::is_enum_v<Result>) {
        return List::missing_status(kind);
    } else if constexpr (std::is_same_v<Result, const char*>) {
        // Functions that give a text never give a null pointer.
        return kind == ResolutionFailure::Kind::library_missing ? "the library is not installed"
                                                                : "this version of the library lacks the function";
    } else {
        return Result();
    }
}

// The function that a slot starts with. `List` has the members `library()`, `function(Index)`,
// `slot(Index)` and `missing_status(kind)`, the status of a call whose function is missing.
template <class List, auto Index, class Pointer>
struct Stub;

template <class List, auto Index, class Result, class... Parameters>
struct Stub<List, Index, Result (*)(Parameters...)> {
    using Pointer = Result (*)(Parameters...);

    static Result call(Parameters... arguments) {
        ResolutionFailure::Kind failure;
        AnyFunction address = List::library().resolve(List::function(Index), failure);
        if (address == nullptr) {
            return missing_result<List, Result>(failure);
        }
        return reinterpret_cast<Pointer>(address)(arguments...);
    }
    static AnyFunction address() { return reinterpret_cast<AnyFunction>(&call); }
};

// What a call goes through while it is traced or may be made to fail.
template <class List, auto Index, class Pointer>
struct Observed;

template <class List, auto Index, class Result, class... Parameters>
struct Observed<List, Index, Result (*)(Parameters...)> {
    using Pointer = Result (*)(Parameters...);

    [[gnu::cold, gnu::noinline]] static Result call(Parameters... arguments) {
        const void* const addresses[] = {&arguments..., nullptr};
        Observation observation(List::library(), List::function(Index), addresses);
        const auto make_call = [&]() -> Result {
            if constexpr (std::is_enum_v<Result>) {
                if (const auto code = observation.injected()) {
                    return static_cast<Result>(*code);
                }
            }
            return TypedSlot<Pointer>::of(List::slot(Index)).load(std::memory_order_relaxed)(arguments...);
        };
        Result result = make_call();
        observation.finish(&result);
        return result;
    }
};

// One argument out of its slot, as Function::invoke says.
template <class Value>
Value from_slot(std::uint64_t slot) {
    if constexpr (std::is_pointer_v<Value>) {
        return reinterpret_cast<Value>(static_cast<std::uintptr_t>(slot));
    } else if constexpr (std::is_same_v<Value, float>) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(slot));
    } else if constexpr (std::is_same_v<Value, double>) {
        return std::bit_cast<double>(slot);
    } else if constexpr (std::is_class_v<Value> || std::is_union_v<Value>) {
        Value value;
        std::memcpy(&value, reinterpret_cast<const void*>(static_cast<std::uintptr_t>(slot)), sizeof value);
        return value;
    } else {
        return static_cast<Value>(slot);
    }
}

template <auto function>
struct Invoke;

template <class Result, class... Parameters, Result (*function)(Parameters...)>
struct Invoke<function> {
    static void call(const std::uint64_t* arguments, std::uint64_t* result) {
        call(arguments, result, std::index_sequence_for<Parameters...>());
    }

private:
    template <std::size_t... Position>
    static void call([[maybe_unused]] const std::uint64_t* arguments, std::uint64_t* result,
                     std::index_sequence<Position...>) {
        const Result value = function(from_slot<Parameters>(arguments[Position])...);
        if constexpr (std::is_pointer_v<Result>) {
            *result = reinterpret_cast<std::uintptr_t>(value);
        } else if constexpr (std::is_class_v<Result>) {
            std::memcpy(result, &value, sizeof value);
        } else if constexpr (std::is_enum_v<Result>) {
            *result = static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(value)));
        } else {
            *result = static_cast<std::uint64_t>(value);
        }
    }
};

// Looks a function up by the name that the library exports.
inline AnyFunction find_exported(void* handle, const Function& function, int, std::string& reason) {
    const std::string symbol = std::string(function.symbol) + (per_thread_default_stream() ? function.per_thread : "");
    void* address = dlsym(handle, symbol.c_str());
    if (address == nullptr) {
        reason = "it exports no symbol " + symbol;
    }
    return reinterpret_cast<AnyFunction>(address);
}

// The records of type_table.inc, each with where its fields begin: a field without a path stands for a record.
template <std::size_t count>
constexpr std::array<Record, count> numbered_records(const Record* sizes, const Field* fields_and_starts) {
    std::array<Record, count> records{};
    std::uint32_t fields = 0;
    for (std::size_t i = 0; i < count; ++i) {
        records[i] = sizes[i];
        ++fields_and_starts;
        records[i].first_field = fields;
        for (; fields_and_starts->path != nullptr; ++fields_and_starts) {
            ++records[i].field_count;
            ++fields;
        }
    }
    return records;
}

template <std::size_t count>
constexpr std::array<Field, count> fields_alone(const Field* fields_and_starts) {
    std::array<Field, count> fields{};
    for (std::size_t i = 0; i < count; ++fields_and_starts) {
        if (fields_and_starts->path != nullptr) {
            fields[i++] = *fields_and_starts;
        }
    }
    return fields;
}

}  // namespace cuprum::bindings::detail
