#include "host_function.hpp"

#include <cxxabi.h>

#include <memory>
#include <utility>

#include "context.hpp"
#include "cuprum/core/stream.hpp"
#include "driver_error.hpp"
#include "left_to_destroy.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

// One that was launched, until it has been called and destroyed.
struct HostFunction : LeftToDestroy {
    std::function<void()> function;
};

void CUDA_CB run_host_function(void* argument) {
    if (must_leak()) return;  // what it uses may be gone
    auto* const launched = static_cast<HostFunction*>(argument);
    call_host_function(launched->function);
    leave_to_destroy(launched);
}

}  // namespace

void call_host_function(const std::function<void()>& function) {
    try {
        function();
    } catch (const abi::__forced_unwind&) {
        throw;  // the thread is being ended
    } catch (...) {
        report_thrown("running a host function", "host function");
    }
}

void destroy_all_that_is_left() noexcept {
    LeftToDestroy* object = left_to_destroy.exchange(nullptr, std::memory_order_acquire);
    while (object != nullptr) {
        const std::unique_ptr<LeftToDestroy> owned(std::exchange(object, object->next));
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
            "give it to the graph builder as a callback, or launch it when the capture has ended");
    }
    destroy_what_is_left();
    auto launched = std::make_unique<HostFunction>();
    launched->function = std::move(function);
    const ContextScope scope(*this);
    check(driver::cuLaunchHostFunc(handle_, run_host_function, launched.get()), "cuLaunchHostFunc", launching, *this);
    // NOLINTNEXTLINE(bugprone-unused-return-value): run_host_function owns it now
    static_cast<void>(launched.release());
}

}  // namespace cuprum::core
