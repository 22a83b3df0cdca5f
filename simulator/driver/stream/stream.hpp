// Streams: queues of work that run in the background.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "driver/process/cuda_api.hpp"
#include "driver/stream/running_operation.hpp"

namespace cuprum::simulator::libcuda {

class Context;
class GreenContext;
class SharedEvent;
class Stream;
struct StreamCapture;

// Work that must have finished before other work may start.
struct Dependency {
    std::shared_ptr<Stream> stream;
    uint64_t ticket = 0;
};

struct Work {
    std::function<void()> run;
    std::vector<Dependency> after;
    SharedClock known = nullptr;  // what has happened before, besides
};

// A queue whose work runs in order, on a thread borrowed from the executor while there is any. Thread-safe.
class Stream : public std::enable_shared_from_this<Stream> {
public:
    enum class Kind { legacy_default, per_thread_default, blocking, non_blocking };

    // `green`: null, or what the stream was made in.
    Stream(std::shared_ptr<Context> context, Kind kind, int priority, std::shared_ptr<GreenContext> green = nullptr);

    Kind kind() const { return kind_; }
    int priority() const { return priority_; }
    uint64_t identifier() const { return identifier_; }
    const std::shared_ptr<Context>& context() const { return context_; }
    const std::shared_ptr<GreenContext>& green() const { return green_; }
    // As cuStreamGetFlags reports them.
    unsigned int flags() const { return kind_ == Kind::non_blocking ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT; }
    // Whether the legacy default stream waits for this one, and this one for it.
    bool follows_legacy_default() const { return kind_ == Kind::blocking || kind_ == Kind::per_thread_default; }

    // Called by Context::submit alone, which knows what the work must wait for. Returns the work's ticket; tickets of
    // a stream count up from 1.
    uint64_t enqueue(Work work);
    uint64_t last_ticket() const { return submitted_.load(std::memory_order_acquire); }
    bool finished(uint64_t ticket) const { return completed_.load(std::memory_order_acquire) >= ticket; }
    bool idle() const { return finished(last_ticket()); }
    // What has happened before who waits for all that is finished.
    SharedClock order() const;
    void wait(uint64_t ticket) const;
    // False if the work has not finished by then.
    bool wait_until(uint64_t ticket, std::chrono::steady_clock::time_point end) const;

    // No handle refers to it any more: the context forgets it once it is idle.
    void abandon() { abandoned_.store(true, std::memory_order_release); }
    bool abandoned() const { return abandoned_.load(std::memory_order_acquire); }

    // What cuStreamSetAttribute sets, and has no effect but to be reported.
    void set_attribute(CUstreamAttrID attribute, const CUstreamAttrValue& value);
    CUstreamAttrValue attribute(CUstreamAttrID attribute) const;
    void copy_attributes(const Stream& from);

    // Runs what is queued; for the executor's threads.
    void drain();

    // What it captures instead of running it; null if it does not capture. For capture.cpp, which guards it.
    std::shared_ptr<StreamCapture> capture;

private:
    // Before each piece of work, where a seed asks for it.
    void put_off(uint64_t position);

    const std::shared_ptr<Context> context_;
    const std::shared_ptr<GreenContext> green_;
    const Kind kind_;
    const int priority_;
    const uint64_t identifier_;

    mutable std::mutex mutex_;
    mutable std::condition_variable progressed_;
    mutable std::condition_variable hurried_;  // somebody waits for it
    mutable uint32_t waiters_ = 0;
    std::deque<Work> queue_;
    SharedClock order_;
    std::map<CUstreamAttrID, CUstreamAttrValue> attributes_;
    bool running_ = false;
    std::atomic<uint64_t> submitted_{0};
    std::atomic<uint64_t> completed_{0};
    std::atomic<bool> abandoned_{false};
};

// Whether the calling thread is running a host function or callback of a stream, where CUDA forbids calls to itself.
bool inside_host_function();

// Calls a program's function with inside_host_function() true; not while the process ends.
void call_host_function(const std::function<void()>& function);

// A point in time that has come or not: what an event records.
class Completion {
public:
    Completion() = default;
    // A recording of an event that processes share, which any of them may signal.
    Completion(std::shared_ptr<SharedEvent> shared, uint32_t recording)
        : shared_(std::move(shared)), recording_(recording) {}

    void signal();
    bool ready() const;
    void wait() const;
    // The caller has found it ready and goes on, as if it had waited.
    void pass() const;
    // Valid once ready.
    std::chrono::steady_clock::time_point time() const { return time_; }

private:
    const std::shared_ptr<SharedEvent> shared_;
    const uint32_t recording_ = 0;
    std::chrono::steady_clock::time_point time_;
    SharedClock order_;  // what had happened before
    mutable std::mutex mutex_;
    mutable std::condition_variable signalled_;
    std::atomic<uint32_t> done_{0};
};

}  // namespace cuprum::simulator::libcuda
