// C# functions in graphs: called in every launch, and let go of when no graph has them any more.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "graph_nodes.hpp"
#include "host_function.hpp"

namespace cuprum_csharp {

// Functions that no graph has any more: the runtime frees them when it adds the next, on a thread of its own.
class ReleasedFunctions {
public:
    static void add(uint64_t function) noexcept {
        const std::lock_guard lock(mutex());
        try {
            all().push_back(function);
        } catch (const std::bad_alloc&) {
            // The runtime keeps it for good.
        }
    }
    // One of them, or 0.
    static uint64_t take() noexcept {
        const std::lock_guard lock(mutex());
        if (all().empty()) return 0;
        const uint64_t function = all().back();
        all().pop_back();
        return function;
    }

private:
    static std::mutex& mutex() {
        static auto* const the_mutex = new std::mutex;
        return *the_mutex;
    }
    static std::vector<uint64_t>& all() {
        static auto* const functions = new std::vector<uint64_t>;
        return *functions;
    }
};

struct GraphFunction {
    HostFunctionQueue& queue;
    uint64_t function;
};

inline void run_graph_function(void* argument) {
    const auto* const given = static_cast<const GraphFunction*>(argument);
    try {
        given->queue.run(std::make_shared<HostFunction>(given->queue, given->function));
    } catch (const std::bad_alloc&) {
        // Nobody could be told on this thread.
    }
}

inline void release_graph_function(void* argument) {
    const std::unique_ptr<GraphFunction> given(static_cast<GraphFunction*>(argument));
    ReleasedFunctions::add(given->function);
}

inline cuprum_status give_graph_function(uint64_t* node_out, int32_t call,
                                         const cuprum_languages::GraphNodePlace& place, HostFunctionQueue& queue,
                                         uint64_t function) {
    std::unique_ptr<GraphFunction> given(new (std::nothrow) GraphFunction{queue, function});
    if (given == nullptr) return CUPRUM_ERROR_OUT_OF_MEMORY;
    *node_out = 0;
    const cuprum_status status =
        cuprum_languages::call_callback(node_out, call, place, run_graph_function, release_graph_function, given.get());
    if (status == CUPRUM_SUCCESS) static_cast<void>(given.release());  // release_graph_function's
    return status;
}

}  // namespace cuprum_csharp
