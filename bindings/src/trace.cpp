#include "cuprum/bindings/trace.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "observation.hpp"
#include "trace_time.hpp"
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

// How the calls of one function are written.
struct KnownCall {
    std::string head;  // of a Chrome event, up to the thread
    detail::CallText text;
};

// One trace that runs.
struct Trace {
    int file = -1;
    bool json = false;
    bool seekable = false;
    off_t end = 0;      // where the next call is written, in a file that has a place
    bool empty = true;  // no call is written yet
    // A part of the file in memory, for a regular file that nobody else has: writing there is no call of the system,
    // and what is written outlives the process however that ends. Behind the end there is white space until the trace
    // ends.
    bool mapped = false;
    char* window = nullptr;
    off_t window_begin = 0;
    std::size_t window_size = 0;
    Clock::time_point begin;
    std::map<const void*, std::int64_t> rows;  // of streams
    // For each library, as libraries() lists them, those of its functions that have been called.
    std::vector<std::vector<std::unique_ptr<const KnownCall>>> calls;
};

struct State {
    std::mutex mutex;
    std::atomic<bool> running{false};
    Trace trace;
    detail::TextBuffer text;  // of the event that is written
};

// Never destroyed: calls may come from threads that outlive main.
State& state() {
    static State& instance = *new State;
    return instance;
}

bool write_all(const Trace& trace, std::string_view text, off_t place) {
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

// The white space behind the end goes.
void end_window(Trace& trace) noexcept {
    if (trace.window == nullptr) {
        return;
    }
    munmap(std::exchange(trace.window, nullptr), trace.window_size);
    const off_t closing = trace.json ? 3 : 0;  // "\n]\n"
    [[maybe_unused]] const int lost = ftruncate(trace.file, trace.end + closing);
}

// Makes `size` bytes from the end on writable in memory; false where the disk has no room for them.
bool open_window(Trace& trace, std::size_t size) noexcept {
    constexpr std::size_t least = 1 << 20;
    const auto page = static_cast<off_t>(sysconf(_SC_PAGESIZE));
    end_window(trace);
    const off_t begin = trace.end / page * page;
    const std::size_t needed = static_cast<std::size_t>(trace.end - begin) + size + 3;
    const std::size_t whole = std::max(least, (needed + static_cast<std::size_t>(page) - 1) /
                                                  static_cast<std::size_t>(page) * static_cast<std::size_t>(page));
    // What ends the JSON stays until the next event is written over it. White space behind it, by a call of the system:
    // pages that a program touches first cost more than twice as much, and one of a full disk would end the process.
    const auto used = static_cast<std::size_t>(trace.end - begin) + (trace.json ? 3 : 0);
    static constexpr auto white_space = [] {
        std::array<char, 64 * 1024> spaces{};
        spaces.fill(' ');
        return spaces;
    }();
    for (std::size_t written = used; written < whole; written += white_space.size()) {
        const std::string_view part(white_space.data(), std::min(white_space.size(), whole - written));
        if (!write_all(trace, part, begin + static_cast<off_t>(written))) {
            return false;
        }
    }
    void* const memory = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, trace.file, begin);
    if (memory == MAP_FAILED) {
        return false;
    }
    trace.window = static_cast<char*>(memory);
    trace.window_begin = begin;
    trace.window_size = whole;
    return true;
}

// With the lock held.
void close_trace(State& current) noexcept {
    if (!current.running.exchange(false)) {
        return;
    }
    end_window(current.trace);
    if (current.trace.json && !current.trace.seekable) {
        const char end[] = "\n]\n";
        [[maybe_unused]] const ssize_t lost = write(current.trace.file, end, sizeof end - 1);
    }
    close(current.trace.file);
}

// Asked for once: each is a call of the system. 0: not known.
thread_local constinit pid_t this_thread_id = 0;
std::atomic<pid_t> process_id = 0;

pid_t thread_id() noexcept {
    if (this_thread_id == 0) {
        this_thread_id = gettid();
    }
    return this_thread_id;
}

pid_t id_of_process() noexcept {
    pid_t known = process_id.load(std::memory_order_relaxed);
    if (known == 0) {
        process_id.store(known = getpid(), std::memory_order_relaxed);
    }
    return known;
}

// A child must neither write to its parent's file nor inherit a lock that nobody will release.
void survive_fork() {
    static const int registered =
        pthread_atfork([] { state().mutex.lock(); }, [] { state().mutex.unlock(); },
                       [] {
                           State& current = state();
                           if (current.running.exchange(false)) {
                               if (current.trace.window != nullptr) {
                                   munmap(std::exchange(current.trace.window, nullptr), current.trace.window_size);
                               }
                               close(current.trace.file);
                           }
                           current.mutex.unlock();
                           this_thread_id = 0;
                           process_id = 0;
                           detail::forget_kernel_times();
                           detail::update_observed();
                       });
    static_cast<void>(registered);
}

// Kernels that nobody has waited for, as far as they have ended.
void end_with_process() {
    static const int registered = std::atexit([] {
        detail::write_last_kernel_times();
        State& current = state();
        const std::lock_guard lock(current.mutex);
        if (current.running.load()) {
            end_window(current.trace);  // later calls open another one
        }
    });
    static_cast<void>(registered);
}

std::string with_process_id(std::string path) {
    for (std::size_t at = path.find("%p"); at != std::string::npos; at = path.find("%p", at)) {
        path.replace(at, 2, std::to_string(getpid()));
    }
    return path;
}

// "12.345": microseconds, from whole nanoseconds; at least `width` characters.
void append_microseconds(detail::TextBuffer& text, Clock::duration duration, std::size_t width = 0) {
    constexpr std::size_t longest = 32;
    const std::int64_t nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
    const auto size = static_cast<std::uint64_t>(nanoseconds < 0 ? -nanoseconds : nanoseconds);
    char* const begin = text.room(longest + width);
    char* end = begin;
    if (nanoseconds < 0) *end++ = '-';
    // Most are short: they are divided as 32 bits in half the time.
    const std::uint64_t whole = size / 1000;
    end = whole <= UINT32_MAX ? std::to_chars(end, begin + longest, static_cast<std::uint32_t>(whole)).ptr
                              : std::to_chars(end, begin + longest, whole).ptr;
    const auto fraction = static_cast<unsigned>(size % 1000);
    *end++ = '.';
    *end++ = static_cast<char>('0' + fraction / 100);
    *end++ = static_cast<char>('0' + fraction / 10 % 10);
    *end++ = static_cast<char>('0' + fraction % 10);
    auto length = static_cast<std::size_t>(end - begin);
    if (length < width) {
        std::memmove(begin + (width - length), begin, length);
        std::memset(begin, ' ', width - length);
        length = width;
    }
    text.add(length);
}

std::string microseconds(Clock::duration duration, std::size_t width = 0) {
    detail::TextBuffer text;
    append_microseconds(text, duration, width);
    return std::string(text.view());
}

// How calls of the function are written, read from its signature at the first of them. With the lock held.
const KnownCall& known_call(Trace& trace, const Library& library, const Function& function) {
    const std::span<Library* const> all = libraries();
    const auto place = static_cast<std::size_t>(std::ranges::find(all, &library) - all.begin());
    if (trace.calls.size() <= place) trace.calls.resize(place + 1);
    std::vector<std::unique_ptr<const KnownCall>>& calls = trace.calls[place];
    if (calls.empty()) calls.resize(library.functions().size());
    std::unique_ptr<const KnownCall>& known = calls[static_cast<std::size_t>(&function - library.functions().data())];
    if (known == nullptr) {
        const auto format = trace.json ? detail::TextFormat::json : detail::TextFormat::plain;
        known = std::make_unique<const KnownCall>(KnownCall{R"({"ph":"X","cat":")" + std::string(library.name()) +
                                                                R"(","name":")" + function.name + R"(","pid":)" +
                                                                std::to_string(id_of_process()) + R"(,"tid":)",
                                                            detail::CallText(format, library, function)});
    }
    return *known;
}

// Without spaces: a third of what a call costs are the file's pages.
void append_chrome_event(detail::TextBuffer& text, Trace& trace, const detail::FinishedCall& call) {
    const KnownCall& known = known_call(trace, call.library, call.function);
    const bool probe = is_probe(call);
    text += known.head;
    text.digits(thread_id());
    text += R"(,"ts":)";
    append_microseconds(text, call.start - trace.begin);
    text += R"(,"dur":)";
    append_microseconds(text, call.end - call.start);
    text += R"(,"args": {)";
    known.text.append(text, call.arguments, call.result, probe);
    if (probe) text += R"(, "probe": true)";
    if (call.injected) text += R"(, "injected": true)";
    text += "}}";
}

void append_text_line(detail::TextBuffer& text, Trace& trace, const detail::FinishedCall& call) {
    const bool probe = is_probe(call);
    append_microseconds(text, call.start - trace.begin, 12);
    text += " us  ";
    append_microseconds(text, call.end - call.start, 10);
    text += " us  thread ";
    text.digits(thread_id());
    text += "  ";
    text += call.function.name;
    known_call(trace, call.library, call.function).text.append(text, call.arguments, call.result, probe);
    if (probe) text += "  [probe]";
    text += call.injected ? "  [injected]\n" : "\n";
}

// An event that is no call: its head, and `rest`, the members that follow.
std::string other_event(const char* phase, const char* category, const std::string& name, std::int64_t row,
                        const std::string& rest) {
    detail::TextBuffer quoted;
    detail::append_json_text(quoted, name);
    return R"({"ph": ")" + std::string(phase) + R"(", "cat": ")" + category + R"(", "name": )" +
           std::string(quoted.view()) + R"(, "pid": )" + std::to_string(id_of_process()) + R"(, "tid": )" +
           std::to_string(row) + rest + "}";
}

std::string dimensions(const std::uint32_t* values) {
    return "[" + std::to_string(values[0]) + ", " + std::to_string(values[1]) + ", " + std::to_string(values[2]) + "]";
}

}  // namespace

namespace {

// Whether there is no file of that name any more: a former trace is removed, so that a process that still writes it
// keeps it for itself. A device, a pipe or a link stays.
bool replace_file(const std::string& name) {
    struct stat found {};
    if (lstat(name.c_str(), &found) != 0) {
        return errno == ENOENT;
    }
    return S_ISREG(found.st_mode) && found.st_nlink == 1 && unlink(name.c_str()) == 0;
}

}  // namespace

void start_trace(const std::string& path, const TraceOptions& options) {
    detail::write_last_kernel_times();  // of the trace before
    const std::string name = with_process_id(path);
    Trace trace;
    trace.mapped = replace_file(name);
    trace.file = open(name.c_str(), (trace.mapped ? O_RDWR | O_EXCL : O_WRONLY | O_TRUNC) | O_CREAT | O_CLOEXEC, 0666);
    if (trace.file < 0 && trace.mapped) {
        trace.mapped = false;
        trace.file = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    }
    if (trace.file < 0) {
        throw InvalidArgument("starting the trace of calls", name,
                              "the file cannot be written: " + std::generic_category().message(errno),
                              "give CUPRUM_TRACE or start_trace a path that this process may write");
    }
    trace.json = name.ends_with(".json");
    trace.seekable = lseek(trace.file, 0, SEEK_CUR) >= 0;
    trace.begin = detail::trace_time();
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

// With the lock held: `text` and then `ending`, which the next event is written over, at the end of the trace.
bool put(Trace& trace, std::string_view text, std::string_view ending) {
    const std::size_t size = text.size() + ending.size();
    if (!trace.mapped) {
        const std::string together = std::string(text) + std::string(trace.seekable ? ending : "");
        return write_all(trace, together, trace.end);
    }
    const bool fits =
        trace.window != nullptr && static_cast<std::size_t>(trace.end - trace.window_begin) + size <= trace.window_size;
    if (!fits && !open_window(trace, size)) {
        return false;
    }
    // The ending first, so that a reader finds whole JSON with the event or without it, whenever the process ends.
    char* const place = trace.window + (trace.end - trace.window_begin);
    std::memcpy(place + text.size(), ending.data(), ending.size());
    std::memcpy(place, text.data(), text.size());
    return true;
}

// With the lock held: appends what `event` adds to a text, in the trace's form.
template <class Event>
void append(State& current, const Event& event) {
    Trace& trace = current.trace;
    detail::TextBuffer& text = current.text;
    text.clear();
    if (trace.json) text += trace.empty ? "\n" : ",\n";
    event(text);
    // Together with the end of the array, over the former one: the file is complete after each call.
    if (!put(trace, text.view(), trace.json ? "\n]\n" : "")) {
        return close_trace(current);  // the disk is full: the calls go on
    }
    trace.end += static_cast<off_t>(text.size());
    trace.empty = false;
}

// Has `append_event` append to the trace that runs, with the lock held; not where that began after `start`.
template <class AppendEvent>
void write(Clock::time_point start, const AppendEvent& append_event) noexcept {
    State& current = state();
    try {
        const std::lock_guard lock(current.mutex);
        if (!current.running.load(std::memory_order_relaxed) || start < current.trace.begin) {
            return;  // another thread has stopped the trace, or begun another one, meanwhile
        }
        append_event(current);
    } catch (...) {
        // Out of memory: this event is not in the trace.
    }
}

std::string times(const Trace& trace, Clock::time_point start, Clock::time_point end) {
    return R"(, "ts": )" + microseconds(start - trace.begin) + R"(, "dur": )" + microseconds(end - start);
}

std::string line_of(const Trace& trace, Clock::time_point start, Clock::time_point end, const std::string& what) {
    return microseconds(start - trace.begin, 12) + " us  " + microseconds(end - start, 10) + " us  " + what + "\n";
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
            append(current, [&](TextBuffer& text) {
                text += other_event("M", "__metadata", "thread_name", place->second,
                                    R"(, "args": {"name": ")" + std::string(name) + R"("})");
            });
        }
    }
    return place->second;
}

}  // namespace

void write_kernel_to_trace(const FinishedKernel& kernel) noexcept {
    write(kernel.start, [&](State& current) {
        const Trace& trace = current.trace;
        const std::int64_t row = row_of(current, kernel.stream);
        append(current, [&](TextBuffer& text) {
            if (!trace.json) {
                text += line_of(trace, kernel.start, kernel.end, "device  " + kernel.name);
                return;
            }
            const std::string arguments = kernel.is_graph ? std::string("{}")
                                                          : R"({"grid": )" + dimensions(kernel.grid) +
                                                                R"(, "block": )" + dimensions(kernel.block) + "}";
            text += other_event("X", kernel.is_graph ? "graph" : "kernel", kernel.name, row,
                                times(trace, kernel.start, kernel.end) + R"(, "args": )" + arguments);
        });
    });
}

void write_range_to_trace(const std::string& name, Clock::time_point start, Clock::time_point end) noexcept {
    write(start, [&](State& current) {
        const Trace& trace = current.trace;
        append(current, [&](TextBuffer& text) {
            text += trace.json
                        ? other_event("X", "nvtx", name, thread_id(), times(trace, start, end))
                        : line_of(trace, start, end, "thread " + std::to_string(thread_id()) + "  range " + name);
        });
    });
}

void write_mark_to_trace(const std::string& name, Clock::time_point time) noexcept {
    write(time, [&](State& current) {
        const Trace& trace = current.trace;
        append(current, [&](TextBuffer& text) {
            text += trace.json ? other_event("i", "nvtx", name, thread_id(),
                                             R"(, "ts": )" + microseconds(time - trace.begin) + R"(, "s": "t")")
                               : line_of(trace, time, time, "thread " + std::to_string(thread_id()) + "  mark " + name);
        });
    });
}

void write_to_trace(const FinishedCall& call) noexcept {
    write(call.start, [&](State& current) {
        Trace& trace = current.trace;
        append(current, [&](TextBuffer& text) {
            trace.json ? append_chrome_event(text, trace, call) : append_text_line(text, trace, call);
        });
    });
}

}  // namespace detail

}  // namespace cuprum::bindings
