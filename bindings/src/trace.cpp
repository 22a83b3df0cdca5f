#include "cuprum/bindings/trace.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>

#include "observation.hpp"
#include "value_text.hpp"

namespace cuprum::bindings {

namespace {

using Clock = std::chrono::steady_clock;

// The failure that this thread's innermost Probe is prepared for; 0 where there is none.
thread_local constinit std::int32_t probed_failure = 0;

bool is_probe(const detail::FinishedCall& call) {
    return probed_failure != 0 && std::string_view(call.function.signature).starts_with("enum:") &&
           *static_cast<const std::int32_t*>(call.result) == probed_failure;
}

// One trace that runs.
struct Trace {
    int file = -1;
    bool json = false;
    bool seekable = false;
    off_t end = 0;      // where the next call is written, in a file that has a place
    bool empty = true;  // no call is written yet
    Clock::time_point begin;
};

struct State {
    std::mutex mutex;
    std::atomic<bool> running{false};
    Trace trace;
};

// Never destroyed: calls may come from threads that outlive main.
State& state() {
    static State& instance = *new State;
    return instance;
}

bool write_all(const Trace& trace, const std::string& text, off_t place) {
    std::size_t written = 0;
    while (written < text.size()) {
        const char* rest = text.data() + written;
        const std::size_t size = text.size() - written;
        const ssize_t count = trace.seekable ? pwrite(trace.file, rest, size, place + static_cast<off_t>(written))
                                             : write(trace.file, rest, size);
        if (count < 0 && errno != EINTR) {
            return false;
        }
        written += count < 0 ? 0 : static_cast<std::size_t>(count);
    }
    return true;
}

// With the lock held.
void close_trace(State& current) noexcept {
    if (!current.running.exchange(false)) {
        return;
    }
    if (current.trace.json && !current.trace.seekable) {
        const char end[] = "\n]\n";
        [[maybe_unused]] const ssize_t lost = write(current.trace.file, end, sizeof end - 1);
    }
    close(current.trace.file);
}

// A child must neither write to its parent's file nor inherit a lock that nobody will release.
void survive_fork() {
    static const int registered = pthread_atfork([] { state().mutex.lock(); }, [] { state().mutex.unlock(); },
                                                 [] {
                                                     State& current = state();
                                                     if (current.running.exchange(false)) {
                                                         close(current.trace.file);
                                                     }
                                                     current.mutex.unlock();
                                                     detail::update_observed();
                                                 });
    static_cast<void>(registered);
}

std::string with_process_id(std::string path) {
    for (std::size_t at = path.find("%p"); at != std::string::npos; at = path.find("%p", at)) {
        path.replace(at, 2, std::to_string(getpid()));
    }
    return path;
}

double microseconds(Clock::duration duration) {
    return std::chrono::duration<double, std::micro>(duration).count();
}

std::string formatted(const char* format, double first, double second) {
    char buffer[96];
    const int length = std::snprintf(buffer, sizeof buffer, format, first, second);
    return {buffer, static_cast<std::size_t>(length)};
}

std::string chrome_event(const Trace& trace, const detail::FinishedCall& call) {
    std::string text = R"({"ph": "X", "cat": ")" + std::string(call.library.name()) + R"(", "name": ")" +
                       call.function.name + R"(", "pid": )" + std::to_string(getpid()) + R"(, "tid": )" +
                       std::to_string(gettid());
    text += formatted(R"(, "ts": %.3f, "dur": %.3f, "args": {)", microseconds(call.start - trace.begin),
                      microseconds(call.end - call.start));
    detail::append_call(text, detail::TextFormat::json, call.library, call.function, call.arguments, call.result,
                        is_probe(call));
    text += is_probe(call) ? R"(, "probe": true)" : "";
    text += call.injected ? R"(, "injected": true}})" : "}}";
    return text;
}

std::string text_line(const Trace& trace, const detail::FinishedCall& call) {
    std::string text = formatted("%12.3f us  %10.3f us  ", microseconds(call.start - trace.begin),
                                 microseconds(call.end - call.start)) +
                       "thread " + std::to_string(gettid()) + "  " + call.function.name;
    detail::append_call(text, detail::TextFormat::plain, call.library, call.function, call.arguments, call.result,
                        is_probe(call));
    text += is_probe(call) ? "  [probe]" : "";
    text += call.injected ? "  [injected]\n" : "\n";
    return text;
}

}  // namespace

void start_trace(const std::string& path) {
    const std::string name = with_process_id(path);
    Trace trace;
    trace.file = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (trace.file < 0) {
        throw InvalidArgument("starting the trace of calls", name,
                              "the file cannot be written: " + std::generic_category().message(errno),
                              "give CUPRUM_TRACE or start_trace a path that this process may write");
    }
    trace.json = name.ends_with(".json");
    trace.seekable = lseek(trace.file, 0, SEEK_CUR) >= 0;
    trace.begin = Clock::now();
    if (trace.json) {
        write_all(trace, trace.seekable ? "[\n]\n" : "[", 0);
        trace.end = 1;
    }
    survive_fork();
    State& current = state();
    {
        const std::lock_guard lock(current.mutex);
        close_trace(current);
        current.trace = trace;
        current.running.store(true);
    }
    detail::update_observed();
}

Probe::Probe(std::int32_t code) noexcept : outer_(probed_failure) {
    probed_failure = code;
}

Probe::~Probe() {
    probed_failure = outer_;
}

void stop_trace() noexcept {
    State& current = state();
    {
        const std::lock_guard lock(current.mutex);
        close_trace(current);
    }
    detail::update_observed();
}

namespace detail {

bool trace_is_running() noexcept {
    return state().running.load();
}

void write_to_trace(const FinishedCall& call) noexcept {
    State& current = state();
    try {
        const std::lock_guard lock(current.mutex);
        Trace& trace = current.trace;
        if (!current.running.load(std::memory_order_relaxed) || call.start < trace.begin) {
            return;  // another thread has stopped the trace, or begun another one, meanwhile
        }
        bool written = false;
        if (trace.json) {
            // In one write together with the end of the array, over the former one: the file is complete at any time.
            const std::string text = (trace.empty ? "\n" : ",\n") + chrome_event(trace, call);
            written = write_all(trace, trace.seekable ? text + "\n]\n" : text, trace.end);
            trace.end += static_cast<off_t>(text.size());
        } else {
            const std::string text = text_line(trace, call);
            written = write_all(trace, text, trace.end);
            trace.end += static_cast<off_t>(text.size());
        }
        trace.empty = false;
        if (!written) {
            close_trace(current);  // the disk is full: the calls go on
        }
    } catch (...) {
        // Out of memory: this call is not in the trace.
    }
}

}  // namespace detail

}  // namespace cuprum::bindings
