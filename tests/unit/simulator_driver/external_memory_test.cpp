// Memory and semaphores behind file descriptors: what stands here for those of a graphics API.
#include <gmock/gmock.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "driver_api.hpp"
#include "driver_log.hpp"

namespace cuprum::test {
namespace {

using testing::HasSubstr;

class ExternalMemoryTest : public DriverTest {
protected:
    static int memory_file(size_t bytes) {
        const int file = memfd_create("external", 0);
        EXPECT_EQ(ftruncate(file, static_cast<off_t>(bytes)), 0);
        return file;
    }
    static CUresult import_memory(CUexternalMemory* memory, int file, unsigned long long size,
                                  CUexternalMemoryHandleType type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD) {
        CUDA_EXTERNAL_MEMORY_HANDLE_DESC description{};
        description.type = type;
        description.handle.fd = file;
        description.size = size;
        return cu().cuImportExternalMemory(memory, &description);
    }
    static CUresult import_semaphore(CUexternalSemaphore* semaphore, int file, CUexternalSemaphoreHandleType type) {
        CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC description{};
        description.type = type;
        description.handle.fd = file;
        return cu().cuImportExternalSemaphore(semaphore, &description);
    }
    static CUresult map(CUdeviceptr* address, CUexternalMemory memory, unsigned long long offset,
                        unsigned long long size) {
        CUDA_EXTERNAL_MEMORY_BUFFER_DESC description{};
        description.offset = offset;
        description.size = size;
        return cu().cuExternalMemoryGetMappedBuffer(address, memory, &description);
    }
    static CUresult signal(CUexternalSemaphore semaphore, uint64_t value, CUstream stream) {
        CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS parameters{};
        parameters.params.fence.value = value;
        return cu().cuSignalExternalSemaphoresAsync(&semaphore, &parameters, 1, stream);
    }
    static CUresult wait(CUexternalSemaphore semaphore, uint64_t value, CUstream stream) {
        CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS parameters{};
        parameters.params.fence.value = value;
        return cu().cuWaitExternalSemaphoresAsync(&semaphore, &parameters, 1, stream);
    }
};

TEST_F(ExternalMemoryTest, AFileInMemoryIsDeviceMemory) {
    const int file = memory_file(8192);
    auto* const seen = static_cast<uint32_t*>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    ASSERT_NE(seen, MAP_FAILED);
    seen[1025] = 7;
    CUexternalMemory memory = nullptr;
    ASSERT_OK(import_memory(&memory, file, 8192));
    CUdeviceptr whole = 0, part = 0;
    ASSERT_OK(map(&whole, memory, 0, 8192));
    ASSERT_OK(map(&part, memory, 4100, 8));
    EXPECT_EQ(download<uint32_t>(part, 2), (std::vector<uint32_t>{7, 0}));
    ASSERT_OK(cu().cuMemsetD32(whole, 9, 2048));
    ASSERT_OK(cu().cuCtxSynchronize());
    EXPECT_EQ(seen[2047], 9u);
    // What was mapped outlives the import, and is freed as other memory is.
    ASSERT_OK(cu().cuDestroyExternalMemory(memory));
    EXPECT_EQ(download<uint32_t>(part, 1)[0], 9u);
    EXPECT_OK(cu().cuMemFree(part));
    EXPECT_OK(cu().cuMemFree(whole));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemFree(whole));
    munmap(seen, 8192);
}

TEST_F(ExternalMemoryTest, ExportedMemoryIsImported) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = 0;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    CUmemGenericAllocationHandle physical = 0;
    const size_t size = 2 << 20;
    ASSERT_OK(cu().cuMemCreate(&physical, size, &properties, 0));
    int file = -1;
    ASSERT_OK(cu().cuMemExportToShareableHandle(&file, physical, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CUexternalMemory memory = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, import_memory(&memory, file, size + 1));
    ASSERT_OK(import_memory(&memory, file, size));
    CUdeviceptr address = 0;
    ASSERT_OK(map(&address, memory, 0, size));
    EXPECT_EQ(download<uint8_t>(address, 1)[0], 0xcb);
    EXPECT_OK(cu().cuMemFree(address));
    EXPECT_OK(cu().cuDestroyExternalMemory(memory));
    EXPECT_OK(cu().cuMemRelease(physical));
}

TEST_F(ExternalMemoryTest, WhatIsNoMemoryIsRefused) {
    CUexternalMemory memory = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, import_memory(&memory, -1, 16));
    const int events = eventfd(0, 0);
    std::string text = log_of([&] { EXPECT_CU(CUDA_ERROR_INVALID_VALUE, import_memory(&memory, events, 16)); });
    EXPECT_THAT(text, HasSubstr("stands for no memory: it must be one of cuMemExportToShareableHandle"));
    const int file = memory_file(4096);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, import_memory(&memory, file, 0));
    text = log_of([&] { EXPECT_CU(CUDA_ERROR_INVALID_VALUE, import_memory(&memory, file, 4097)); });
    EXPECT_THAT(text, HasSubstr("size is 4097; the memory behind file descriptor"));
    text = log_of([&] {
        EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
                  import_memory(&memory, file, 16, CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP));
    });
    EXPECT_THAT(text, HasSubstr("memory of type a Windows or Direct3D handle is not simulated"));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, import_memory(&memory, file, 16, CUexternalMemoryHandleType{}));
    ASSERT_OK(import_memory(&memory, file, 4096));
    CUdeviceptr address = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, map(&address, memory, 4000, 97));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, map(&address, memory, 0, 0));
    EXPECT_OK(cu().cuDestroyExternalMemory(memory));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuDestroyExternalMemory(memory));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, map(&address, memory, 0, 16));
    close(events);
}

TEST_F(ExternalMemoryTest, AStreamWaitsForASignalOfAnother) {
    CUexternalSemaphore semaphore = nullptr;
    ASSERT_OK(import_semaphore(&semaphore, eventfd(0, 0), CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD));
    const CUstream waiting = new_stream(), signalling = new_stream();
    ASSERT_OK(wait(semaphore, 0, waiting));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(waiting));
    ASSERT_OK(signal(semaphore, 0, signalling));
    EXPECT_OK(cu().cuStreamSynchronize(waiting));
    EXPECT_OK(cu().cuDestroyExternalSemaphore(semaphore));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuDestroyExternalSemaphore(semaphore));
}

TEST_F(ExternalMemoryTest, ATimelineIsWaitedForByItsValue) {
    const int file = memory_file(4096);
    auto* const value =
        static_cast<volatile uint64_t*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    CUexternalSemaphore semaphore = nullptr;
    ASSERT_OK(import_semaphore(&semaphore, file, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD));
    const CUstream waiting = new_stream(), signalling = new_stream();
    ASSERT_OK(wait(semaphore, 3, waiting));
    ASSERT_OK(signal(semaphore, 2, signalling));
    ASSERT_OK(cu().cuStreamSynchronize(signalling));
    EXPECT_EQ(*value, 2u);
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(waiting));
    *value = 5;  // as another process or device would
    EXPECT_OK(cu().cuStreamSynchronize(waiting));
    ASSERT_OK(signal(semaphore, 4, signalling));  // it does not go back
    ASSERT_OK(cu().cuStreamSynchronize(signalling));
    EXPECT_EQ(*value, 5u);
    EXPECT_OK(cu().cuDestroyExternalSemaphore(semaphore));
    munmap(const_cast<uint64_t*>(value), 4096);
}

TEST_F(ExternalMemoryTest, WhatIsNoSemaphoreIsRefused) {
    CUexternalSemaphore semaphore = nullptr;
    const int file = memory_file(4), events = eventfd(0, 0);
    std::string text = log_of([&] {
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
                  import_semaphore(&semaphore, file, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD));
    });
    EXPECT_THAT(text, HasSubstr("stands for no semaphore: it must be one of eventfd"));
    for (const int each : {file, events}) {
        text = log_of([&] {
            EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
                      import_semaphore(&semaphore, each, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD));
        });
        EXPECT_THAT(text, HasSubstr("stands for no timeline semaphore"));
    }
    text = log_of([&] {
        EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
                  import_semaphore(&semaphore, file, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC));
    });
    EXPECT_THAT(text, HasSubstr("a semaphore of type NVSCISYNC is not simulated"));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, wait(nullptr, 0, nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, signal(nullptr, 0, nullptr));
    close(file);
    close(events);
}

// A timeline semaphore, and its value as others see it.
class ExternalGraphTest : public ExternalMemoryTest {
protected:
    void SetUp() override {
        ExternalMemoryTest::SetUp();
        const int file = memory_file(4096);
        value = static_cast<volatile uint64_t*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
        ASSERT_OK(import_semaphore(&semaphore, file, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD));
        signals.params.fence.value = 4;
        waits.params.fence.value = 3;
        signal_node = {&semaphore, &signals, 1};
        wait_node = {&semaphore, &waits, 1};
        ASSERT_OK(cu().cuGraphCreate(&graph, 0));
    }
    void TearDown() override {
        if (execution != nullptr) {
            EXPECT_OK(cu().cuGraphExecDestroy(execution));
        }
        EXPECT_OK(cu().cuGraphDestroy(graph));
        EXPECT_OK(cu().cuDestroyExternalSemaphore(semaphore));
        munmap(const_cast<uint64_t*>(value), 4096);
        ExternalMemoryTest::TearDown();
    }
    CUresult update(CUgraph other, CUgraphExecUpdateResult* result) const {
        CUgraphExecUpdateResultInfo info{};
        const CUresult code = cu().cuGraphExecUpdate(execution, other, &info);
        *result = info.result;
        return code;
    }

    volatile uint64_t* value = nullptr;
    CUexternalSemaphore semaphore = nullptr;
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS signals{};
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS waits{};
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS signal_node{};
    CUDA_EXT_SEM_WAIT_NODE_PARAMS wait_node{};
    CUgraph graph = nullptr;
    CUgraphExec execution = nullptr;
};

TEST_F(ExternalGraphTest, NodesWaitFillExternalMemoryAndSignal) {
    const int file = memory_file(4096);
    auto* const seen =
        static_cast<volatile uint32_t*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    CUexternalMemory memory = nullptr;
    CUdeviceptr address = 0;
    ASSERT_OK(import_memory(&memory, file, 4096));
    ASSERT_OK(map(&address, memory, 0, 4096));
    CUgraphNode waiting = nullptr, filling = nullptr, signalling = nullptr;
    ASSERT_OK(cu().cuGraphAddExternalSemaphoresWaitNode(&waiting, graph, nullptr, 0, &wait_node));
    const CUDA_MEMSET_NODE_PARAMS fill{address, 0, 9, 4, 1024, 1};
    ASSERT_OK(cu().cuGraphAddMemsetNode(&filling, graph, &waiting, 1, &fill, context));
    ASSERT_OK(cu().cuGraphAddExternalSemaphoresSignalNode(&signalling, graph, &filling, 1, &signal_node));
    ASSERT_OK(cu().cuGraphInstantiateWithFlags(&execution, graph, 0));
    const CUstream stream = new_stream();
    ASSERT_OK(cu().cuGraphLaunch(execution, stream));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(stream));
    EXPECT_EQ(seen[1023], 0u);
    *value = 3;
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(seen[1023], 9u);
    EXPECT_EQ(*value, 4u);
    EXPECT_OK(cu().cuMemFree(address));
    EXPECT_OK(cu().cuDestroyExternalMemory(memory));
    munmap(const_cast<uint32_t*>(seen), 4096);
}

TEST_F(ExternalGraphTest, SignalsAndWaitsAreCaptured) {
    const CUstream stream = new_stream();
    ASSERT_OK(cu().cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    ASSERT_OK(wait(semaphore, 3, stream));
    ASSERT_OK(signal(semaphore, 4, stream));
    CUgraph captured = nullptr;
    ASSERT_OK(cu().cuStreamEndCapture(stream, &captured));
    EXPECT_EQ(*value, 0u);
    CUgraphNode nodes[3] = {};
    size_t count = 3;
    ASSERT_OK(cu().cuGraphGetNodes(captured, nodes, &count));
    ASSERT_EQ(count, 2u);
    CUgraphNodeType types[2] = {};
    for (size_t k = 0; k < 2; ++k)
        EXPECT_OK(cu().cuGraphNodeGetType(nodes[k], &types[k]));
    EXPECT_EQ(types[0], CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT);
    EXPECT_EQ(types[1], CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL);
    ASSERT_OK(cu().cuGraphInstantiateWithFlags(&execution, captured, 0));
    ASSERT_OK(cu().cuGraphLaunch(execution, stream));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(stream));
    *value = 3;
    EXPECT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(*value, 4u);
    EXPECT_OK(cu().cuGraphDestroy(captured));
}

// Neither comes before the other, so both must be under way at once.
TEST_F(ExternalGraphTest, BranchesWaitForOneAnother) {
    CUgraphNode first = nullptr, second = nullptr, third = nullptr;
    waits.params.fence.value = 4;
    ASSERT_OK(cu().cuGraphAddExternalSemaphoresWaitNode(&first, graph, nullptr, 0, &wait_node));
    ASSERT_OK(cu().cuGraphAddExternalSemaphoresSignalNode(&second, graph, nullptr, 0, &signal_node));
    signals.params.fence.value = 5;
    ASSERT_OK(cu().cuGraphAddExternalSemaphoresSignalNode(&third, graph, &first, 1, &signal_node));
    ASSERT_OK(cu().cuGraphInstantiateWithFlags(&execution, graph, 0));
    ASSERT_OK(cu().cuGraphLaunch(execution, nullptr));
    ASSERT_OK(cu().cuCtxSynchronize());
    EXPECT_EQ(*value, 5u);
}

TEST_F(ExternalGraphTest, ParametersAreGivenBackAndChanged) {
    CUgraphNode waiting = nullptr, signalling = nullptr;
    ASSERT_OK(cu().cuGraphAddExternalSemaphoresWaitNode(&waiting, graph, nullptr, 0, &wait_node));
    ASSERT_OK(cu().cuGraphAddExternalSemaphoresSignalNode(&signalling, graph, &waiting, 1, &signal_node));
    signals.params.fence.value = 14;  // the nodes have copies
    waits.params.fence.value = 13;
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS of_signal{};
    CUDA_EXT_SEM_WAIT_NODE_PARAMS of_wait{};
    ASSERT_OK(cu().cuGraphExternalSemaphoresSignalNodeGetParams(signalling, &of_signal));
    ASSERT_OK(cu().cuGraphExternalSemaphoresWaitNodeGetParams(waiting, &of_wait));
    ASSERT_EQ(of_signal.numExtSems, 1u);
    ASSERT_EQ(of_wait.numExtSems, 1u);
    EXPECT_EQ(of_signal.extSemArray[0], semaphore);
    EXPECT_EQ(of_wait.extSemArray[0], semaphore);
    EXPECT_EQ(of_signal.paramsArray[0].params.fence.value, 4u);
    EXPECT_EQ(of_wait.paramsArray[0].params.fence.value, 3u);
    CUgraphNodeParams any{};
    // Of CUDA 13.2 and newer.
    auto* const get =
        reinterpret_cast<CUresult (*)(CUgraphNode, CUgraphNodeParams*)>(cu().symbol("cuGraphNodeGetParams"));
    ASSERT_NE(get, nullptr);
    ASSERT_OK(get(signalling, &any));
    EXPECT_EQ(any.type, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL);
    EXPECT_EQ(any.extSemSignal.paramsArray[0].params.fence.value, 4u);
    ASSERT_OK(get(waiting, &any));
    EXPECT_EQ(any.type, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT);
    EXPECT_EQ(any.extSemWait.paramsArray[0].params.fence.value, 3u);

    ASSERT_OK(cu().cuGraphInstantiateWithFlags(&execution, graph, 0));
    ASSERT_OK(cu().cuGraphExternalSemaphoresSignalNodeSetParams(signalling, &signal_node));
    ASSERT_OK(cu().cuGraphExternalSemaphoresWaitNodeSetParams(waiting, &wait_node));
    ASSERT_OK(cu().cuGraphExternalSemaphoresSignalNodeGetParams(signalling, &of_signal));
    EXPECT_EQ(of_signal.paramsArray[0].params.fence.value, 14u);
    // What was instantiated before still waits for 3 and signals 4.
    *value = 3;
    ASSERT_OK(cu().cuGraphLaunch(execution, nullptr));
    ASSERT_OK(cu().cuCtxSynchronize());
    EXPECT_EQ(*value, 4u);
    waits.params.fence.value = 4;
    signals.params.fence.value = 6;
    ASSERT_OK(cu().cuGraphExecExternalSemaphoresWaitNodeSetParams(execution, waiting, &wait_node));
    ASSERT_OK(cu().cuGraphExecExternalSemaphoresSignalNodeSetParams(execution, signalling, &signal_node));
    ASSERT_OK(cu().cuGraphLaunch(execution, nullptr));
    ASSERT_OK(cu().cuCtxSynchronize());
    EXPECT_EQ(*value, 6u);
    // Taken over from the graph: it waits for 13 and signals 14.
    CUgraphExecUpdateResult result{};
    ASSERT_OK(update(graph, &result));
    ASSERT_OK(cu().cuGraphLaunch(execution, nullptr));
    *value = 13;
    ASSERT_OK(cu().cuCtxSynchronize());
    EXPECT_EQ(*value, 14u);
}

TEST_F(ExternalGraphTest, TheNumberOfSemaphoresOfAnExecutableNodeStays) {
    CUgraphNode signalling = nullptr, waiting = nullptr;
    ASSERT_OK(cu().cuGraphAddExternalSemaphoresSignalNode(&signalling, graph, nullptr, 0, &signal_node));
    ASSERT_OK(cu().cuGraphAddExternalSemaphoresWaitNode(&waiting, graph, &signalling, 1, &wait_node));
    ASSERT_OK(cu().cuGraphInstantiateWithFlags(&execution, graph, 0));
    CUexternalSemaphore twice[] = {semaphore, semaphore};
    const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS two_signals[] = {signals, signals};
    const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS two_waits[] = {waits, waits};
    const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS more_signals{twice, two_signals, 2};
    const CUDA_EXT_SEM_WAIT_NODE_PARAMS more_waits{twice, two_waits, 2};
    const std::string text = log_of([&] {
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
                  cu().cuGraphExecExternalSemaphoresSignalNodeSetParams(execution, signalling, &more_signals));
    });
    EXPECT_THAT(text, HasSubstr("the number of semaphores of an external semaphore signal node cannot change"));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
              cu().cuGraphExecExternalSemaphoresWaitNodeSetParams(execution, waiting, &more_waits));
    ASSERT_OK(cu().cuGraphExternalSemaphoresWaitNodeSetParams(waiting, &more_waits));
    CUgraphExecUpdateResult result{};
    EXPECT_CU(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, update(graph, &result));
    EXPECT_EQ(result, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
    ASSERT_OK(cu().cuGraphLaunch(execution, nullptr));
    EXPECT_OK(cu().cuCtxSynchronize());
}

TEST_F(ExternalGraphTest, WhatIsNoNodeOfSemaphoresIsRefused) {
    CUgraphNode signalling = nullptr, waiting = nullptr, node = nullptr;
    ASSERT_OK(cu().cuGraphAddExternalSemaphoresSignalNode(&signalling, graph, nullptr, 0, &signal_node));
    ASSERT_OK(cu().cuGraphAddExternalSemaphoresWaitNode(&waiting, graph, nullptr, 0, &wait_node));
    CUDA_EXT_SEM_WAIT_NODE_PARAMS of_wait{};
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphExternalSemaphoresWaitNodeGetParams(signalling, &of_wait));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphExternalSemaphoresSignalNodeSetParams(waiting, &signal_node));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, nullptr));
    CUexternalSemaphore none = nullptr;
    signal_node.extSemArray = &none;
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE,
              cu().cuGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, &signal_node));
    signal_node.extSemArray = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
              cu().cuGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, &signal_node));
    size_t count = 0;
    ASSERT_OK(cu().cuGraphGetNodes(graph, nullptr, &count));
    EXPECT_EQ(count, 2u);
}

}  // namespace
}  // namespace cuprum::test
