// The nodes of graphs that signal external semaphores or wait for them.
#include "driver/graph/entry_graph_parameters.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

extern "C" {

CUresult CUDAAPI cuGraphAddExternalSemaphoresSignalNode(CUgraphNode* node, CUgraph graph,
                                                        const CUgraphNode* dependencies, size_t count,
                                                        const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* parameters) {
    return add_node("cuGraphAddExternalSemaphoresSignalNode", node, graph, dependencies, nullptr, count,
                    [&](const Graph&) { return semaphore_signal_operation(required(parameters)); });
}

CUresult CUDAAPI cuGraphAddExternalSemaphoresWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                                      size_t count, const CUDA_EXT_SEM_WAIT_NODE_PARAMS* parameters) {
    return add_node("cuGraphAddExternalSemaphoresWaitNode", node, graph, dependencies, nullptr, count,
                    [&](const Graph&) { return semaphore_wait_operation(required(parameters)); });
}

// What the parameters point to is the node's.
CUresult CUDAAPI cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode node,
                                                              CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* parameters) {
    return get_parameters<SemaphoreSignalOperation>(
        "cuGraphExternalSemaphoresSignalNodeGetParams", node, parameters,
        [](SemaphoreSignalOperation& signal, auto& out) {
            out = {signal.signals.handles.data(), signal.signals.parameters.data(),
                   static_cast<unsigned int>(signal.signals.handles.size())};
        });
}

CUresult CUDAAPI cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode node,
                                                            CUDA_EXT_SEM_WAIT_NODE_PARAMS* parameters) {
    return get_parameters<SemaphoreWaitOperation>("cuGraphExternalSemaphoresWaitNodeGetParams", node, parameters,
                                                  [](SemaphoreWaitOperation& wait, auto& out) {
                                                      out = {wait.waits.handles.data(), wait.waits.parameters.data(),
                                                             static_cast<unsigned int>(wait.waits.handles.size())};
                                                  });
}

CUresult CUDAAPI cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode node,
                                                              const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* parameters) {
    return set_parameters<SemaphoreSignalOperation>(
        "cuGraphExternalSemaphoresSignalNodeSetParams", node,
        [&](const SemaphoreSignalOperation&) { return semaphore_signal_operation(required(parameters)); });
}

CUresult CUDAAPI cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode node,
                                                            const CUDA_EXT_SEM_WAIT_NODE_PARAMS* parameters) {
    return set_parameters<SemaphoreWaitOperation>(
        "cuGraphExternalSemaphoresWaitNodeSetParams", node,
        [&](const SemaphoreWaitOperation&) { return semaphore_wait_operation(required(parameters)); });
}

CUresult CUDAAPI cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec execution, CUgraphNode node,
                                                                  const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* parameters) {
    return replace("cuGraphExecExternalSemaphoresSignalNodeSetParams", execution, node,
                   [&] { return semaphore_signal_operation(required(parameters)); });
}

CUresult CUDAAPI cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec execution, CUgraphNode node,
                                                                const CUDA_EXT_SEM_WAIT_NODE_PARAMS* parameters) {
    return replace("cuGraphExecExternalSemaphoresWaitNodeSetParams", execution, node,
                   [&] { return semaphore_wait_operation(required(parameters)); });
}

}  // extern "C"
