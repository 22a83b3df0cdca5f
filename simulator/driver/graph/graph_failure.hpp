// Why a graph could not be instantiated or updated, as the driver reports it.
#pragma once

#include "driver/graph/graph_execution.hpp"

namespace cuprum::simulator::libcuda {

// Throws DriverError for a graph that can have no executable one, and for flags that are not allowed.
void require_instantiable(const Graph& graph, cuuint64_t flags, cuuint64_t allowed);

// Where a program wants to be told; each may be null, and is cleared first.
class FailureReport {
public:
    explicit FailureReport(CUgraphNode* error_node, char* log_buffer = nullptr, size_t log_size = 0);
    [[noreturn]] void fill_and_throw(const GraphFailure& failure) const;

private:
    CUgraphNode* const error_node_;
    char* const log_buffer_;
    const size_t log_size_;
};

// Throws CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, and says in `info` why, if the graphs differ in more than an update may
// change.
void update_execution(GraphExecution& execution, const Graph& graph, CUgraphExecUpdateResultInfo& info);

}  // namespace cuprum::simulator::libcuda
