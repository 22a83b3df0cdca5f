#include "observation.hpp"

#include <cstdlib>
#include <memory>
#include <mutex>

#include "cuprum/bindings/trace.hpp"

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
    std::call_once(state.once, [&state] {
        try {
            if (const char* path = std::getenv("CUPRUM_TRACE"); path != nullptr && *path != '\0') {
                start_trace(path);
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
        start_ = std::chrono::steady_clock::now();
    }
}

void Observation::finish(const void* result) noexcept {
    if (traced_) {
        write_to_trace(
            {library_, function_, arguments_, result, injected_.has_value(), start_, std::chrono::steady_clock::now()});
    }
}

}  // namespace cuprum::bindings::detail
