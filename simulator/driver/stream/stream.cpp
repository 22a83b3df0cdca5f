#include "driver/stream/stream.hpp"

#include <utility>

#include "driver/context/context.hpp"
#include "driver/event/shared_event.hpp"
#include "driver/process/process_end.hpp"
#include "driver/stream/executor.hpp"
#include "driver/stream/relax.hpp"

namespace cuprum::simulator::libcuda {

namespace {

std::atomic<uint64_t> next_stream_identifier{1};
thread_local bool host_function_running = false;

}  // namespace

bool inside_host_function() {
    return host_function_running;
}

void call_host_function(const std::function<void()>& function) {
    if (process_is_ending()) return;
    host_function_running = true;
    tell_host();
    function();
    hear_host();
    host_function_running = false;
}

Stream::Stream(std::shared_ptr<Context> context, Kind kind, int priority, std::shared_ptr<GreenContext> green)
    : context_(std::move(context)),
      green_(std::move(green)),
      kind_(kind),
      priority_(priority),
      identifier_(next_stream_identifier++) {}

uint64_t Stream::enqueue(Work work) {
    bool start = false;
    uint64_t ticket = 0;
    {
        const std::lock_guard lock(mutex_);
        queue_.push_back(std::move(work));
        ticket = submitted_.load(std::memory_order_relaxed) + 1;
        submitted_.store(ticket, std::memory_order_release);
        start = !std::exchange(running_, true);
    }
    if (start) executor().start([self = shared_from_this()] { self->drain(); });
    return ticket;
}

void Stream::drain() {
    std::unique_lock lock(mutex_);
    uint64_t position = completed_.load(std::memory_order_relaxed);
    while (!queue_.empty()) {
        SharedClock order = order_;
        // What the work holds is released before it counts as finished, and outside the lock.
        {
            Work work = std::move(queue_.front());
            queue_.pop_front();
            lock.unlock();
            order = join(order, work.known);
            for (const Dependency& dependency : work.after) {
                dependency.stream->wait(dependency.ticket);
                order = join(order, dependency.stream->order());
            }
            put_off(++position);
            const RunningOperation running(order, this);
            work.run();
            order = running.after();
        }
        lock.lock();
        order_ = std::move(order);
        completed_.fetch_add(1, std::memory_order_release);
        if (waiters_ > 0) progressed_.notify_all();
    }
    running_ = false;
}

void Stream::put_off(uint64_t position) {
    bool held = false;
    const std::chrono::microseconds pause =
        executor().draw_pause({Executor::Place::Kind::stream, identifier_, position}, &held);
    if (pause.count() == 0) return;
    std::unique_lock lock(mutex_);
    hurried_.wait_for(lock, pause, [&] { return held && waiters_ > 0; });
}

void Stream::wait(uint64_t ticket) const {
    if (look_for_a_while([&] { return finished(ticket); })) return;
    std::unique_lock lock(mutex_);
    ++waiters_;
    hurried_.notify_all();
    progressed_.wait(lock, [&] { return finished(ticket); });
    --waiters_;
}

bool Stream::wait_until(uint64_t ticket, std::chrono::steady_clock::time_point end) const {
    std::unique_lock lock(mutex_);
    ++waiters_;
    hurried_.notify_all();
    const bool reached = progressed_.wait_until(lock, end, [&] { return finished(ticket); });
    --waiters_;
    return reached;
}

SharedClock Stream::order() const {
    const std::lock_guard lock(mutex_);
    return order_;
}

void Stream::set_attribute(CUstreamAttrID attribute, const CUstreamAttrValue& value) {
    const std::lock_guard lock(mutex_);
    attributes_[attribute] = value;
}

CUstreamAttrValue Stream::attribute(CUstreamAttrID attribute) const {
    const std::lock_guard lock(mutex_);
    const auto found = attributes_.find(attribute);
    if (found != attributes_.end()) return found->second;
    CUstreamAttrValue value{};
    if (attribute == CU_STREAM_ATTRIBUTE_PRIORITY) value.priority = priority_;
    if (attribute == CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY) value.syncPolicy = CU_SYNC_POLICY_AUTO;
    if (attribute == CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP) value.memSyncDomainMap = {0, 1};
    return value;
}

void Stream::copy_attributes(const Stream& from) {
    std::map<CUstreamAttrID, CUstreamAttrValue> copied;
    {
        const std::lock_guard lock(from.mutex_);
        copied = from.attributes_;
    }
    const std::lock_guard lock(mutex_);
    attributes_ = std::move(copied);
}

void Completion::signal() {
    const std::lock_guard lock(mutex_);
    time_ = std::chrono::steady_clock::now();
    if (RunningOperation::current()) order_ = known_order();
    if (shared_) tell_host();  // another process may pass it on
    done_.store(1, std::memory_order_release);
    signalled_.notify_all();
    if (shared_) shared_->complete(recording_);
}

bool Completion::ready() const {
    return done_.load(std::memory_order_acquire) != 0 || (shared_ && shared_->completed(recording_));
}

void Completion::wait() const {
    if (!look_for_a_while([&] { return ready(); })) {
        if (shared_) {
            shared_->wait(recording_);
        } else {
            std::unique_lock lock(mutex_);
            signalled_.wait(lock, [&] { return ready(); });
        }
    }
    pass();
}

void Completion::pass() const {
    if (shared_) {
        hear_host();
        return;
    }
    const std::lock_guard lock(mutex_);
    learn_order(order_);
}

}  // namespace cuprum::simulator::libcuda
