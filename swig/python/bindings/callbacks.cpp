#include "callbacks.hpp"

#include <atomic>
#include <cstring>
#include <new>

#include "instance.hpp"
#include "reference.hpp"
#include "types.hpp"

namespace cuprum::python {

struct HostCallback {
    PyObject* callable;  // own references
    PyObject* user_data;
    Type* stream_type;  // of cuStreamAddCallback and cudaStreamAddCallback; null for a host function
    Type* status_type;
};

namespace {

std::atomic<std::size_t> pending{0};
std::atomic<std::size_t> running{0};
std::atomic<bool> refused{false};

// That a callback is running, and whether it may. In this order on both sides, so that either refuse_callbacks() sees
// it running or it sees that it is refused.
class Running {
public:
    Running() noexcept : may_(begin()) {}
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running() {
        running.fetch_sub(1);
        running.notify_all();
    }
    explicit operator bool() const noexcept { return may_; }

private:
    static bool begin() noexcept {
        running.fetch_add(1);
        return !refused.load();
    }

    bool may_;
};

void run(HostCallback* callback, PyObject* arguments) {
    // Nobody waits for the result: an exception is reported, as for a thread.
    const Reference owned(arguments);
    const Reference result(owned ? PyObject_CallObject(callback->callable, owned.get()) : nullptr);
    if (!result) {
        PyErr_WriteUnraisable(callback->callable);
    }
    drop_callback(callback);
}

void host_function(void* argument) {
    const Running now;
    if (!now) {
        return;  // the interpreter is going: its objects stay as they are
    }
    const PyGILState_STATE state = PyGILState_Ensure();
    auto* const callback = static_cast<HostCallback*>(argument);
    run(callback, PyTuple_Pack(1, callback->user_data));
    PyGILState_Release(state);
}

void stream_function(void* stream, std::int32_t status, void* argument) {
    const Running now;
    if (!now) {
        return;
    }
    const PyGILState_STATE state = PyGILState_Ensure();
    auto* const callback = static_cast<HostCallback*>(argument);
    const Reference handle(reinterpret_cast<PyObject*>(new_instance(*callback->stream_type)));
    const Reference code(enumerator_of(*callback->status_type, status));
    if (handle && code) {
        std::memcpy(as_instance(handle.get())->data, &stream, sizeof stream);
        run(callback, PyTuple_Pack(3, handle.get(), code.get(), callback->user_data));
    } else {
        run(callback, nullptr);
    }
    PyGILState_Release(state);
}

struct CallbackKind {
    const char* type;
    bool has_stream;
    Type* status_type;
};

const CallbackKind* kind_of(const Type& type) {
    static const CallbackKind kinds[] = {{"CUhostFn", false, nullptr},
                                         {"cudaHostFn_t", false, nullptr},
                                         {"CUstreamCallback", true, &types::CUresult},
                                         {"cudaStreamCallback_t", true, &types::cudaError_t}};
    for (const CallbackKind& kind : kinds) {
        if (std::strcmp(kind.type, type.name) == 0) {
            return &kind;
        }
    }
    return nullptr;
}

}  // namespace

HostCallback* make_callback(const Type& type, PyObject* callable, PyObject* user_data, std::uint64_t& function,
                            std::uint64_t& argument) {
    const CallbackKind* const kind = kind_of(type);
    if (kind == nullptr) {
        PyErr_Format(PyExc_TypeError, "a %s has to be a function made with ctypes.CFUNCTYPE, or an address", type.name);
        return nullptr;
    }
    auto* const callback = new (std::nothrow) HostCallback{callable, user_data, nullptr, kind->status_type};
    if (callback == nullptr) {
        PyErr_NoMemory();
        return nullptr;
    }
    Py_INCREF(callable);
    Py_INCREF(user_data);
    if (kind->has_stream) {
        callback->stream_type = &types::CUstream;
    }
    function = kind->has_stream ? reinterpret_cast<std::uintptr_t>(&stream_function)
                                : reinterpret_cast<std::uintptr_t>(&host_function);
    argument = reinterpret_cast<std::uintptr_t>(callback);
    pending.fetch_add(1, std::memory_order_relaxed);
    return callback;
}

void drop_callback(HostCallback* callback) {
    Py_DECREF(callback->callable);
    Py_DECREF(callback->user_data);
    delete callback;
    pending.fetch_sub(1, std::memory_order_relaxed);
}

bool callbacks_are_pending() {
    return pending.load(std::memory_order_relaxed) != 0;
}

void refuse_callbacks() {
    refused.store(true);
    PyThreadState* const state = PyEval_SaveThread();
    for (std::size_t count = running.load(); count != 0; count = running.load()) {
        running.wait(count);
    }
    PyEval_RestoreThread(state);
}

}  // namespace cuprum::python
