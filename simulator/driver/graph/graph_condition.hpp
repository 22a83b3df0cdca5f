// The conditions that conditional nodes of graphs read and kernels set.
#pragma once

#include <cstdint>
#include <memory>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

class Context;
class Graph;
class GraphExecution;

// What cuGraphConditionalHandleCreate makes: four bytes of device memory, at an address that is the handle. It lives as
// long as a graph, a node or a launch that refers to it.
class GraphCondition {
public:
    // Throws DriverError(CUDA_ERROR_OUT_OF_MEMORY).
    GraphCondition(std::shared_ptr<Context> context, uint32_t default_value, bool assigned_at_launch);
    ~GraphCondition();
    GraphCondition(const GraphCondition&) = delete;
    GraphCondition& operator=(const GraphCondition&) = delete;

    CUgraphConditionalHandle handle() const { return address_; }
    const std::shared_ptr<Context>& context() const { return context_; }
    uint32_t value() const;
    // At the beginning of a launch: the default value, if it was created with CU_GRAPH_COND_ASSIGN_DEFAULT.
    void begin_launch() const;

    // Whether a conditional node has it, and the one executable graph that may. graph_mutex() guards both.
    bool used = false;
    std::weak_ptr<GraphExecution> execution;

private:
    uint32_t* bytes() const;

    const std::shared_ptr<Context> context_;
    const uint32_t default_value_;
    const bool assigned_at_launch_;
    uint64_t address_ = 0;
};

// A condition of a graph's own. graph_mutex() is held.
std::shared_ptr<GraphCondition> add_condition(Graph& graph, const std::shared_ptr<Context>& context,
                                              unsigned int default_value, bool assigns_default);

}  // namespace cuprum::simulator::libcuda
