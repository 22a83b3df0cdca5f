#include "driver/event.hpp"

#include "driver/context.hpp"

namespace cuprum::simulator::libcuda {

void Event::record(const std::shared_ptr<Stream>& stream) {
    auto completion = std::make_shared<Completion>();
    // Recording and remembering are one step: of two threads, the later recording must be the one remembered.
    const std::lock_guard lock(mutex_);
    stream->context()->submit(stream, [completion] { completion->signal(); });
    last_ = std::move(completion);
}

std::shared_ptr<Completion> Event::begin_recording() {
    const std::lock_guard lock(mutex_);
    last_ = std::make_shared<Completion>();
    return last_;
}

std::shared_ptr<Completion> Event::last() const {
    const std::lock_guard lock(mutex_);
    return last_;
}

}  // namespace cuprum::simulator::libcuda
