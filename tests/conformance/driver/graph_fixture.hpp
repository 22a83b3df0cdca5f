// What the tests of graphs share: a graph, its nodes, and runs of it.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {

using Words = std::vector<unsigned>;

// Numbers in the order in which their host nodes ran.
class Notes {
public:
    CUDA_HOST_NODE_PARAMS note(int number) {
        notes_.push_back(std::make_unique<Note>(Note{this, number}));
        CUDA_HOST_NODE_PARAMS parameters{};
        parameters.fn = [](void* data) {
            const auto* note = static_cast<Note*>(data);
            const std::lock_guard lock(note->owner->mutex_);
            note->owner->taken_.push_back(note->number);
        };
        parameters.userData = notes_.back().get();
        return parameters;
    }
    std::vector<int> taken() {
        const std::lock_guard lock(mutex_);
        return taken_;
    }
    // The place of a number in what was noted; -1 if it was not.
    int place_of(int number) {
        const std::vector<int> list = taken();
        for (size_t index = 0; index < list.size(); ++index) {
            if (list[index] == number) return static_cast<int>(index);
        }
        return -1;
    }

private:
    struct Note {
        Notes* owner;
        int number;
    };
    std::mutex mutex_;
    std::vector<int> taken_;
    std::vector<std::unique_ptr<Note>> notes_;
};

class GraphTest : public DriverTest {
protected:
    void SetUp() override {
        DriverTest::SetUp();
        ASSERT_OK(cu().cuGraphCreate(&graph, 0));
    }
    void TearDown() override {
        if (stream != nullptr) {
            EXPECT_OK(cu().cuStreamSynchronize(stream));
        }
        for (const CUgraphExec execution : executions_) {
            EXPECT_OK(cu().cuGraphExecDestroy(execution));
        }
        EXPECT_OK(cu().cuGraphDestroy(graph));
        DriverTest::TearDown();
    }

    // A kernel node's parameters; what the pointers refer to must live until the node is added.
    CUDA_KERNEL_NODE_PARAMS kernel(const char* name, unsigned threads, void** parameters) {
        CUDA_KERNEL_NODE_PARAMS node{};
        node.func = function(name);
        node.gridDimX = node.gridDimY = node.gridDimZ = 1;
        node.blockDimX = threads;
        node.blockDimY = node.blockDimZ = 1;
        node.kernelParams = parameters;
        return node;
    }
    CUDA_MEMSET_NODE_PARAMS memset_words(CUdeviceptr pointer, unsigned value, size_t words) {
        CUDA_MEMSET_NODE_PARAMS node{};
        node.dst = pointer;
        node.value = value;
        node.elementSize = 4;
        node.width = words;
        node.height = 1;
        return node;
    }
    CUDA_MEMCPY3D copy_to_host(void* host, CUdeviceptr source, size_t bytes) {
        CUDA_MEMCPY3D copy{};
        copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.srcDevice = source;
        copy.dstMemoryType = CU_MEMORYTYPE_HOST;
        copy.dstHost = host;
        copy.WidthInBytes = bytes;
        copy.Height = copy.Depth = 1;
        return copy;
    }
    CUgraphNode add_kernel(const CUDA_KERNEL_NODE_PARAMS& parameters, std::vector<CUgraphNode> after = {}) {
        CUgraphNode node = nullptr;
        EXPECT_OK(cu().cuGraphAddKernelNode(&node, graph, after.data(), after.size(), &parameters));
        return node;
    }
    CUgraphNode add_host(const CUDA_HOST_NODE_PARAMS& parameters, std::vector<CUgraphNode> after = {}) {
        CUgraphNode node = nullptr;
        EXPECT_OK(cu().cuGraphAddHostNode(&node, graph, after.data(), after.size(), &parameters));
        return node;
    }
    CUgraphNode add_memset(const CUDA_MEMSET_NODE_PARAMS& parameters, std::vector<CUgraphNode> after = {}) {
        CUgraphNode node = nullptr;
        EXPECT_OK(cu().cuGraphAddMemsetNode(&node, graph, after.data(), after.size(), &parameters, context));
        return node;
    }
    CUgraphNode add_copy(const CUDA_MEMCPY3D& parameters, std::vector<CUgraphNode> after = {}) {
        CUgraphNode node = nullptr;
        EXPECT_OK(cu().cuGraphAddMemcpyNode(&node, graph, after.data(), after.size(), &parameters, context));
        return node;
    }
    CUgraphNode add_empty(std::vector<CUgraphNode> after = {}) {
        CUgraphNode node = nullptr;
        EXPECT_OK(cu().cuGraphAddEmptyNode(&node, graph, after.data(), after.size()));
        return node;
    }
    CUgraphExec instantiate(unsigned long long flags = 0) {
        CUgraphExec execution = nullptr;
        EXPECT_OK(cu().cuGraphInstantiate(&execution, graph, flags));
        executions_.push_back(execution);
        return execution;
    }
    void run(CUgraphExec execution) {
        if (stream == nullptr) stream = new_stream();
        ASSERT_OK(cu().cuGraphLaunch(execution, stream));
        ASSERT_OK(cu().cuStreamSynchronize(stream));
    }
    void run() { run(instantiate()); }

    CUgraph graph = nullptr;
    CUstream stream = nullptr;

private:
    std::vector<CUgraphExec> executions_;
};

}  // namespace cuprum::test
