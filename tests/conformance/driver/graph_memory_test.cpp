// What graphs own: memory nodes and user objects.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "graph_fixture.hpp"

namespace cuprum::test {
namespace {

using namespace std::chrono_literals;

class GraphMemoryTest : public GraphTest {
protected:
    CUDA_MEM_ALLOC_NODE_PARAMS words(size_t count) {
        CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
        parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        parameters.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
        parameters.bytesize = count * 4;
        return parameters;
    }
    CUgraphNode add_free(CUdeviceptr pointer, CUgraphNode after) {
        CUgraphNode node = nullptr;
        EXPECT_OK(cu().cuGraphAddMemFreeNode(&node, graph, &after, 1, pointer));
        return node;
    }
};

TEST_F(GraphMemoryTest, IsAllocatedAndFreedByNodes) {
    CUDA_MEM_ALLOC_NODE_PARAMS memory = words(32);
    CUgraphNode allocation = nullptr;
    ASSERT_OK(cu().cuGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &memory));
    ASSERT_NE(memory.dptr, 0u);
    unsigned n = 32;
    void* parameters[] = {&memory.dptr, &n};
    Words result(32, 0);
    const CUgraphNode fill = add_memset(memset_words(memory.dptr, 6, 32), {allocation});
    const CUgraphNode increment = add_kernel(kernel("increment", 32, parameters), {fill});
    const CUgraphNode copy = add_copy(copy_to_host(result.data(), memory.dptr, 128), {increment});
    const CUgraphNode release = add_free(memory.dptr, copy);
    CUdeviceptr freed = 0;
    ASSERT_OK(cu().cuGraphMemFreeNodeGetParams(release, &freed));
    EXPECT_EQ(freed, memory.dptr);
    CUDA_MEM_ALLOC_NODE_PARAMS found{};
    ASSERT_OK(cu().cuGraphMemAllocNodeGetParams(allocation, &found));
    EXPECT_EQ(found.dptr, memory.dptr);
    EXPECT_EQ(found.bytesize, 128u);
    const CUgraphExec execution = instantiate();
    run(execution);
    run(execution);
    EXPECT_EQ(result, Words(32, 7));
}

// What a graph has used stays with the graphs until it is trimmed. Each graph has a multiple of 32 MiB.
TEST_F(GraphMemoryTest, IsCountedByItsDevice) {
    const auto bytes = [&](CUgraphMem_attribute attribute) {
        cuuint64_t found = ~cuuint64_t{0};
        EXPECT_OK(cu().cuDeviceGetGraphMemAttribute(device, attribute, &found));
        return found;
    };
    const auto expect = [&](cuuint64_t units, cuuint64_t most_units) {
        constexpr cuuint64_t unit = 32 << 20;
        EXPECT_EQ(bytes(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), units * unit);
        // More than what is used, where it is in pieces.
        EXPECT_GE(bytes(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT), units * unit);
        EXPECT_EQ(bytes(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH), most_units * unit);
        EXPECT_GE(bytes(CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH), most_units * unit);
    };
    const auto reset_marks = [&] {
        cuuint64_t zero = 0;
        EXPECT_OK(cu().cuDeviceSetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero));
        EXPECT_OK(cu().cuDeviceSetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &zero));
    };
    ASSERT_OK(cu().cuDeviceGraphMemTrim(device));
    reset_marks();
    CUDA_MEM_ALLOC_NODE_PARAMS small = words(32), large = words(10 << 20);
    CUgraphNode node = nullptr;
    ASSERT_OK(cu().cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &small));
    ASSERT_OK(cu().cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &large));
    const CUgraphExec execution = instantiate();
    expect(0, 0);
    run(execution);
    expect(2, 2);
    ASSERT_OK(cu().cuMemFree(large.dptr));
    expect(2, 2);
    ASSERT_OK(cu().cuDeviceGraphMemTrim(device));
    expect(1, 2);
    reset_marks();
    expect(1, 1);
    ASSERT_OK(cu().cuMemFree(small.dptr));
    expect(1, 1);
    ASSERT_OK(cu().cuDeviceGraphMemTrim(device));
    expect(0, 1);
}

TEST_F(GraphMemoryTest, CountsAreReadAndMarksAreReset) {
    cuuint64_t value = 0;
    for (const CUgraphMem_attribute count :
         {CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT}) {
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuDeviceSetGraphMemAttribute(device, count, &value));
    }
    value = 1;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
              cu().cuDeviceSetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &value));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
              cu().cuDeviceGetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cu().cuDeviceGraphMemTrim(1000));
}

TEST_F(GraphMemoryTest, MayBeFreedOutsideOfTheGraph) {
    CUDA_MEM_ALLOC_NODE_PARAMS memory = words(32);
    CUgraphNode allocation = nullptr;
    ASSERT_OK(cu().cuGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &memory));
    add_memset(memset_words(memory.dptr, 6, 32), {allocation});
    const CUgraphExec execution = instantiate();
    run(execution);
    EXPECT_EQ(download<unsigned>(memory.dptr, 32), Words(32, 6));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphLaunch(execution, stream)) << "the memory has not been freed";
    ASSERT_OK(cu().cuMemFreeAsync(memory.dptr, stream));
    run(execution);
    ASSERT_OK(cu().cuMemFree(memory.dptr));
}

TEST_F(GraphMemoryTest, IsFreedByTheNextLaunchIfSo) {
    CUDA_MEM_ALLOC_NODE_PARAMS memory = words(32);
    CUgraphNode allocation = nullptr;
    ASSERT_OK(cu().cuGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &memory));
    add_memset(memset_words(memory.dptr, 6, 32), {allocation});
    const CUgraphExec execution = instantiate(CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    run(execution);
    run(execution);
    EXPECT_EQ(download<unsigned>(memory.dptr, 32), Words(32, 6));
    ASSERT_OK(cu().cuMemFreeAsync(memory.dptr, stream));
}

TEST_F(GraphMemoryTest, KeepsTheGraphFromBeingClonedAndItsNodesFromBeingRemoved) {
    CUDA_MEM_ALLOC_NODE_PARAMS memory = words(32);
    CUgraphNode allocation = nullptr, again = nullptr;
    ASSERT_OK(cu().cuGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &memory));
    const CUgraphNode release = add_free(memory.dptr, allocation);
    CUgraphNode first = nullptr, second = nullptr;
    ASSERT_OK(cu().cuGraphAddEmptyNode(&first, graph, nullptr, 0));
    ASSERT_OK(cu().cuGraphAddEmptyNode(&second, graph, &first, 1));
    CUgraph clone = nullptr;
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu().cuGraphClone(&clone, graph));
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu().cuGraphDestroyNode(allocation));
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu().cuGraphRemoveDependencies(graph, &first, &second, nullptr, 1));
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu().cuGraphDestroyNode(second));
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu().cuGraphRemoveDependencies(graph, &allocation, &release, nullptr, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGraphAddMemFreeNode(&again, graph, &allocation, 1, memory.dptr));
}

// User objects.

void count_destruction(void* counter) {
    ++*static_cast<std::atomic<int>*>(counter);
}

bool becomes(const std::atomic<int>& counter, int value) {
    for (int round = 0; round < 2000 && counter != value; ++round) {
        std::this_thread::sleep_for(1ms);
    }
    return counter == value;
}

TEST_F(GraphTest, UserObjectsLiveAsLongAsTheGraphsThatHoldThem) {
    static std::atomic<int> destroyed;
    destroyed = 0;
    CUuserObject object = nullptr;
    ASSERT_OK(cu().cuUserObjectCreate(&object, &destroyed, count_destruction, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    CUgraph owner = nullptr;
    ASSERT_OK(cu().cuGraphCreate(&owner, 0));
    ASSERT_OK(cu().cuGraphRetainUserObject(owner, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    CUgraphExec execution = nullptr;
    ASSERT_OK(cu().cuGraphInstantiate(&execution, owner, 0));
    ASSERT_OK(cu().cuGraphDestroy(owner));
    run(execution);
    EXPECT_EQ(destroyed, 0);
    ASSERT_OK(cu().cuGraphExecDestroy(execution));
    EXPECT_TRUE(becomes(destroyed, 1));
}

TEST_F(GraphTest, UserObjectsAreCounted) {
    static std::atomic<int> destroyed;
    destroyed = 0;
    CUuserObject object = nullptr;
    ASSERT_OK(cu().cuUserObjectCreate(&object, &destroyed, count_destruction, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    ASSERT_OK(cu().cuUserObjectRetain(object, 2));
    ASSERT_OK(cu().cuGraphRetainUserObject(graph, object, 1, 0));
    ASSERT_OK(cu().cuUserObjectRelease(object, 3));
    std::this_thread::sleep_for(5ms);
    EXPECT_EQ(destroyed, 0);
    ASSERT_OK(cu().cuGraphReleaseUserObject(graph, object, 1));
    EXPECT_TRUE(becomes(destroyed, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuUserObjectCreate(&object, nullptr, count_destruction, 1, 0));
}

TEST_F(GraphTest, CanBePrinted) {
    CUdeviceptr pointer = allocate(64);
    unsigned n = 16;
    void* parameters[] = {&pointer, &n};
    const CUgraphNode first = add_kernel(kernel("increment", 16, parameters));
    add_empty({first});
    char path[] = "/tmp/cuprum_graph_XXXXXX";
    const int file = mkstemp(path);
    ASSERT_GE(file, 0);
    close(file);
    ASSERT_OK(cu().cuGraphDebugDotPrint(graph, path, CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
    std::ifstream in(path);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    EXPECT_NE(text.find("digraph"), std::string::npos) << text;
    EXPECT_NE(text.find("increment"), std::string::npos) << text;
    EXPECT_NE(text.find("->"), std::string::npos) << text;
    std::remove(path);
}

}  // namespace
}  // namespace cuprum::test
