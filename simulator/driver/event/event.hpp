// Events: points in the order of a stream.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "driver/process/cuda_api.hpp"
#include "driver/stream/stream.hpp"

namespace cuprum::simulator::libcuda {

class Context;
class SharedEvent;
struct StreamCapture;

// Thread-safe. Each recording makes a new Completion, so who waits for an earlier recording still waits for that one.
class Event {
public:
    // `shared`: what CU_EVENT_INTERPROCESS makes it have in common with other processes; else null.
    Event(std::shared_ptr<Context> context, unsigned int flags, std::shared_ptr<SharedEvent> shared = nullptr)
        : context_(std::move(context)), flags_(flags), shared_(std::move(shared)) {}

    const std::shared_ptr<Context>& context() const { return context_; }
    unsigned int flags() const { return flags_; }
    const std::shared_ptr<SharedEvent>& shared() const { return shared_; }
    bool has_timing() const { return (flags_ & CU_EVENT_DISABLE_TIMING) == 0; }

    // Puts the event behind what the stream, which must be of the same context, has been given so far.
    void record(const std::shared_ptr<Stream>& stream);
    // Puts the event behind what the context, which must be its own, has been given so far in all its streams.
    void record_context(const std::shared_ptr<GreenContext>& green = nullptr);
    // For a graph that is being launched, with what hold_recordings() gives: a recording whose time comes when the
    // graph's node runs.
    std::shared_ptr<Completion> begin_recording();
    // The last recording; null if there was none. What comes to it has been given to its stream, so that work which
    // waits for it cannot come before that in the same stream.
    std::shared_ptr<Completion> last() const;
    // While it lives, other threads neither record an event nor ask for a recording.
    static std::unique_lock<std::recursive_mutex> hold_recordings();

    // Set by a recording in a stream that captures: where in that capture it was. For capture.cpp, which guards it.
    std::shared_ptr<StreamCapture> captured;

private:
    std::shared_ptr<Completion> new_completion() const;

    const std::shared_ptr<Context> context_;
    const unsigned int flags_;
    const std::shared_ptr<SharedEvent> shared_;
    std::shared_ptr<Completion> last_;  // guarded by hold_recordings()
};

// Between the last recordings of two events; nothing while one has not happened. Throws DriverError for events that
// have no time in common.
std::optional<float> elapsed_milliseconds(const Event& first, const Event& last);

}  // namespace cuprum::simulator::libcuda
