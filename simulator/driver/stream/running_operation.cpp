#include "driver/stream/running_operation.hpp"

#include <string>

#include "driver/stream/stream.hpp"

namespace cuprum::simulator::libcuda {

namespace {

StreamRaces* races_looked_for = nullptr;
thread_local std::pair<std::shared_ptr<StreamOperation>, const Stream*> run_by_thread;

std::string name_of_stream(const Stream& stream) {
    switch (stream.kind()) {
        case Stream::Kind::legacy_default:
            return "the legacy default stream";
        case Stream::Kind::per_thread_default:
            return "the per-thread default stream " + std::to_string(stream.identifier());
        default:
            return "stream " + std::to_string(stream.identifier());
    }
}

}  // namespace

StreamRaces* stream_races() {
    return races_looked_for;
}

void look_for_stream_races() {
    // Never destroyed: threads may use it until the process is gone.
    if (races_looked_for == nullptr) races_looked_for = new StreamRaces;
}

RunningOperation::RunningOperation(const SharedClock& before, const Stream* stream, uint64_t graph_run) {
    StreamRaces* const races = stream_races();
    if (races == nullptr) return;
    operation_ =
        std::make_shared<StreamOperation>(*races, before, StreamOperation::Place{name_of_stream(*stream), graph_run});
    outer_ = std::exchange(run_by_thread, {operation_, stream});
}

RunningOperation::~RunningOperation() {
    if (operation_ == nullptr) return;
    operation_->finish();
    run_by_thread = std::move(outer_);
}

SharedClock RunningOperation::after() const {
    return operation_ ? operation_->after() : nullptr;
}

const std::shared_ptr<StreamOperation>& RunningOperation::current() {
    return run_by_thread.first;
}

const Stream* RunningOperation::current_stream() {
    return run_by_thread.second;
}

void learn_order(const SharedClock& done) {
    if (done == nullptr) return;
    if (run_by_thread.first) {
        run_by_thread.first->hear(done);
    } else {
        stream_races()->host_learns(done);
    }
}

SharedClock known_order() {
    if (stream_races() == nullptr) return nullptr;
    return run_by_thread.first ? run_by_thread.first->after() : stream_races()->host();
}

void hear_host() {
    if (run_by_thread.first) run_by_thread.first->hear(stream_races()->host());
}

void tell_host() {
    if (run_by_thread.first) stream_races()->tell_host(*run_by_thread.first);
}

}  // namespace cuprum::simulator::libcuda
