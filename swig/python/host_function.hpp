// Stream.launch_host_function: Python functions that CUDA calls.
#pragma once

#include <Python.h>

#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "host_functions.hpp"
#include "waits.hpp"

namespace cuprum_python {

// Those that were launched and not called yet. One that never is, since its context was lost, counts on.
inline std::atomic<std::size_t>& pending_host_functions() {
    static std::atomic<std::size_t> count{0};
    return count;
}

// Lets go of the GIL while host functions are pending: the driver may keep a call waiting, as it does where a stream
// has no room for more work, until one has run, which needs the GIL.
class WithoutGilWhilePending {
public:
    WithoutGilWhilePending() {
        if (pending_host_functions().load(std::memory_order_relaxed) != 0) [[unlikely]]
            released_.emplace();
    }

private:
    std::optional<WithoutGil> released_;
};

// What was called, for the main thread to let go of: what a function holds may use CUDA when it goes, as a Buffer does,
// which the driver does not permit on the thread that called it. With the GIL.
class CalledFunctions {
public:
    static void add(PyObject* function) {
        functions().push_back(function);
        if (!is_scheduled()) is_scheduled() = Py_AddPendingCall(let_go, nullptr) == 0;
    }

private:
    static int let_go(void* /*unused*/) {
        is_scheduled() = false;
        for (PyObject* const function : std::exchange(functions(), {}))
            Py_DECREF(function);
        return 0;
    }
    // Never destroyed: see DriverQuestions.
    static std::vector<PyObject*>& functions() {
        static auto* const all = new std::vector<PyObject*>;
        return *all;
    }
    static bool& is_scheduled() {
        static bool scheduled = false;
        return scheduled;
    }
};

inline void run_host_function(void* argument) {
    const cuprum_languages::HostFunctionCall now;
    if (!now) return;  // the interpreter is going: its objects stay as they are
    const PyGILState_STATE state = PyGILState_Ensure();
    auto* const function = static_cast<PyObject*>(argument);
    PyObject* const result = PyObject_CallObject(function, nullptr);
    // Nobody waits for the result: an exception is reported, as for a thread.
    if (result == nullptr) PyErr_WriteUnraisable(function);
    Py_XDECREF(result);
    pending_host_functions().fetch_sub(1, std::memory_order_relaxed);
    CalledFunctions::add(function);
    PyGILState_Release(state);
}

}  // namespace cuprum_python
