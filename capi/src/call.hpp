// The frame that every function of the C ABI runs in: the thread's error is cleared first, and whatever is thrown
// becomes a status and the thread's error.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cuprum/capi/base.h"
#include "handle_table.hpp"
#include "objects.hpp"
#include "operation.hpp"
#include "thread_state.hpp"

namespace cuprum::capi {

/// Keeps one object in use: it is not destroyed before the pin is gone, whatever other threads do to its handle.
template <class Object>
class Pin {
public:
    explicit Pin(HandleSlot* slot) noexcept : slot_(slot) {}
    Pin(Pin&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
    Pin& operator=(Pin&&) = delete;
    Pin(const Pin&) = delete;
    Pin& operator=(const Pin&) = delete;
    ~Pin() {
        if (slot_ != nullptr) {
            process_handles().release(slot_);
        }
    }
    Object& operator*() const noexcept { return *static_cast<Object*>(slot_->object); }
    Object* operator->() const noexcept { return static_cast<Object*>(slot_->object); }

private:
    HandleSlot* slot_;
};

/// The number that a handle is.
template <class Handle>
HandleValue value_of(Handle handle) noexcept {
    return static_cast<HandleValue>(reinterpret_cast<uintptr_t>(handle));
}

/// One call of a function of the C ABI: checks its parameters, and says in errors what was being done and which
/// parameter is meant.
class Call {
public:
    explicit Call(Operation operation) noexcept : operation_(operation) {}

    Operation operation() const noexcept { return operation_; }

    /// Throws InvalidArgument when `pointer` is null.
    void require(const void* pointer, const char* parameter) const {
        if (pointer == nullptr) {
            refuse_null(parameter);
        }
    }
    /// Throws InvalidArgument.
    [[noreturn]] void refuse(const char* parameter, std::string detail, std::string advice = {}) const;

    /// The object behind a handle, kept in use. `element`: of a parameter that is an array. Throws Error
    /// (Status::invalid_handle).
    template <class Handle>
    Pin<ObjectOf<Handle>> use(Handle handle, const char* parameter, int32_t element = -1) const {
        using Object = ObjectOf<Handle>;
        HandleSlot* slot = process_handles().acquire(value_of(handle), Object::type);
        if (slot == nullptr) {
            refuse_handle(value_of(handle), Object::type, parameter, element);
        }
        return Pin<Object>(slot);
    }

    /// The number of the object behind a handle (ObjectOf<Handle>::number()). Throws like use().
    template <class Handle>
    uint64_t number_of(Handle handle, const char* parameter, int32_t element = -1) const {
        const std::optional<uint64_t> number = process_handles().number_of(value_of(handle), ObjectOf<Handle>::type);
        if (!number) {
            refuse_handle(value_of(handle), ObjectOf<Handle>::type, parameter, element);
        }
        return *number;
    }

    /// A handle for `object`, which it owns from then on.
    template <class Handle>
    Handle give(ObjectOf<Handle> object) const {
        using Object = ObjectOf<Handle>;
        auto owner = std::make_unique<Object>(std::move(object));
        if constexpr (Object::needs_driver) {
            abandon_objects_at_exit();
        }
        uint64_t number = 0;
        if constexpr (requires { owner->number(); }) {
            number = owner->number();
        }
        const HandleValue value = process_handles().insert(
            Object::type, owner.get(), [](void* raw) noexcept { delete static_cast<Object*>(raw); }, number);
        owner.release();
        return reinterpret_cast<Handle>(static_cast<uintptr_t>(value));
    }

    /// Destroys what `handle` stands for; null is ignored. Throws Error (Status::invalid_handle).
    template <class Handle>
    void destroy(Handle handle, const char* parameter) const {
        using Object = ObjectOf<Handle>;
        if (handle != nullptr && !process_handles().destroy(value_of(handle), Object::type)) {
            refuse_handle(value_of(handle), Object::type, parameter, -1);
        }
    }

private:
    std::string parameter_of_function(const char* parameter) const;
    [[noreturn]] void refuse_null(const char* parameter) const;
    [[noreturn]] void refuse_handle(HandleValue value, HandleType expected, const char* parameter,
                                    int32_t element) const;

    Operation operation_;
};

/// To be called in a catch clause: turns the current exception into the thread's error and returns its status.
cuprum_status record_current_exception(Operation operation) noexcept;

/// `operation` is written as the function's name: run("cuprum_stream_sync", ...).
template <std::invocable<const Call&> Body>
cuprum_status run(Operation operation, Body&& body) noexcept {
    if (LastError* error = last_error()) {
        error->clear();
    }
    try {
        body(Call(operation));
        return CUPRUM_SUCCESS;
    } catch (...) {
        return record_current_exception(operation);
    }
}

}  // namespace cuprum::capi
