// Stream.LaunchHostFunction: C# functions that CUDA calls.
//
// They run on a thread of the runtime's own, for which the driver's thread waits: a runtime that stops all threads for
// its garbage collector, by signals as Mono does, would wait in vain for one of the driver's, which may block them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <new>

#include "cuprum/cuprum.h"

namespace cuprum_csharp {

class HostFunctionQueue;

struct HostFunction {
    HostFunction(HostFunctionQueue& its_queue, uint64_t number) : queue(its_queue), function(number) {}
    HostFunctionQueue& queue;
    uint64_t function;  // a GCHandle
    bool is_done = false;
};

// The functions that streams have come to, for a thread of the runtime's to call one after the other. One for each
// application domain, and never destroyed: threads of the driver may use it until the process is gone.
class HostFunctionQueue {
public:
    // On a thread of the driver's. Returns when the function has been called, or when the domain ends.
    void run(const std::shared_ptr<HostFunction>& function) {
        std::unique_lock lock(mutex_);
        if (has_ended_) return;
        waiting_.push_back(function);
        changed_.notify_all();
        changed_.wait(lock, [&] { return function->is_done || has_ended_; });
    }
    // On the runtime's thread: the one before is done, and the next is given out; 0 when the domain ends.
    uint64_t next() {
        std::unique_lock lock(mutex_);
        if (current_) current_->is_done = true;
        current_.reset();
        changed_.notify_all();
        changed_.wait(lock, [&] { return !waiting_.empty() || has_ended_; });
        if (has_ended_) return 0;
        current_ = waiting_.front();
        waiting_.pop_front();
        return current_->function;
    }
    // The domain is unloaded, or the runtime exits: nobody is kept waiting any more.
    void end() {
        const std::lock_guard lock(mutex_);
        has_ended_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::shared_ptr<HostFunction>> waiting_;
    std::shared_ptr<HostFunction> current_;
    bool has_ended_ = false;
};

inline void run_host_function(void* argument) {
    const std::unique_ptr<std::shared_ptr<HostFunction>> launched(
        static_cast<std::shared_ptr<HostFunction>*>(argument));
    (*launched)->queue.run(*launched);
}

inline cuprum_status launch_host_function(cuprum_stream stream, HostFunctionQueue& queue, uint64_t function) {
    try {
        auto launched =
            std::make_unique<std::shared_ptr<HostFunction>>(std::make_shared<HostFunction>(queue, function));
        const cuprum_status status = cuprum_stream_launch_host_function(stream, run_host_function, launched.get());
        if (status == CUPRUM_SUCCESS) static_cast<void>(launched.release());  // run_host_function's
        return status;
    } catch (const std::bad_alloc&) {
        return CUPRUM_ERROR_OUT_OF_MEMORY;
    }
}

}  // namespace cuprum_csharp
