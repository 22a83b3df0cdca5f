#include <cstring>

#include "runtime/functions.hpp"
#include "runtime/registration.hpp"
#include "runtime/thread_state.hpp"

namespace cuprum::simulator::runtime {
namespace {

template <typename Parameters>
cudaError_t to_driver(const Parameters& given, CUDA_KERNEL_NODE_PARAMS& node) {
    CUfunction handle = nullptr;
    const cudaError_t found = function_in_context(given.func, &handle);
    if (found != cudaSuccess) return found;
    node = {};
    node.func = handle;
    node.gridDimX = given.gridDim.x;
    node.gridDimY = given.gridDim.y;
    node.gridDimZ = given.gridDim.z;
    node.blockDimX = given.blockDim.x;
    node.blockDimY = given.blockDim.y;
    node.blockDimZ = given.blockDim.z;
    node.sharedMemBytes = given.sharedMemBytes;
    node.kernelParams = given.kernelParams;
    node.extra = given.extra;
    return cudaSuccess;
}

cudaError_t current_context(CUcontext* context) {
    return call<cuCtxGetCurrent>(context);
}

// The driver's node has a context besides, and describes kernels and copies in words of its own; the rest is laid out
// alike, and what the driver answers within it goes back to the caller's.
class Node {
public:
    explicit Node(cudaGraphNodeParams* given) : given_(given) {}

    cudaError_t convert() {
        if (given_ == nullptr) return cudaErrorInvalidValue;
        static_assert(sizeof(CUgraphNodeParams) == sizeof(cudaGraphNodeParams));
        std::memcpy(&node, given_, sizeof node);
        CUcontext context = nullptr;
        cudaError_t result = current_context(&context);
        if (result != cudaSuccess) return result;
        switch (given_->type) {
            case cudaGraphNodeTypeKernel: {
                CUDA_KERNEL_NODE_PARAMS kernel{};
                result = to_driver(given_->kernel, kernel);
                std::memset(&node.kernel, 0, sizeof node.kernel);
                std::memcpy(&node.kernel, &kernel, sizeof kernel);
                break;
            }
            case cudaGraphNodeTypeMemcpy:
                std::memset(&node.memcpy, 0, sizeof node.memcpy);
                node.memcpy.copyCtx = context;
                result = runtime::to_driver(given_->memcpy.copyParams, node.memcpy.copyParams);
                break;
            case cudaGraphNodeTypeMemset:
                node.memset.ctx = context;
                break;
            case cudaGraphNodeTypeConditional:
                node.conditional.ctx = context;
                break;
            default:
                break;
        }
        return result;
    }

    void answer() const {
        if (given_->type == cudaGraphNodeTypeConditional) {
            given_->conditional.phGraph_out = node.conditional.phGraph_out;
        } else if (given_->type == cudaGraphNodeTypeMemAlloc) {
            given_->alloc.dptr = reinterpret_cast<void*>(node.alloc.dptr);
        }
    }

    CUgraphNodeParams node{};

private:
    cudaGraphNodeParams* const given_;
};

}  // namespace

cudaError_t add_kernel_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                            const cudaKernelNodeParams* parameters) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    CUDA_KERNEL_NODE_PARAMS converted{};
    const cudaError_t result = to_driver(*parameters, converted);
    return result == cudaSuccess ? call<cuGraphAddKernelNode>(node, graph, after, count, &converted) : result;
}

cudaError_t kernel_node_parameters(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    CUDA_KERNEL_NODE_PARAMS got{};
    const cudaError_t result = call<cuGraphKernelNodeGetParams>(node, &got);
    if (result != cudaSuccess) return result;
    parameters->func = host_function_of(got.func);
    parameters->gridDim = dim3{got.gridDimX, got.gridDimY, got.gridDimZ};
    parameters->blockDim = dim3{got.blockDimX, got.blockDimY, got.blockDimZ};
    parameters->sharedMemBytes = got.sharedMemBytes;
    parameters->kernelParams = got.kernelParams;
    parameters->extra = got.extra;
    return cudaSuccess;
}

cudaError_t set_kernel_node(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    CUDA_KERNEL_NODE_PARAMS converted{};
    const cudaError_t result = to_driver(*parameters, converted);
    return result == cudaSuccess ? call<cuGraphKernelNodeSetParams>(node, &converted) : result;
}

cudaError_t set_kernel_node_in(cudaGraphExec_t executable, cudaGraphNode_t node,
                               const cudaKernelNodeParams* parameters) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    CUDA_KERNEL_NODE_PARAMS converted{};
    const cudaError_t result = to_driver(*parameters, converted);
    return result == cudaSuccess ? call<cuGraphExecKernelNodeSetParams>(executable, node, &converted) : result;
}

cudaError_t add_copy_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                          const cudaMemcpy3DParms* parameters) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    CUDA_MEMCPY3D copy{};
    CUcontext context = nullptr;
    cudaError_t result = to_driver(*parameters, copy);
    if (result == cudaSuccess) result = current_context(&context);
    return result == cudaSuccess ? call<cuGraphAddMemcpyNode>(node, graph, after, count, &copy, context) : result;
}

cudaError_t copy_node_parameters(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    CUDA_MEMCPY3D copy{};
    const cudaError_t result = call<cuGraphMemcpyNodeGetParams>(node, &copy);
    if (result == cudaSuccess) from_driver(copy, *parameters);
    return result;
}

cudaError_t set_copy_node(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    CUDA_MEMCPY3D copy{};
    const cudaError_t result = to_driver(*parameters, copy);
    return result == cudaSuccess ? call<cuGraphMemcpyNodeSetParams>(node, &copy) : result;
}

cudaError_t set_copy_node_in(cudaGraphExec_t executable, cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    CUDA_MEMCPY3D copy{};
    CUcontext context = nullptr;
    cudaError_t result = to_driver(*parameters, copy);
    if (result == cudaSuccess) result = current_context(&context);
    return result == cudaSuccess ? call<cuGraphExecMemcpyNodeSetParams>(executable, node, &copy, context) : result;
}

cudaError_t add_copy_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                          const SymbolCopy& copy) {
    return copy.result == cudaSuccess ? add_copy_node(node, graph, after, count, &copy.parameters) : copy.result;
}

cudaError_t set_copy_node(cudaGraphNode_t node, const SymbolCopy& copy) {
    return copy.result == cudaSuccess ? set_copy_node(node, &copy.parameters) : copy.result;
}

cudaError_t set_copy_node_in(cudaGraphExec_t executable, cudaGraphNode_t node, const SymbolCopy& copy) {
    return copy.result == cudaSuccess ? set_copy_node_in(executable, node, &copy.parameters) : copy.result;
}

cudaError_t add_fill_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                          const cudaMemsetParams* parameters) {
    CUcontext context = nullptr;
    const cudaError_t result = current_context(&context);
    return result == cudaSuccess ? call<cuGraphAddMemsetNode>(node, graph, after, count, parameters, context) : result;
}

cudaError_t set_fill_node_in(cudaGraphExec_t executable, cudaGraphNode_t node, const cudaMemsetParams* parameters) {
    CUcontext context = nullptr;
    const cudaError_t result = current_context(&context);
    return result == cudaSuccess ? call<cuGraphExecMemsetNodeSetParams>(executable, node, parameters, context) : result;
}

cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                     const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* parameters) {
    Node converted(parameters);
    cudaError_t result = converted.convert();
    if (result == cudaSuccess) result = call<cuGraphAddNode_v2>(node, graph, after, edges, count, &converted.node);
    if (result == cudaSuccess) converted.answer();
    return result;
}

cudaError_t set_node(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
    Node converted(parameters);
    const cudaError_t result = converted.convert();
    return result == cudaSuccess ? call<cuGraphNodeSetParams>(node, &converted.node) : result;
}

cudaError_t set_node_in(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
    Node converted(parameters);
    const cudaError_t result = converted.convert();
    return result == cudaSuccess ? call<cuGraphExecNodeSetParams>(executable, node, &converted.node) : result;
}

cudaError_t make_condition(cudaGraphConditionalHandle* handle, cudaGraph_t graph, unsigned int value,
                           unsigned int flags) {
    CUcontext context = nullptr;
    const cudaError_t result = current_context(&context);
    return result == cudaSuccess ? call<cuGraphConditionalHandleCreate>(handle, graph, context, value, flags) : result;
}

}  // namespace cuprum::simulator::runtime
