#include "cuprum/core/compile_batch.hpp"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "cuprum/core/error.hpp"
#include "cuprum/core/live_objects.hpp"

namespace cuprum::core {

namespace {

constexpr const char* compiling_programs = "compiling several programs";

// What is wrong with several compiles, as one error.
struct Failures {
    std::string names;
    std::string details;
    std::string log;
    std::optional<ErrorInfo> compile_error;
    std::optional<ErrorInfo> other;

    void add(const std::string& name, const std::exception_ptr& error) {
        names += (names.empty() ? "" : ", ") + name;
        try {
            std::rethrow_exception(error);
        } catch (const CompileError& failure) {
            if (!compile_error) compile_error = failure.info();
            log += name + ":\n" + failure.log() + (failure.log().ends_with('\n') ? "" : "\n");
        } catch (const Error& failure) {
            if (!other) other = failure.info();
            details += "\n" + name + ": " + failure.what();
        } catch (const std::exception& failure) {
            details += "\n" + name + ": " + failure.what();
        }
    }
};

}  // namespace

struct CompileBatch::Compile {
    enum class Phase { waiting, running, done, cancelled };

    CompileRequest request;
    Phase phase = Phase::waiting;
    // From here on: written by the thread that runs it, and read once it is done.
    ObjectCode code{};
    std::exception_ptr error{};
    std::string log{};
    bool from_cache = false;

    // "program 2 'saxpy.cu'"
    std::string describe(uint64_t index) const {
        return "program " + std::to_string(index) + " '" + request.program.options().name + "'";
    }

    void run() noexcept {
        try {
            code = request.program.compile(request.target, request.name_expressions);
            log = Program::last_log();
            from_cache = Program::last_from_cache();
        } catch (const CompileError& failure) {
            error = std::current_exception();
            log = failure.log();
        } catch (...) {
            error = std::current_exception();
        }
    }
};

struct CompileBatch::State {
    detail::Alive<ObjectKind::compile_batch> alive;
    std::mutex mutex;
    std::condition_variable added;
    std::condition_variable finished;
    std::vector<std::unique_ptr<Compile>> compiles;  // which stay where they are
    std::deque<uint64_t> waiting;
    std::deque<uint64_t> not_given;  // done, and not given by next()
    uint64_t given = 0;
    uint64_t running = 0;
    uint64_t idle = 0;
    bool is_ending = false;
    std::vector<std::thread> threads;
    uint64_t most_threads = 1;
    const pid_t process = getpid();

    void work() {
        std::unique_lock lock(mutex);
        while (true) {
            ++idle;
            added.wait(lock, [this] { return is_ending || !waiting.empty(); });
            --idle;
            if (is_ending) return;
            const uint64_t index = waiting.front();
            waiting.pop_front();
            Compile& compile = *compiles[index];
            compile.phase = Compile::Phase::running;
            ++running;
            lock.unlock();
            compile.run();
            lock.lock();
            --running;
            compile.phase = Compile::Phase::done;
            not_given.push_back(index);
            finished.notify_all();
        }
    }

    // With the mutex. One thread at least, or OutOfMemory.
    void provide_thread() {
        if (waiting.size() <= idle || threads.size() >= most_threads) return;
        try {
            threads.emplace_back([this] { work(); });
        } catch (const std::system_error& error) {
            if (!threads.empty()) return;
            ErrorInfo info;
            info.status = Status::out_of_memory;
            info.operation = "starting a thread to compile on";
            info.detail = error.what();
            info.advice = "let fewer threads run, or raise the limit of this process";
            throw OutOfMemory(std::move(info));
        }
    }

    // With the mutex.
    void drop_waiting() {
        for (const uint64_t index : waiting)
            compiles[index]->phase = Compile::Phase::cancelled;
        waiting.clear();
        finished.notify_all();
    }
};

void CompileBatch::End::operator()(State* state) const {
    if (state->process != getpid()) return;  // a forked child: it leaks
    {
        const std::lock_guard lock(state->mutex);
        state->drop_waiting();
        state->is_ending = true;
    }
    state->added.notify_all();
    for (std::thread& thread : state->threads)
        thread.join();
    delete state;
}

// In a forked child a mutex may be locked for ever, and nobody compiles.
CompileBatch::State& CompileBatch::state() const {
    if (state_ == nullptr) throw InvalidState(compiling_programs, "compile batch", "it was moved from");
    if (state_->process != getpid()) {
        throw InvalidState(compiling_programs, "compile batch",
                           "it was made before this process was forked off, and its threads are the parent's",
                           "make one in the child");
    }
    return *state_;
}

CompileBatch::CompileBatch(uint32_t num_threads) : state_(new State) {
    state_->most_threads = num_threads != 0 ? num_threads : std::max(1U, std::thread::hardware_concurrency());
}

uint64_t CompileBatch::add(CompileRequest request) {
    State& state = this->state();
    auto compile = std::make_unique<Compile>(Compile{std::move(request)});
    const std::lock_guard lock(state.mutex);
    const uint64_t index = state.compiles.size();
    state.compiles.push_back(std::move(compile));
    state.waiting.push_back(index);
    try {
        state.provide_thread();
    } catch (...) {
        state.waiting.pop_back();
        state.compiles.pop_back();
        throw;
    }
    state.added.notify_one();
    return index;
}

std::optional<CompileProgress> CompileBatch::next() {
    State& state = this->state();
    std::unique_lock lock(state.mutex);
    state.finished.wait(lock,
                        [&state] { return !state.not_given.empty() || (state.running == 0 && state.waiting.empty()); });
    if (state.not_given.empty()) return std::nullopt;
    const uint64_t index = state.not_given.front();
    state.not_given.pop_front();
    const Compile& compile = *state.compiles[index];
    return CompileProgress{index,
                           ++state.given,
                           state.compiles.size(),
                           compile.request.program.options().name,
                           compile.error == nullptr,
                           compile.from_cache,
                           compile.log,
                           compile.error};
}

ObjectCode CompileBatch::result(uint64_t index) const {
    State& state = this->state();
    std::unique_lock lock(state.mutex);
    if (index >= state.compiles.size()) {
        throw InvalidArgument(compiling_programs, "program " + std::to_string(index),
                              "there are " + std::to_string(state.compiles.size()) + " programs, counted from 0");
    }
    const Compile& compile = *state.compiles[index];
    state.finished.wait(
        lock, [&] { return compile.phase == Compile::Phase::done || compile.phase == Compile::Phase::cancelled; });
    if (compile.phase == Compile::Phase::cancelled) {
        throw InvalidState(compiling_programs, compile.describe(index), "it was cancelled before it had begun");
    }
    if (compile.error != nullptr) std::rethrow_exception(compile.error);
    return compile.code;
}

void CompileBatch::require_success() const {
    State& state = this->state();
    Failures failures;
    uint64_t failed = 0, total = 0;
    {
        const std::lock_guard lock(state.mutex);
        total = state.compiles.size();
        for (uint64_t index = 0; index < total; ++index) {
            const Compile& compile = *state.compiles[index];
            if (compile.phase != Compile::Phase::done || compile.error == nullptr) continue;
            ++failed;
            failures.add(compile.describe(index), compile.error);
        }
    }
    if (failed == 0) return;
    ErrorInfo info = failures.compile_error ? *failures.compile_error : failures.other.value_or(ErrorInfo{});
    info.operation = compiling_programs;
    info.object = std::to_string(failed) + " of " + std::to_string(total);
    info.detail = failures.names + (failed == 1 ? " fails" : " fail") + failures.details;
    if (!failures.compile_error) info.advice.clear();  // each of the details has its own
    if (failures.compile_error) throw CompileError(std::move(info), {std::move(failures.log), {}, {}});
    throw_error(std::move(info));
}

void CompileBatch::cancel() {
    State& state = this->state();
    const std::lock_guard lock(state.mutex);
    state.drop_waiting();
}

std::vector<ObjectCode> compile_all(std::span<const CompileRequest> requests, const CompileAllOptions& options) {
    CompileBatch batch(options.num_threads);
    for (const CompileRequest& request : requests)
        batch.add(request);
    while (const std::optional<CompileProgress> progress = batch.next()) {
        if (options.progress) options.progress(*progress);
    }
    batch.require_success();
    std::vector<ObjectCode> codes;
    codes.reserve(requests.size());
    for (uint64_t index = 0; index < requests.size(); ++index)
        codes.push_back(batch.result(index));
    return codes;
}

}  // namespace cuprum::core
