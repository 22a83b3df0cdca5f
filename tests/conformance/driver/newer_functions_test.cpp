// Functions that came with CUDA 13.1 to 13.5, which the headers of this build need not declare.
#include <cstdio>
#include <cstring>
#include <vector>

#include "driver_api.hpp"
#include "graph_fixture.hpp"

namespace cuprum::test {
namespace {

// The function, in the form of this version or the newest before. Null on an older driver, which is said aloud.
template <typename Function>
Function* newer(const char* name, int version, cuuint64_t flags = CU_GET_PROC_ADDRESS_DEFAULT) {
    int of_driver = 0;
    EXPECT_OK(cu().cuDriverGetVersion(&of_driver));
    if (of_driver < version) {
        std::fprintf(stderr, "SKIPPED: %s came with CUDA %d.%d, and this driver is for %d.%d\n", name, version / 1000,
                     version % 1000 / 10, of_driver / 1000, of_driver % 1000 / 10);
        return nullptr;
    }
    void* function = nullptr;
    CUdriverProcAddressQueryResult found{};
    EXPECT_OK(cu().cuGetProcAddress(name, &function, version, flags, &found)) << name;
    EXPECT_NE(function, nullptr) << name;
    return reinterpret_cast<Function*>(function);
}

using CountFunction = CUresult(CUfunction, size_t*);
using CountKernel = CUresult(CUkernel, size_t*);

class NewerFunctionTest : public DriverTest {};

TEST_F(NewerFunctionTest, ParametersOfFunctionsAreCounted) {
    auto* const count_of = newer<CountFunction>("cuFuncGetParamCount", 13020);
    if (count_of == nullptr) return;
    size_t count = 7;
    EXPECT_OK(count_of(function("mixed"), &count));
    EXPECT_EQ(count, 6u);
    EXPECT_OK(count_of(function("nothing"), &count));
    EXPECT_EQ(count, 0u);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, count_of(function("mixed"), nullptr));
}

TEST_F(NewerFunctionTest, ParametersOfKernelsAreCounted) {
    auto* const count_of = newer<CountKernel>("cuKernelGetParamCount", 13020);
    if (count_of == nullptr) return;
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    ASSERT_OK(cu().cuLibraryLoadData(&library, ptx("kernels.ptx").c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASSERT_OK(cu().cuLibraryGetKernel(&kernel, library, "saxpy"));
    size_t count = 7;
    EXPECT_OK(count_of(kernel, &count));
    EXPECT_EQ(count, 4u);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, count_of(kernel, nullptr));
    EXPECT_OK(cu().cuLibraryUnload(library));
}

TEST_F(NewerFunctionTest, AHostFunctionSaysHowItsThreadWaits) {
    using Launch = CUresult(CUstream, CUhostFn, void*, unsigned int);
    auto* const launch_host = newer<Launch>("cuLaunchHostFunc", 13010);
    if (launch_host == nullptr) return;
    const CUhostFn count_up = [](void* data) { ++*static_cast<int*>(data); };
    int calls = 0;
    const CUstream stream = new_stream();
    EXPECT_OK(launch_host(stream, count_up, &calls, 0));
    EXPECT_OK(launch_host(stream, count_up, &calls, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, launch_host(stream, count_up, &calls, 2));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, launch_host(stream, nullptr, &calls, 0));
    EXPECT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(calls, 2);
}

class NewerCopyTest : public DriverTest {
protected:
    using Copy = CUresult(CUdeviceptr, CUdeviceptr, size_t, CUmemcpyAttributes*, CUstream);

    static CUmemcpyAttributes in_order(CUmemcpySrcAccessOrder order) {
        CUmemcpyAttributes attributes{};
        attributes.srcAccessOrder = order;
        return attributes;
    }
};

TEST_F(NewerCopyTest, OneCopyHasAttributes) {
    auto* const copy = newer<Copy>("cuMemcpyWithAttributesAsync", 13020);
    if (copy == nullptr) return;
    const CUdeviceptr source = upload<unsigned>({1, 2, 3, 4}), destination = upload<unsigned>({0, 0, 0, 0});
    const CUstream stream = new_stream();
    for (const auto order : {CU_MEMCPY_SRC_ACCESS_ORDER_STREAM, CU_MEMCPY_SRC_ACCESS_ORDER_ANY}) {
        CUmemcpyAttributes attributes = in_order(order);
        EXPECT_OK(cu().cuMemsetD32(destination, 0, 4));
        EXPECT_OK(cu().cuCtxSynchronize());
        EXPECT_OK(copy(destination, source, 16, &attributes, stream));
        EXPECT_OK(cu().cuStreamSynchronize(stream));
        EXPECT_EQ(download<unsigned>(destination, 4), (Words{1, 2, 3, 4})) << order;
    }
    CUmemcpyAttributes wrong = in_order(static_cast<CUmemcpySrcAccessOrder>(9));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, copy(destination, source, 16, &wrong, stream));
}

TEST_F(NewerCopyTest, ASourceThatIsReadDuringTheCallMayGoAfterIt) {
    auto* const copy = newer<Copy>("cuMemcpyWithAttributesAsync", 13020);
    if (copy == nullptr) return;
    const CUdeviceptr destination = upload<unsigned>({0, 0});
    const CUstream stream = new_stream();
    void* pinned = nullptr;
    ASSERT_OK(cu().cuMemHostAlloc(&pinned, 8, 0));
    auto* const words = static_cast<unsigned*>(pinned);
    words[0] = 5, words[1] = 6;
    CUmemcpyAttributes attributes = in_order(CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL);
    EXPECT_OK(copy(destination, reinterpret_cast<CUdeviceptr>(pinned), 8, &attributes, stream));
    words[0] = words[1] = 9;
    EXPECT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(download<unsigned>(destination, 2), (Words{5, 6}));
    EXPECT_OK(cu().cuMemFreeHost(pinned));
}

TEST_F(NewerCopyTest, ARegionHasThemToo) {
    using Copy3d = CUresult(CUDA_MEMCPY3D_BATCH_OP*, unsigned long long, CUstream);
    auto* const copy = newer<Copy3d>("cuMemcpy3DWithAttributesAsync", 13020);
    if (copy == nullptr) return;
    const CUdeviceptr source = upload<unsigned>({1, 2, 3, 4, 5, 6}), destination = upload<unsigned>({0, 0, 0, 0});
    const CUstream stream = new_stream();
    CUDA_MEMCPY3D_BATCH_OP operation{};  // two columns of three
    operation.src.type = operation.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
    operation.src.op.ptr.ptr = source;
    operation.src.op.ptr.rowLength = 12;
    operation.dst.op.ptr.ptr = destination;
    operation.extent = {8, 2, 1};
    operation.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    EXPECT_OK(copy(&operation, 0, stream));
    EXPECT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(download<unsigned>(destination, 4), (Words{1, 2, 4, 5}));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, copy(&operation, 1, stream));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, copy(nullptr, 0, stream));
}

TEST_F(NewerCopyTest, TheFormWithThePerThreadDefaultStreamIsAnother) {
    const cuuint64_t per_thread = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    auto* const copy = newer<Copy>("cuMemcpyWithAttributesAsync", 13020, per_thread);
    if (copy == nullptr) return;
    EXPECT_NE(copy, newer<Copy>("cuMemcpyWithAttributesAsync", 13020));
    const CUdeviceptr source = upload<unsigned>({3}), destination = upload<unsigned>({0});
    CUmemcpyAttributes attributes = in_order(CU_MEMCPY_SRC_ACCESS_ORDER_STREAM);
    EXPECT_OK(copy(destination, source, 4, &attributes, nullptr));
    EXPECT_OK(cu().cuStreamSynchronize(CU_STREAM_PER_THREAD));
    EXPECT_EQ(download<unsigned>(destination, 1), Words{3});
}

TEST_F(NewerCopyTest, WhereManagedMemoryIsIsSummarised) {
    using Locate = CUresult(CUdeviceptr, size_t, size_t, size_t, CUmemLocation*);
    auto* const locate = newer<Locate>("cuMemGetLocationInfo", 13040);
    int concurrent = 0;
    EXPECT_OK(cu().cuDeviceGetAttribute(&concurrent, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, device));
    if (locate == nullptr || concurrent == 0) return;
    constexpr size_t part = 2 << 20;
    CUdeviceptr memory = 0;
    ASSERT_OK(cu().cuMemAllocManaged(&memory, 2 * part, CU_MEM_ATTACH_GLOBAL));
    std::memset(reinterpret_cast<void*>(memory), 1, 2 * part);
    CUmemLocation here{};
    here.type = CU_MEM_LOCATION_TYPE_DEVICE;
    EXPECT_OK(cu().cuMemPrefetchAsync(memory + part, part, here, 0, nullptr));
    EXPECT_OK(cu().cuCtxSynchronize());
    CUmemLocation found[2]{};
    EXPECT_OK(locate(memory, 2 * part, part, 0, found));
    EXPECT_NE(found[0].type, CU_MEM_LOCATION_TYPE_DEVICE);
    EXPECT_EQ(found[1].type, CU_MEM_LOCATION_TYPE_DEVICE);
    EXPECT_EQ(found[1].id, device);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, locate(memory, part, 0, 0, found)) << "no summary";
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, locate(memory, part, 2 * part, 0, found)) << "a summary of more than there is";
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, locate(memory, part, part, 2 * part, found));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, locate(allocate(part), part, part, 0, found)) << "not managed";
    EXPECT_OK(cu().cuMemFree(memory));
}

class NewerGraphTest : public GraphTest {
protected:
    using GetParameters = CUresult(CUgraphNode, CUgraphNodeParams*);
    using AddNode = CUresult(CUgraphNode*, CUgraph, const CUgraphNode*, const CUgraphEdgeData*, size_t,
                             CUgraphNodeParams*);
};

TEST_F(NewerGraphTest, GraphsAndNodesHaveNumbers) {
    auto* const id_of = newer<CUresult(CUgraph, unsigned int*)>("cuGraphGetId", 13010);
    if (id_of == nullptr) return;
    auto* const id_of_executable = newer<CUresult(CUgraphExec, unsigned int*)>("cuGraphExecGetId", 13010);
    auto* const local_id_of = newer<CUresult(CUgraphNode, unsigned int*)>("cuGraphNodeGetLocalId", 13010);
    auto* const tools_id_of = newer<CUresult(CUgraphNode, unsigned long long*)>("cuGraphNodeGetToolsId", 13010);
    CUgraph other = nullptr;
    ASSERT_OK(cu().cuGraphCreate(&other, 0));
    CUgraphNode first = nullptr, second = nullptr;
    ASSERT_OK(cu().cuGraphAddEmptyNode(&first, graph, nullptr, 0));
    ASSERT_OK(cu().cuGraphAddEmptyNode(&second, graph, nullptr, 0));
    CUgraphExec executable = nullptr;
    ASSERT_OK(cu().cuGraphInstantiate(&executable, graph, 0));
    unsigned int one = 0, two = 0, three = 0;
    EXPECT_OK(id_of(graph, &one));
    EXPECT_OK(id_of(other, &two));
    EXPECT_OK(id_of_executable(executable, &three));
    EXPECT_NE(one, two);
    unsigned int local[2]{};
    unsigned long long tools[2]{};
    EXPECT_OK(local_id_of(first, &local[0]));
    EXPECT_OK(local_id_of(second, &local[1]));
    EXPECT_NE(local[0], local[1]);
    EXPECT_OK(tools_id_of(first, &tools[0]));
    EXPECT_OK(tools_id_of(second, &tools[1]));
    EXPECT_NE(tools[0], tools[1]);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, id_of(graph, nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, id_of(nullptr, &one));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, id_of_executable(nullptr, &one));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, local_id_of(first, nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, tools_id_of(nullptr, &tools[0]));
    EXPECT_OK(cu().cuGraphExecDestroy(executable));
    EXPECT_OK(cu().cuGraphDestroy(other));
}

TEST_F(NewerGraphTest, ANodeKnowsTheGraphThatItIsIn) {
    auto* const containing = newer<CUresult(CUgraphNode, CUgraph*)>("cuGraphNodeGetContainingGraph", 13010);
    if (containing == nullptr) return;
    CUgraph child = nullptr, copied = nullptr, found = nullptr;
    CUgraphNode node = nullptr, inner = nullptr;
    ASSERT_OK(cu().cuGraphCreate(&child, 0));
    ASSERT_OK(cu().cuGraphAddEmptyNode(&node, child, nullptr, 0));
    EXPECT_OK(containing(node, &found));
    EXPECT_EQ(found, child);
    CUgraphNode holder = nullptr;
    ASSERT_OK(cu().cuGraphAddChildGraphNode(&holder, graph, nullptr, 0, child));
    ASSERT_OK(cu().cuGraphChildGraphNodeGetGraph(holder, &copied));
    size_t count = 1;
    ASSERT_OK(cu().cuGraphGetNodes(copied, &inner, &count));
    EXPECT_OK(containing(inner, &found));
    EXPECT_EQ(found, copied);
    EXPECT_OK(containing(holder, &found));
    EXPECT_EQ(found, graph);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, containing(holder, nullptr));
    EXPECT_OK(cu().cuGraphDestroy(child));
}

TEST_F(NewerGraphTest, ParametersAreThoseOfTheNodesKind) {
    auto* const get = newer<GetParameters>("cuGraphNodeGetParams", 13020);
    if (get == nullptr) return;
    CUdeviceptr memory = allocate(64);
    unsigned count = 3;
    void* arguments[] = {&memory, &count};
    const CUgraphNode launched = add_kernel(kernel("increment", 32, arguments));
    CUgraphNodeParams found{};
    ASSERT_OK(get(launched, &found));
    EXPECT_EQ(found.type, CU_GRAPH_NODE_TYPE_KERNEL);
    EXPECT_EQ(found.kernel.blockDimX, 32u);
    EXPECT_EQ(*static_cast<unsigned*>(found.kernel.kernelParams[1]), 3u);

    ASSERT_OK(get(add_memset(memset_words(memory, 5, 16)), &found));
    EXPECT_EQ(found.type, CU_GRAPH_NODE_TYPE_MEMSET);
    EXPECT_EQ(found.memset.dst, memory);
    EXPECT_EQ(found.memset.value, 5u);
    EXPECT_EQ(found.memset.width, 16u);

    Notes notes;
    const CUDA_HOST_NODE_PARAMS note = notes.note(1);
    ASSERT_OK(get(add_host(note), &found));
    EXPECT_EQ(found.type, CU_GRAPH_NODE_TYPE_HOST);
    EXPECT_EQ(found.host.fn, note.fn);
    EXPECT_EQ(found.host.userData, note.userData);

    const CUevent event = new_event();
    CUgraphNode recorded = nullptr;
    ASSERT_OK(cu().cuGraphAddEventRecordNode(&recorded, graph, nullptr, 0, event));
    ASSERT_OK(get(recorded, &found));
    EXPECT_EQ(found.type, CU_GRAPH_NODE_TYPE_EVENT_RECORD);
    EXPECT_EQ(found.eventRecord.event, event);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, get(recorded, nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, get(nullptr, &found));
}

TEST_F(NewerGraphTest, AConditionalNodeTellsItsKindItsHandleAndItsBodies) {
    auto* const get = newer<GetParameters>("cuGraphNodeGetParams", 13020);
    if (get == nullptr) return;
    CUgraphNodeParams made{};
    made.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    ASSERT_OK(cu().cuGraphConditionalHandleCreate(&made.conditional.handle, graph, context, 0, 0));
    made.conditional.type = CU_GRAPH_COND_TYPE_IF;
    made.conditional.size = 2;
    made.conditional.ctx = context;
    CUgraphNode node = nullptr;
    ASSERT_OK(cu().cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &made));
    CUgraphNodeParams found{};
    ASSERT_OK(get(node, &found));
    EXPECT_EQ(found.type, CU_GRAPH_NODE_TYPE_CONDITIONAL);
    EXPECT_EQ(found.conditional.handle, made.conditional.handle);
    EXPECT_EQ(found.conditional.type, CU_GRAPH_COND_TYPE_IF);
    ASSERT_EQ(found.conditional.size, 2u);
    EXPECT_EQ(found.conditional.phGraph_out[0], made.conditional.phGraph_out[0]);
    EXPECT_EQ(found.conditional.phGraph_out[1], made.conditional.phGraph_out[1]);
}

TEST_F(NewerGraphTest, AllocationsTellTheirAddressAndSize) {
    auto* const get = newer<GetParameters>("cuGraphNodeGetParams", 13020);
    if (get == nullptr) return;
    CUDA_MEM_ALLOC_NODE_PARAMS wanted{};
    wanted.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    wanted.bytesize = 256;
    CUgraphNode allocated = nullptr, freed = nullptr;
    ASSERT_OK(cu().cuGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &wanted));
    ASSERT_OK(cu().cuGraphAddMemFreeNode(&freed, graph, &allocated, 1, wanted.dptr));
    CUgraphNodeParams found{};
    ASSERT_OK(get(allocated, &found));
    EXPECT_EQ(found.alloc.bytesize, 256u);
    EXPECT_EQ(found.alloc.dptr, wanted.dptr);
    ASSERT_OK(get(freed, &found));
    EXPECT_EQ(found.free.dptr, wanted.dptr);
}

TEST_F(NewerGraphTest, AKernelsFunctionAndContextMustBelongTogether) {
    auto* const add = newer<AddNode>("cuGraphAddNode", 13040);
    if (add == nullptr) return;
    auto* const set = newer<GetParameters>("cuGraphNodeSetParams", 13040);
    CUdeviceptr memory = upload<unsigned>({1, 2, 3});
    unsigned count = 3;
    void* arguments[] = {&memory, &count};
    CUgraphNodeParams node{};
    node.type = CU_GRAPH_NODE_TYPE_KERNEL;
    node.kernel.func = function("increment");
    node.kernel.gridDimX = node.kernel.gridDimY = node.kernel.gridDimZ = 1;
    node.kernel.blockDimX = 32;
    node.kernel.blockDimY = node.kernel.blockDimZ = 1;
    node.kernel.kernelParams = arguments;
    node.kernel.ctx = context;
    CUgraphNode added = nullptr;
    ASSERT_OK(add(&added, graph, nullptr, nullptr, 0, &node));
    count = 2;
    EXPECT_OK(set(added, &node));
    CUcontext other = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&other, nullptr, 0, device));
    ASSERT_OK(cu().cuCtxSetCurrent(context));
    node.kernel.ctx = other;
    CUgraphNode refused = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, add(&refused, graph, nullptr, nullptr, 0, &node));
    EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, set(added, &node));
    EXPECT_OK(cu().cuCtxDestroy(other));
    CUgraphExec executable = nullptr;
    ASSERT_OK(cu().cuGraphInstantiate(&executable, graph, 0));
    ASSERT_OK(cu().cuGraphLaunch(executable, nullptr));
    EXPECT_OK(cu().cuCtxSynchronize());
    EXPECT_EQ(download<unsigned>(memory, 3), (Words{2, 3, 3}));
    EXPECT_OK(cu().cuGraphExecDestroy(executable));
}

// CU_DEV_SM_RESOURCE_GROUP_PARAMS of CUDA 13.1 and later.
struct SplitGroup {
    unsigned int count, coscheduled, preferred_coscheduled, flags, reserved[12];
};
constexpr unsigned int backfill = 1;

class NewerSplitTest : public DriverTest {
protected:
    using Split = CUresult(CUdevResource*, unsigned int, const CUdevResource*, CUdevResource*, unsigned int,
                           SplitGroup*);
    static bool in_its_process() { return in_process_of_its_own({"CUPRUM_SIM=cc=9.0,multiprocessors=32"}); }
    CUdevResource whole() {
        CUdevResource all{};
        EXPECT_OK(cu().cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_SM));
        return all;
    }
};

TEST_F(NewerSplitTest, GroupsAreAsTheyAreDescribed) {
    if (!in_its_process()) return;
    auto* const split = newer<Split>("cuDevSmResourceSplit", 13010);
    if (split == nullptr) return;
    const CUdevResource all = whole();
    SplitGroup groups[] = {{8, 4, 0, 0, {}}, {0, 2, 0, backfill, {}}};
    CUdevResource results[2]{}, remainder{};
    ASSERT_OK(split(results, 2, &all, &remainder, 0, groups));
    EXPECT_EQ(results[0].sm.smCount, 8u);
    EXPECT_EQ(results[0].sm.smCoscheduledAlignment, 4u);
    EXPECT_EQ(results[1].sm.smCount, groups[1].count) << "what was found is written back";
    EXPECT_EQ(results[1].sm.smCount, all.sm.smCount - 8);
    EXPECT_EQ(remainder.type, CU_DEV_RESOURCE_TYPE_INVALID) << "nothing is left";
}

TEST_F(NewerSplitTest, AGreenContextIsMadeOfAGroup) {
    if (!in_its_process()) return;
    auto* const split = newer<Split>("cuDevSmResourceSplit", 13010);
    if (split == nullptr) return;
    auto* const resource_of =
        newer<CUresult(CUstream, CUdevResource*, CUdevResourceType)>("cuStreamGetDevResource", 13010);
    const CUdevResource all = whole();
    SplitGroup group{8, 0, 0, 0, {}};
    CUdevResource result{}, remainder{}, found{};
    ASSERT_OK(split(&result, 1, &all, &remainder, 0, &group));
    EXPECT_EQ(group.coscheduled, 0u) << "the default stays unsaid";
    EXPECT_EQ(remainder.sm.smCount, all.sm.smCount - 8);
    CUdevResourceDesc description = nullptr;
    CUgreenCtx green = nullptr;
    CUstream stream = nullptr;
    ASSERT_OK(cu().cuDevResourceGenerateDesc(&description, &result, 1));
    ASSERT_OK(cu().cuGreenCtxCreate(&green, description, device, CU_GREEN_CTX_DEFAULT_STREAM));
    ASSERT_OK(cu().cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, 0));
    EXPECT_OK(resource_of(stream, &found, CU_DEV_RESOURCE_TYPE_SM));
    EXPECT_EQ(found.sm.smCount, 8u);
    EXPECT_OK(resource_of(new_stream(), &found, CU_DEV_RESOURCE_TYPE_SM));
    EXPECT_EQ(found.sm.smCount, all.sm.smCount);
    EXPECT_CU(CUDA_ERROR_INVALID_RESOURCE_TYPE, resource_of(stream, &found, CU_DEV_RESOURCE_TYPE_INVALID));
    EXPECT_OK(cu().cuStreamDestroy(stream));
    EXPECT_OK(cu().cuGreenCtxDestroy(green));
}

TEST_F(NewerSplitTest, WhatCannotBeHadIsRefused) {
    if (!in_its_process()) return;
    auto* const split = newer<Split>("cuDevSmResourceSplit", 13010);
    if (split == nullptr) return;
    const CUdevResource all = whole();
    CUdevResource results[2]{};
    const auto refused = [&](std::vector<SplitGroup> groups) {
        return split(results, static_cast<unsigned int>(groups.size()), &all, nullptr, 0, groups.data());
    };
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, refused({{3, 2, 0, 0, {}}})) << "odd";
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, refused({{10, 4, 0, 0, {}}})) << "no multiple of those scheduled together";
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, refused({{8, 64, 0, 0, {}}})) << "more together than can be";
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, refused({{8, 0, 0, 0x100, {}}})) << "an unknown flag";
    EXPECT_CU(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, refused({{0, 2, 0, 0, {}}, {2, 2, 0, 0, {}}}))
        << "nothing is left for the second";
    SplitGroup discovered[] = {{0, 2, 0, 0, {}}, {0, 2, 0, 0, {}}};
    EXPECT_OK(split(nullptr, 2, &all, nullptr, 0, discovered)) << "to find out, none may come out";
    EXPECT_EQ(discovered[0].count, all.sm.smCount);
    EXPECT_EQ(discovered[1].count, 0u);
}

}  // namespace
}  // namespace cuprum::test
