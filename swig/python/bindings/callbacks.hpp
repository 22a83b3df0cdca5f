// Python functions that CUDA calls.
#pragma once

#include "tables.hpp"

namespace cuprum::python {

/// A callable that the library is to call once. It owns itself: the call frees it.
struct HostCallback;

/// A callback for `callable(user_data)`, or for `callable(stream, status, user_data)` where `type` is that of
/// cuStreamAddCallback. Fills the slots of the function and its user data. Null with an exception set: callables of
/// other types have to be functions made with ctypes.
HostCallback* make_callback(const Type& type, PyObject* callable, PyObject* user_data, std::uint64_t& function,
                            std::uint64_t& argument);

/// Frees a callback that the library has refused.
void drop_callback(HostCallback* callback);

/// Whether the library has callbacks that it has not called yet. A call that holds the interpreter could then wait for
/// one that waits for the interpreter.
bool callbacks_are_pending();

/// To be called when the interpreter begins to exit: waits for the callbacks that are running, as Python does for
/// threads; those that come later are not run.
void refuse_callbacks();

}  // namespace cuprum::python
