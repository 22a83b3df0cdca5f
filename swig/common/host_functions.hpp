// Functions of a language with a runtime of its own, which CUDA calls: they run as long as the runtime does, and no
// longer.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>

namespace cuprum_languages {

// That a host function is running, or one of a memory resource, and whether it may. In this order on both sides, so
// that either end() sees it running or it sees that it is the end.
class HostFunctionCall {
public:
    HostFunctionCall() noexcept : may_run_(begins()) {}
    ~HostFunctionCall() { running_.fetch_sub(1); }
    HostFunctionCall(const HostFunctionCall&) = delete;
    HostFunctionCall& operator=(const HostFunctionCall&) = delete;

    explicit operator bool() const noexcept { return may_run_; }

    // The runtime begins to exit: what comes from now on does not run. Waits for what is running, until `limit`.
    static void end(std::chrono::steady_clock::duration limit) {
        ended_.store(true);
        const auto until = std::chrono::steady_clock::now() + limit;
        const bool is_own = process_ == ::getpid();  // in a forked child none is running
        while (is_own && running_.load() != 0 && std::chrono::steady_clock::now() < until) {
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
    }

private:
    static bool begins() noexcept {
        running_.fetch_add(1);
        return !ended_.load();
    }

    static inline std::atomic<std::size_t> running_{0};
    static inline std::atomic<bool> ended_{false};
    static inline const pid_t process_ = ::getpid();
    bool may_run_;
};

// How long the end of a runtime waits for host functions that are running: one may never return.
constexpr std::chrono::milliseconds host_function_limit{500};

}  // namespace cuprum_languages
