#include "observation.hpp"

#include <cstdlib>
#include <memory>
#include <mutex>
#include <string_view>

#include "cuprum/bindings/trace.hpp"
#include "trace_time.hpp"

namespace cuprum::bindings::detail {

constinit std::atomic<bool> observed{true};

namespace {

struct Environment {
    std::once_flag once;
    std::atomic<bool> looked_at{false};
    std::unique_ptr<const InvalidArgument> refusal;
};

// Never destroyed: calls may come from threads that outlive main.
Environment& environment() {
    static Environment& instance = *new Environment;
    return instance;
}

void look_at_environment() {
    Environment& state = environment();
    if (state.looked_at.load(std::memory_order_acquire)) return;
    std::call_once(state.once, [&state] {
        try {
            if (const char* path = std::getenv("CUPRUM_TRACE"); path != nullptr && *path != '\0') {
                const char* kernels = std::getenv("CUPRUM_TRACE_KERNELS");
                start_trace(path, {.kernels = kernels != nullptr && std::string_view(kernels) == "1"});
            }
            if (const char* faults = std::getenv("CUPRUM_FAULT"); faults != nullptr && *faults != '\0') {
                arm_faults(faults);
            }
        } catch (const InvalidArgument& error) {
            state.refusal = std::make_unique<InvalidArgument>(error);
        }
        state.looked_at.store(true);
        update_observed();
    });
}

}  // namespace

void begin_trace_of_environment() noexcept {
    if (!observed.load(std::memory_order_relaxed)) return;
    try {
        look_at_environment();
    } catch (...) {
        // Out of memory: the next call tries again.
    }
}

void observe_as_environment_says() {
    look_at_environment();
    if (environment().refusal != nullptr) {
        throw InvalidArgument(*environment().refusal);
    }
}

// Without a lock, which a forked child might find taken: whoever stores last looks again after that.
void update_observed() noexcept {
    const auto answer = [] { return trace_is_running() || faults_are_armed() || !environment().looked_at.load(); };
    bool stored = answer();
    observed.store(stored);
    while (answer() != stored) {
        stored = !stored;
        observed.store(stored);
    }
}

Observation::Observation(const Library& library, const Function& function, const void* const* arguments) noexcept
    : library_(library), function_(function), arguments_(arguments) {
    try {
        look_at_environment();
    } catch (...) {
        return;  // out of memory: this call is made as if nobody had asked for anything
    }
    if (faults_are_armed()) {
        injected_ = count_for_faults(library, function);
    }
    traced_ = trace_is_running();
    if (traced_) {
        if (kernels_are_timed()) {
            before_other_call(library, function);
            launch_ = begin_timing(library, function, arguments);
        }
        start_ = trace_time();
    }
}

void Observation::finish(const void* result) noexcept {
    if (traced_) {
        write_to_trace({library_, function_, arguments_, result, injected_.has_value(), start_, trace_time()});
        if (launch_) {
            end_timing(launch_, *static_cast<const std::int32_t*>(result) == 0);
        } else if (kernels_are_timed()) {
            write_kernel_times(library_, function_);
        }
    }
}

}  // namespace cuprum::bindings::detail
