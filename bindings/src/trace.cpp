#include "cuprum/bindings/trace.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

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
    std::map<const void*, std::int64_t> rows;  // of streams
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
                                                     detail::forget_kernel_times();
                                                     detail::update_observed();
                                                 });
    static_cast<void>(registered);
}

// Kernels that nobody has waited for, as far as they have ended.
void end_with_process() {
    static const int registered = std::atexit([] { detail::write_last_kernel_times(); });
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

// An event that is no call: its head, and `rest`, the members that follow.
std::string other_event(const char* phase, const char* category, const std::string& name, std::int64_t row,
                        const std::string& rest) {
    std::string text = R"({"ph": ")" + std::string(phase) + R"(", "cat": ")" + category + R"(", "name": )";
    detail::append_json_text(text, name);
    return text + R"(, "pid": )" + std::to_string(getpid()) + R"(, "tid": )" + std::to_string(row) + rest + "}";
}

std::string dimensions(const std::uint32_t* values) {
    return "[" + std::to_string(values[0]) + ", " + std::to_string(values[1]) + ", " + std::to_string(values[2]) + "]";
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

void start_trace(const std::string& path, const TraceOptions& options) {
    detail::write_last_kernel_times();  // of the trace before
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
    end_with_process();
    detail::time_kernels(options.kernels);
    State& current = state();
    {
        const std::lock_guard lock(current.mutex);
        close_trace(current);
        current.trace = std::move(trace);
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
    detail::write_last_kernel_times();
    detail::time_kernels(false);
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

namespace {

// With the lock held: appends an event, as JSON or as a line of text.
void append(State& current, const std::string& json, const std::string& line) {
    Trace& trace = current.trace;
    bool written = false;
    if (trace.json) {
        // In one write together with the end of the array, over the former one: the file is complete at any time.
        const std::string text = (trace.empty ? "\n" : ",\n") + json;
        written = write_all(trace, trace.seekable ? text + "\n]\n" : text, trace.end);
        trace.end += static_cast<off_t>(text.size());
    } else {
        written = write_all(trace, line, trace.end);
        trace.end += static_cast<off_t>(line.size());
    }
    trace.empty = false;
    if (!written) {
        close_trace(current);  // the disk is full: the calls go on
    }
}

// Writes what `event` makes of the trace that runs, a pair of JSON and text; nothing where it began after `start`.
template <class Event>
void write(Clock::time_point start, const Event& event) noexcept {
    State& current = state();
    try {
        const std::lock_guard lock(current.mutex);
        if (!current.running.load(std::memory_order_relaxed) || start < current.trace.begin) {
            return;  // another thread has stopped the trace, or begun another one, meanwhile
        }
        const auto [json, line] = event(current.trace);
        append(current, json, line);
    } catch (...) {
        // Out of memory: this event is not in the trace.
    }
}

std::string times(const Trace& trace, Clock::time_point start, Clock::time_point end) {
    return formatted(R"(, "ts": %.3f, "dur": %.3f)", microseconds(start - trace.begin), microseconds(end - start));
}

std::string line_of(const Trace& trace, Clock::time_point start, Clock::time_point end, const std::string& what) {
    return formatted("%12.3f us  %10.3f us  ", microseconds(start - trace.begin), microseconds(end - start)) + what +
           "\n";
}

// Streams have rows of their own, below those of the threads: numbers that no thread has. The first use of a row names
// it.
std::int64_t row_of(State& current, const void* stream) {
    constexpr std::int64_t first_row = 1 << 30;
    const auto [place, is_new] =
        current.trace.rows.try_emplace(stream, first_row + static_cast<std::int64_t>(current.trace.rows.size()));
    if (is_new) {
        char name[48];
        std::snprintf(name, sizeof name, "stream %#llx",
                      static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(stream)));
        if (current.trace.json) {
            append(current,
                   other_event("M", "__metadata", "thread_name", place->second,
                               R"(, "args": {"name": ")" + std::string(name) + R"("})"),
                   "");
        }
    }
    return place->second;
}

}  // namespace

void write_kernel_to_trace(const FinishedKernel& kernel) noexcept {
    write(kernel.start, [&](const Trace& trace) {
        const std::int64_t row = row_of(state(), kernel.stream);
        const std::string arguments = kernel.is_graph ? std::string("{}")
                                                      : R"({"grid": )" + dimensions(kernel.grid) + R"(, "block": )" +
                                                            dimensions(kernel.block) + "}";
        return std::pair(other_event("X", kernel.is_graph ? "graph" : "kernel", kernel.name, row,
                                     times(trace, kernel.start, kernel.end) + R"(, "args": )" + arguments),
                         line_of(trace, kernel.start, kernel.end, "device  " + kernel.name));
    });
}

void write_range_to_trace(const std::string& name, Clock::time_point start, Clock::time_point end) noexcept {
    write(start, [&](const Trace& trace) {
        return std::pair(other_event("X", "nvtx", name, gettid(), times(trace, start, end)),
                         line_of(trace, start, end, "thread " + std::to_string(gettid()) + "  range " + name));
    });
}

void write_mark_to_trace(const std::string& name, Clock::time_point time) noexcept {
    write(time, [&](const Trace& trace) {
        return std::pair(other_event("i", "nvtx", name, gettid(),
                                     formatted(R"(, "ts": %.3f, "s": "t")", microseconds(time - trace.begin), 0)),
                         line_of(trace, time, time, "thread " + std::to_string(gettid()) + "  mark " + name));
    });
}

void write_to_trace(const FinishedCall& call) noexcept {
    write(call.start, [&](const Trace& trace) {
        return trace.json ? std::pair(chrome_event(trace, call), std::string())
                          : std::pair(std::string(), text_line(trace, call));
    });
}

}  // namespace detail

}  // namespace cuprum::bindings
