#include "host_function.hpp"

#include <cxxabi.h>

#include <memory>
#include <utility>

#include "context.hpp"
#include "cuprum/core/stream.hpp"
#include "driver_error.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

void call(const HostFunction& launched) {
    try {
        launched.function();
    } catch (const abi::__forced_unwind&) {
        throw;  // the thread is being ended
    } catch (...) {
        report_thrown("running a host function", "host function");
    }
}

void CUDA_CB run_host_function(void* argument) {
    if (must_leak()) return;  // what it uses may be gone
    auto* const launched = static_cast<HostFunction*>(argument);
    call(*launched);
    launched->next = called_host_functions.load(std::memory_order_relaxed);
    while (!called_host_functions.compare_exchange_weak(launched->next, launched, std::memory_order_release,
                                                        std::memory_order_relaxed)) {}
}

}  // namespace

void destroy_host_functions() noexcept {
    HostFunction* launched = called_host_functions.exchange(nullptr, std::memory_order_acquire);
    while (launched != nullptr) {
        const std::unique_ptr<HostFunction> owned(std::exchange(launched, launched->next));
    }
}

void StreamRef::launch_host_function(std::function<void()> function) const {
    constexpr const char* launching = "launching a host function";
    require_valid(*this, launching);
    if (!function) throw InvalidArgument(launching, describe(*this), "the function is empty", "give one to call");
    if (is_capturing()) {
        throw InvalidState(
            launching, describe(*this),
            "the stream's work is captured into a graph, which may call the function any number of times",
            "launch it when the capture has ended, or add a host node to the graph");
    }
    destroy_called_host_functions();
    auto launched = std::make_unique<HostFunction>();
    launched->function = std::move(function);
    const ContextScope scope(*this);
    check(driver::cuLaunchHostFunc(handle_, run_host_function, launched.get()), "cuLaunchHostFunc", launching, *this);
    // NOLINTNEXTLINE(bugprone-unused-return-value): run_host_function owns it now
    static_cast<void>(launched.release());
}

}  // namespace cuprum::core
