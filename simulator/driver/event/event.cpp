#include "driver/event/event.hpp"

#include "driver/context/context.hpp"
#include "driver/error/driver_error.hpp"
#include "driver/event/shared_event.hpp"
#include "driver/graph/capture.hpp"

namespace cuprum::simulator::libcuda {

// One for all events: a graph's launch records several at once.
std::unique_lock<std::recursive_mutex> Event::hold_recordings() {
    static auto& mutex = *new std::recursive_mutex;
    return std::unique_lock(mutex);
}

void Event::record(const std::shared_ptr<Stream>& stream) {
    // Recording and remembering are one step: of two threads, the later recording must be the one remembered.
    const auto lock = hold_recordings();
    std::shared_ptr<Completion> completion = new_completion();
    stream->context()->submit(stream, [completion] { completion->signal(); });
    last_ = std::move(completion);
}

void Event::record_context(const std::shared_ptr<GreenContext>& green) {
    const auto lock = hold_recordings();
    std::shared_ptr<Completion> completion = new_completion();
    context_->submit_behind_all([completion] { completion->signal(); }, green);
    last_ = std::move(completion);
}

std::shared_ptr<Completion> Event::begin_recording() {
    const auto lock = hold_recordings();
    last_ = new_completion();
    return last_;
}

std::shared_ptr<Completion> Event::last() const {
    const auto lock = hold_recordings();
    if (shared_) {
        const uint32_t recording = shared_->last_recording();
        return recording == 0 ? nullptr : std::make_shared<Completion>(shared_, recording);
    }
    return last_;
}

std::shared_ptr<Completion> Event::new_completion() const {
    return shared_ ? std::make_shared<Completion>(shared_, shared_->begin_recording()) : std::make_shared<Completion>();
}

std::optional<float> elapsed_milliseconds(const Event& first, const Event& last) {
    if (first.context() != last.context()) {
        throw DriverError(CUDA_ERROR_INVALID_HANDLE, "the events belong to different contexts");
    }
    if (!first.has_timing() || !last.has_timing()) {
        throw DriverError(CUDA_ERROR_INVALID_HANDLE, "an event was created with CU_EVENT_DISABLE_TIMING");
    }
    refuse_captured_event(first, false);
    refuse_captured_event(last, false);
    const std::shared_ptr<Completion> from = first.last();
    const std::shared_ptr<Completion> to = last.last();
    if (!from || !to) {
        throw DriverError(CUDA_ERROR_INVALID_HANDLE, "an event has not been recorded");
    }
    if (!from->ready() || !to->ready()) return std::nullopt;
    from->pass();
    to->pass();
    return std::chrono::duration<float, std::milli>(to->time() - from->time()).count();
}

}  // namespace cuprum::simulator::libcuda
