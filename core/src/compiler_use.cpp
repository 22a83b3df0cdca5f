#include "compiler_use.hpp"

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstdlib>

#include "cuprum/core/error.hpp"

namespace cuprum::core {

namespace {

// Bit 31: the process exits. Below it: how many calls are under way.
constexpr uint32_t ended = 1U << 31U;
std::atomic<uint32_t> calls = 0;

void leave() noexcept {
    if (calls.fetch_sub(1) == ended + 1) calls.notify_all();
}

void end_compilers() {
    for (uint32_t seen = calls.fetch_or(ended) | ended; seen != ended; seen = calls.load())
        calls.wait(seen);
}

// After a call, when the library has registered its own handlers: ours then runs before them.
void watch_exit(Compiler compiler) noexcept {
    static std::array<std::atomic<bool>, 3> is_watching{};
    std::atomic<bool>& watching = is_watching[static_cast<size_t>(compiler)];
    if (watching.load(std::memory_order_relaxed) || watching.exchange(true)) return;
    std::atexit(&end_compilers);
    static const bool forks_are_watched = [] {
        // The threads that were in a call are not in the child.
        return pthread_atfork(nullptr, nullptr, [] { calls.fetch_and(ended); }) == 0;
    }();
    static_cast<void>(forks_are_watched);
}

}  // namespace

CompilerUse::CompilerUse(Compiler compiler, const char* operation, const std::string& object) : compiler_(compiler) {
    if ((calls.fetch_add(1) & ended) == 0) return;
    leave();
    throw InvalidState(operation, object, "the process is exiting, and CUDA's compilers have ended",
                       "compile and link before main returns or exit is called");
}

CompilerUse::~CompilerUse() {
    watch_exit(compiler_);
    leave();
}

bool compilers_have_ended() noexcept {
    return (calls.load() & ended) != 0;
}

}  // namespace cuprum::core
