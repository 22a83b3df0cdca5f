// The order of work in streams and graphs, for CUPRUM_SIM=check=races.
#pragma once

#include <memory>
#include <utility>

#include "engine/checks/stream_races.hpp"

namespace cuprum::simulator::libcuda {

class Stream;

// Null unless races are looked for.
StreamRaces* stream_races();
// From now on they are. To be called before there is any work.
void look_for_stream_races();

// What the calling thread runs of a stream or a graph, as long as this object lives; empty where nobody looks for
// races.
class RunningOperation {
public:
    // `before`: what the work had to wait for.
    RunningOperation(const SharedClock& before, const Stream* stream, uint64_t graph_run = 0);
    ~RunningOperation();
    RunningOperation(const RunningOperation&) = delete;
    RunningOperation& operator=(const RunningOperation&) = delete;

    // What those know who wait for it.
    SharedClock after() const;
    // Of the calling thread; null: it runs none.
    static const std::shared_ptr<StreamOperation>& current();
    // Of the calling thread's operation; null: it runs none.
    static const Stream* current_stream();

private:
    std::shared_ptr<StreamOperation> operation_;
    std::pair<std::shared_ptr<StreamOperation>, const Stream*> outer_;
};

// The calling thread has seen that all of this is done: it knows of it from now on, and what it submits.
void learn_order(const SharedClock& done);
// What the calling thread knows, and what it runs.
SharedClock known_order();
// At semaphores, events and memory between processes, and host functions: the operation that the calling thread runs
// comes after all that the host knows to be done (hear_host), or the host comes after all that the operation knows
// (tell_host).
void hear_host();
void tell_host();

}  // namespace cuprum::simulator::libcuda
