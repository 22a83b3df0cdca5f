#include "driver/graph/graph_failure.hpp"

#include <algorithm>
#include <cstring>

#include "driver/error/driver_error.hpp"

namespace cuprum::simulator::libcuda {

void require_instantiable(const Graph& graph, cuuint64_t flags, cuuint64_t allowed) {
    if ((flags & ~allowed) != 0) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("flags has bits that this call does not take: 0x%llx",
                                                           static_cast<unsigned long long>(flags & ~allowed)));
    }
    if ((flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0) {
        if ((flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              "a graph that kernels launch cannot free its memory when it is launched");
        }
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "the simulated device cannot launch graphs");
    }
    if (graph.capturing) throw DriverError(CUDA_ERROR_INVALID_VALUE, "a stream is capturing into the graph");
    if (graph.owned_by_node) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "the graph belongs to a node, and is executed with its graph");
    }
}

FailureReport::FailureReport(CUgraphNode* error_node, char* log_buffer, size_t log_size)
    : error_node_(error_node), log_buffer_(log_buffer), log_size_(log_size) {
    if (error_node_ != nullptr) *error_node_ = nullptr;
    if (log_buffer_ != nullptr && log_size_ > 0) *log_buffer_ = '\0';
}

void FailureReport::fill_and_throw(const GraphFailure& failure) const {
    if (error_node_ != nullptr && failure.node != nullptr) {
        *error_node_ = failure.node->graph->handle_of(*failure.node);
    }
    if (log_buffer_ != nullptr && log_size_ > 0) {
        const size_t length = std::min(failure.reason.size(), log_size_ - 1);
        std::memcpy(log_buffer_, failure.reason.data(), length);
        log_buffer_[length] = '\0';
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, failure.reason);
}

void update_execution(GraphExecution& execution, const Graph& graph, CUgraphExecUpdateResultInfo& info) {
    GraphFailure failure;
    const bool updated = execution.update(graph, failure);
    info.result = failure.update;
    if (updated) return;
    if (failure.node != nullptr) info.errorNode = failure.node->graph->handle_of(*failure.node);
    if (failure.from_node != nullptr) {
        info.errorFromNode = failure.from_node->graph->handle_of(*failure.from_node);
    }
    throw DriverError(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, failure.reason);
}

}  // namespace cuprum::simulator::libcuda
