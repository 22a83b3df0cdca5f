// Waits that Ctrl-C ends.
//
// A thread that waits in the driver cannot be called back. So Python's main thread, which alone handles signals, does
// not wait there for long: it asks a stream or an event over and over, and where the driver has no such question it
// lets another thread wait for it. Work, and a wait of that other thread, go on when a signal handler raises.
#pragma once

#include <Python.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "host_functions.hpp"

namespace cuprum_python {

// How objects of the driver are released. Any release may wait: for a device's work, or for another call that does, and
// holds the driver's lock.
enum class Releases {
    at_once,
    in_background,  // a wait was interrupted: a device may be busy for good
    within_limit,   // the interpreter exits: one that takes longer than half a second is the last
    never           // there was one: what is left goes with the process
};

inline std::atomic<Releases>& releases() {
    static std::atomic<Releases> state{Releases::at_once};
    return state;
}

// Lets go of the GIL.
class WithoutGil {
public:
    WithoutGil() : thread_(PyEval_SaveThread()) {}
    // A daemon thread that asks for the GIL while the interpreter exits is ended there, with pthread_exit(), which
    // unwinds the stack through this destructor as an exception does.
    // NOLINTNEXTLINE(bugprone-unsafe-to-allow-exceptions)
    ~WithoutGil() noexcept(false) { PyEval_RestoreThread(thread_); }
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;

    // Takes it for as long as signal handlers need. False when one has raised: the Python error is set.
    bool handle_signals() {
        PyEval_RestoreThread(thread_);
        const bool goes_on = PyErr_CheckSignals() == 0;
        if (!goes_on) releases() = Releases::in_background;
        thread_ = PyEval_SaveThread();
        return goes_on;
    }

private:
    PyThreadState* thread_;
};

// Python's main thread is the process's, unless Python is embedded: there Ctrl-C does not end waits.
inline bool handles_signals() {
    thread_local const bool is_main = ::syscall(SYS_gettid) == ::getpid();
    return is_main;
}

constexpr std::chrono::milliseconds between_signals{20};

// What came of a wait.
enum class Waited {
    done,         // the work has succeeded: there is nothing more to ask
    unknown,      // it has failed, or could not be waited for: the C ABI's own call says which
    interrupted,  // a signal handler has raised: the Python error is set
};

constexpr int not_ready = 600;  // CUDA_ERROR_NOT_READY

// Asks the driver, by `question`, until the work is done. The first millisecond at once and again, so that nothing is
// lost where the wait is short; later after a hundredth of the time that has passed.
template <class Question>
Waited ask_until_done(const Question& question, WithoutGil& released) {
    using Clock = std::chrono::steady_clock;
    using namespace std::chrono_literals;
    int answer = question();
    if (answer != not_ready) return answer == 0 ? Waited::done : Waited::unknown;
    const auto begin = Clock::now();
    auto next_signals = begin + between_signals;
    while ((answer = question()) == not_ready) {
        const auto now = Clock::now();
        if (now - begin < 1ms) {
            ::sched_yield();
            continue;
        }
        std::this_thread::sleep_for(std::clamp<Clock::duration>((now - begin) / 100, 20us, 2ms));
        if (now < next_signals) continue;
        if (!released.handle_signals()) return Waited::interrupted;
        next_signals = Clock::now() + between_signals;
    }
    return answer == 0 ? Waited::done : Waited::unknown;
}

// A thread that waits in another's place, for one job at a time.
class Substitute {
public:
    // One that has nothing to do; null if it cannot be had.
    static std::shared_ptr<Substitute> take() {
        {
            const std::lock_guard lock(idle_mutex());
            std::shared_ptr<Substitute> known = std::exchange(idle(), nullptr);
            if (known && known->process_ == ::getpid()) return known;
        }
        try {
            auto made = std::make_shared<Substitute>();
            // The program's signals are for the program's own threads.
            sigset_t all, previous;
            sigfillset(&all);
            pthread_sigmask(SIG_SETMASK, &all, &previous);
            std::thread([made] { made->serve(); }).detach();
            pthread_sigmask(SIG_SETMASK, &previous, nullptr);
            return made;
        } catch (const std::exception&) {
            return nullptr;
        }
    }
    // It has done its job, and may be taken again. One that was left at its job is not given back.
    static void give_back(std::shared_ptr<Substitute> substitute) {
        const std::lock_guard lock(idle_mutex());
        idle() = std::move(substitute);
    }

    // Whether one is at its job: such a call into the driver may never return.
    static bool is_any_at_work() { return at_work().load() > 0; }

    void start(std::function<void()> job) {
        const std::lock_guard lock(mutex_);
        ++at_work();
        job_ = std::move(job);
        changed_.notify_all();
    }
    // Whether the job is done by then.
    bool wait_until(std::chrono::steady_clock::time_point end) {
        std::unique_lock lock(mutex_);
        return changed_.wait_until(lock, end, [this] { return !job_; });
    }

private:
    void serve() {
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [this] { return static_cast<bool>(job_); });
            lock.unlock();
            job_();
            lock.lock();
            --at_work();
            job_ = nullptr;
            changed_.notify_all();
        }
    }
    static std::atomic<int>& at_work() {
        static std::atomic<int> count{0};
        // A forked child has none of these threads.
        static const int watched = ::pthread_atfork(nullptr, nullptr, [] { count = 0; });
        static_cast<void>(watched);
        return count;
    }
    // Never destroyed: its thread may run until the process is gone.
    static std::mutex& idle_mutex() {
        static auto* const mutex = new std::mutex;
        return *mutex;
    }
    static std::shared_ptr<Substitute>& idle() {
        static auto* const one = new std::shared_ptr<Substitute>;
        return *one;
    }

    const pid_t process_ = ::getpid();
    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> job_;
};

// Lets another thread do `job`, which waits and uses nothing that may go, and waits for that. False with a Python error
// when a signal handler has raised.
inline bool wait_elsewhere(std::function<void()> job, WithoutGil& released) {
    std::shared_ptr<Substitute> substitute = Substitute::take();
    if (!substitute) return true;  // then the caller waits itself
    substitute->start(std::move(job));
    while (!substitute->wait_until(std::chrono::steady_clock::now() + between_signals)) {
        if (!released.handle_signals()) return false;
    }
    Substitute::give_back(std::move(substitute));
    return true;
}

// A function of the driver by its address, so that asking over and over is neither traced nor counted. Null if there is
// none.
template <class Function>
Function* driver_function(const char* name) {
    uint64_t address = 0;
    if (cuprum_bindings_address_of(&address, "driver", name) != CUPRUM_SUCCESS) return nullptr;
    return reinterpret_cast<Function*>(static_cast<uintptr_t>(address));
}

// The driver's questions whether a stream or an event is done. Of streams that are a device's own, the default ones, it
// answers for those of the current context: a device's primary one, which core uses.
struct DriverQuestions {
    using Question = int(void*);

    Question* stream = driver_function<Question>("cuStreamQuery");
    Question* event = driver_function<Question>("cuEventQuery");
    int (*get_device)(int*, int) = driver_function<int(int*, int)>("cuDeviceGet");
    int (*retain)(void**, int) = driver_function<int(void**, int)>("cuDevicePrimaryCtxRetain");
    int (*push)(void*) = driver_function<int(void*)>("cuCtxPushCurrent");
    int (*pop)(void**) = driver_function<int(void**)>("cuCtxPopCurrent");

    // Asked for when the driver is in use: then it has them, or never will. Null in a child that was forked since:
    // there the driver says of all work that it is done (seen with 580.159), and the C ABI that CUDA cannot be used.
    static const DriverQuestions* get() {
        static std::atomic<bool> is_forked_child{false};
        static const int watched = ::pthread_atfork(nullptr, nullptr, [] { is_forked_child = true; });
        static const DriverQuestions questions;
        return watched != 0 || is_forked_child ? nullptr : &questions;
    }

    // A device's primary context, retained for good as core does; null where there is none.
    void* context_of(int32_t device) const {
        static auto* const mutex = new std::mutex;
        static auto* const known = new std::map<int32_t, void*>;
        const std::lock_guard lock(*mutex);
        void*& context = (*known)[device];
        int number = 0;
        if (context == nullptr && get_device != nullptr && retain != nullptr && push != nullptr && pop != nullptr &&
            get_device(&number, device) == 0 && retain(&context, number) != 0) {
            context = nullptr;
        }
        return context;
    }
};

constexpr std::chrono::milliseconds release_limit{500};

// Without the GIL.
template <class Handle>
cuprum_status release(Handle handle, cuprum_status (*destroy)(Handle)) {
    const Releases how = releases();
    if (how == Releases::never) return CUPRUM_SUCCESS;
    std::shared_ptr<Substitute> substitute = how == Releases::at_once ? nullptr : Substitute::take();
    if (!substitute) return destroy(handle);
    substitute->start([handle, destroy] { destroy(handle); });
    if (how == Releases::in_background) return CUPRUM_SUCCESS;
    if (substitute->wait_until(std::chrono::steady_clock::now() + release_limit)) {
        Substitute::give_back(std::move(substitute));
    } else {
        releases() = Releases::never;
    }
    return CUPRUM_SUCCESS;
}

// Handles of the C ABI whose driver objects a thread asks about by itself: they are destroyed only when it has done so.
class Asked {
public:
    // Keeps a handle's object while it lives. Without the GIL, or with it.
    template <class Handle>
    class Hold {
    public:
        Hold(Handle handle, cuprum_status (*destroy)(Handle)) : handle_(handle), destroy_(destroy) {
            const std::lock_guard lock(asked().mutex_);
            asked().entries_.push_back({key(handle), false});
        }
        ~Hold() {
            bool is_to_be_destroyed = false;
            {
                const std::lock_guard lock(asked().mutex_);
                std::vector<Entry>& entries = asked().entries_;
                const auto same = [this](const Entry& entry) { return entry.handle == key(handle_); };
                const auto mine = std::find_if(entries.begin(), entries.end(), same);
                const Entry gone = *mine;
                entries.erase(mine);
                const auto other = std::find_if(entries.begin(), entries.end(), same);
                if (other != entries.end()) {
                    other->is_to_be_destroyed |= gone.is_to_be_destroyed;
                } else {
                    is_to_be_destroyed = gone.is_to_be_destroyed;
                }
            }
            if (is_to_be_destroyed) release(handle_, destroy_);
        }
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;

    private:
        Handle handle_;
        cuprum_status (*destroy_)(Handle);
    };

    // Destroys the object, or leaves that to who asks about it.
    template <class Handle>
    static cuprum_status destroy(Handle handle, cuprum_status (*destroy)(Handle)) {
        {
            const std::lock_guard lock(asked().mutex_);
            for (Entry& entry : asked().entries_) {
                if (entry.handle != key(handle)) continue;
                entry.is_to_be_destroyed = true;
                return CUPRUM_SUCCESS;
            }
        }
        return release(handle, destroy);
    }

private:
    struct Entry {
        uintptr_t handle;
        bool is_to_be_destroyed;
    };
    template <class Handle>
    static uintptr_t key(Handle handle) {
        return reinterpret_cast<uintptr_t>(handle);
    }
    // Never destroyed: threads may use it until the process is gone.
    static Asked& asked() {
        static auto* const instance = new Asked;
        return *instance;
    }

    std::mutex mutex_;
    std::vector<Entry> entries_;  // as many as there are waits
};

constexpr uint64_t last_default_stream = 2;  // CU_STREAM_PER_THREAD; null and CU_STREAM_LEGACY come before
constexpr uint64_t unknown_native = UINT64_MAX;
constexpr uint64_t legacy_default_stream = 1;  // CU_STREAM_LEGACY

inline void* as_driver_handle(uint64_t native) {
    return reinterpret_cast<void*>(static_cast<uintptr_t>(native));
}

// Where the driver cannot be asked these return at once, and the caller's own wait is not interrupted.

inline Waited wait_for_stream(uint64_t native, int32_t device, WithoutGil& released) {
    const DriverQuestions* const driver = DriverQuestions::get();
    if (driver == nullptr || driver->stream == nullptr || native == unknown_native) return Waited::unknown;
    if (native > last_default_stream) {
        return ask_until_done([&] { return driver->stream(as_driver_handle(native)); }, released);
    }
    void* const context = driver->context_of(device);
    if (context == nullptr) return Waited::unknown;
    const auto question = [&] {
        if (const int pushed = driver->push(context); pushed != 0) return pushed;
        const int answer = driver->stream(as_driver_handle(native));
        void* popped = nullptr;
        driver->pop(&popped);
        return answer;
    };
    return ask_until_done(question, released);
}

inline Waited wait_for_event(uint64_t native, WithoutGil& released) {
    const DriverQuestions* const driver = DriverQuestions::get();
    if (driver == nullptr || driver->event == nullptr || native == unknown_native) return Waited::unknown;
    return ask_until_done([&] { return driver->event(as_driver_handle(native)); }, released);
}

// sync_device(device): as cuprum_device_sync.
inline PyObject* sync_device(PyObject* /*module*/, PyObject* number) {
    const long device = PyLong_AsLong(number);
    if (device == -1 && PyErr_Occurred() != nullptr) return nullptr;
    const auto id = static_cast<int32_t>(device);
    cuprum_status status = CUPRUM_SUCCESS;
    {
        WithoutGil released;
        if (handles_signals() && !wait_elsewhere([id] { cuprum_device_sync(id); }, released)) return nullptr;
        // The work is done: this says what came of it, to this thread.
        status = cuprum_device_sync(id);
    }
    Releases expected = Releases::in_background;
    if (status == CUPRUM_SUCCESS) releases().compare_exchange_strong(expected, Releases::at_once);
    return none_or_error(status);
}

// sync_default_stream(device): before a copy that would wait for it.
inline PyObject* sync_default_stream(PyObject* /*module*/, PyObject* number) {
    const long device = PyLong_AsLong(number);
    if (device == -1 && PyErr_Occurred() != nullptr) return nullptr;
    {
        WithoutGil released;
        if (handles_signals() &&
            wait_for_stream(legacy_default_stream, static_cast<int32_t>(device), released) == Waited::interrupted) {
            return nullptr;
        }
    }
    Py_RETURN_NONE;
}

// begin_exit(): the interpreter exits.
inline PyObject* begin_exit(PyObject* /*module*/, PyObject* /*unused*/) {
    releases() = Releases::within_limit;
    {
        const WithoutGil released;
        cuprum_languages::HostFunctionCall::end(cuprum_languages::host_function_limit);
    }
    // NVIDIA's driver has a handler for the end of the process that waits for calls in other threads. This one is
    // registered later, and so runs before it.
    ::on_exit(
        [](int status, void* /*unused*/) {
            if (!Substitute::is_any_at_work()) return;
            std::fflush(nullptr);
            ::_exit(status);
        },
        nullptr);
    Py_RETURN_NONE;
}

// As destroy(handle), which may wait.
template <class Handle, cuprum_status (*destroy)(Handle)>
PyObject* release_object(PyObject* /*module*/, PyObject* number) {
    const unsigned long long value = PyLong_AsUnsignedLongLong(number);
    if (PyErr_Occurred() != nullptr) return nullptr;
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGil released;
        status = release(reinterpret_cast<Handle>(static_cast<uintptr_t>(value)), destroy);
    }
    return none_or_error(status);
}

// False with a Python error.
inline bool add_waits(PyObject* module) {
    static PyMethodDef functions[] = {
        {"sync_device", sync_device, METH_O, "Waits for all work of a device."},
        {"sync_default_stream", sync_default_stream, METH_O, "Waits for a device's legacy default stream."},
        {"begin_exit", begin_exit, METH_NOARGS, "From now on no release keeps the program for long."},
        {"release_context", release_object<cuprum_context, cuprum_context_destroy>, METH_O, "cuprum_context_destroy"},
        {"release_kernel", release_object<cuprum_kernel, cuprum_kernel_destroy>, METH_O, "cuprum_kernel_destroy"},
        {"release_graph", release_object<cuprum_graph, cuprum_graph_destroy>, METH_O, "cuprum_graph_destroy"},
        {"release_graph_builder", release_object<cuprum_graph_builder, cuprum_graph_builder_destroy>, METH_O,
         "cuprum_graph_builder_destroy"},
        {"release_graph_definition", release_object<cuprum_graph_definition, cuprum_graph_definition_destroy>, METH_O,
         "cuprum_graph_definition_destroy"},
        {"release_mipmapped_array", release_object<cuprum_mipmapped_array, cuprum_mipmapped_array_destroy>, METH_O,
         "cuprum_mipmapped_array_destroy"},
        {"release_opaque_array", release_object<cuprum_opaque_array, cuprum_opaque_array_destroy>, METH_O,
         "cuprum_opaque_array_destroy"},
        {"release_surface_object", release_object<cuprum_surface_object, cuprum_surface_object_destroy>, METH_O,
         "cuprum_surface_object_destroy"},
        {"release_texture_object", release_object<cuprum_texture_object, cuprum_texture_object_destroy>, METH_O,
         "cuprum_texture_object_destroy"},
        {"release_linker", release_object<cuprum_linker, cuprum_linker_destroy>, METH_O, "cuprum_linker_destroy"},
        {"release_object_code", release_object<cuprum_object_code, cuprum_object_code_destroy>, METH_O,
         "cuprum_object_code_destroy"},
        {"release_parallel_algorithm", release_object<cuprum_parallel_algorithm, cuprum_parallel_algorithm_destroy>,
         METH_O, "cuprum_parallel_algorithm_destroy"},
        {nullptr, nullptr, 0, nullptr}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace cuprum_python
