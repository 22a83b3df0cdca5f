// A captured graph, one made node by node, its update, and a conditional node.
#include <cstdio>

__global__ void add(int* value, int amount) {
    *value += amount;
}
__global__ void multiply(int* value, int factor) {
    *value *= factor;
}

int main() {
    int* value;
    cudaMallocManaged(&value, sizeof(int));
    *value = 1;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add<<<1, 1, 0, stream>>>(value, 4);
    multiply<<<1, 1, 0, stream>>>(value, 10);
    cudaStreamEndCapture(stream, &graph);
    size_t nodes = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphInstantiate(&executable, graph, 0);
    for (int launch = 0; launch < 2; ++launch)
        cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    std::printf("%zu nodes, %d\n", nodes, *value);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);

    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t fill_node, add_node, copy_node;
    cudaMemsetParams fill{};
    fill.dst = value;
    fill.elementSize = 4;
    fill.width = 1;
    fill.height = 1;
    fill.value = 7;
    cudaGraphAddMemsetNode(&fill_node, graph, nullptr, 0, &fill);
    int amount = 3;
    void* arguments[] = {&value, &amount};
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(&add);
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = arguments;
    cudaGraphAddKernelNode(&add_node, graph, &fill_node, 1, &kernel);
    int copied = 0;
    cudaGraphAddMemcpyNode1D(&copy_node, graph, &add_node, 1, &copied, value, sizeof copied, cudaMemcpyDefault);
    cudaKernelNodeParams got{};
    cudaGraphKernelNodeGetParams(add_node, &got);
    std::printf("the kernel's own address: %d\n", got.func == reinterpret_cast<void*>(&add));
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    std::printf("%d\n", copied);
    amount = 30;
    cudaGraphExecKernelNodeSetParams(executable, add_node, &kernel);
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    std::printf("%d %s\n", copied, cudaGetErrorName(cudaGetLastError()));
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(value);
    // expect: 2 nodes, 540
    // expect: the kernel's own address: 1
    // expect: 10
    // expect: 37 cudaSuccess
}
