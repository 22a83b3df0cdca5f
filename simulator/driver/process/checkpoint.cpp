#include "driver/process/checkpoint.hpp"

#include "driver/error/driver_error.hpp"
#include "driver/process/driver.hpp"
#include "driver/process/process_end.hpp"

namespace cuprum::simulator::libcuda {

namespace {

const char* state_name(CUprocessState state) {
    switch (state) {
        case CU_PROCESS_STATE_RUNNING:
            return "running";
        case CU_PROCESS_STATE_LOCKED:
            return "locked";
        case CU_PROCESS_STATE_CHECKPOINTED:
            return "checkpointed";
        default:
            return "failed";
    }
}

[[noreturn]] void refuse_state(CUprocessState state, CUprocessState wanted) {
    throw DriverError(CUDA_ERROR_ILLEGAL_STATE,
                      format("the process is %s; it must be %s", state_name(state), state_name(wanted)));
}

}  // namespace

Checkpoint& checkpoint() {
    static Checkpoint* const instance = new Checkpoint;
    return *instance;
}

CUprocessState Checkpoint::state() const {
    const std::lock_guard lock(mutex_);
    return state_;
}

void Checkpoint::set(CUprocessState state) {
    {
        const std::lock_guard lock(mutex_);
        state_ = state;
        driver().set_callable(state == CU_PROCESS_STATE_RUNNING);
    }
    running_.notify_all();
}

bool Checkpoint::lock(std::optional<std::chrono::milliseconds> limit) {
    constexpr std::chrono::hours year{24 * 365};
    const auto end = std::chrono::steady_clock::now() + limit.value_or(year);
    advance(CU_PROCESS_STATE_RUNNING, CU_PROCESS_STATE_LOCKED);
    if (wait_for_work_until(end)) return true;
    set(CU_PROCESS_STATE_RUNNING);
    return false;
}

void Checkpoint::advance(CUprocessState from, CUprocessState to) {
    if (const CUprocessState now = state(); now != from) refuse_state(now, from);
    set(to);
}

void Checkpoint::wait_until_running() const {
    std::unique_lock lock(mutex_);
    running_.wait(lock, [&] { return state_ == CU_PROCESS_STATE_RUNNING; });
}

}  // namespace cuprum::simulator::libcuda
