// Against the record: streams, events, functions, launches and graphs: what their flags and attributes do, and what
// null handles are answered.
#include <cstring>
#include <vector>

#include "driver_api.hpp"
#include "record.hpp"

namespace cuprum::test {
namespace {

class ObjectRecordTest : public DriverTest {};

TEST_F(ObjectRecordTest, Streams) {
    if (!Record::applies()) return;
    Record record("stream");
    for (unsigned int flags = 0; flags < 4; ++flags) {
        CUstream stream = nullptr;
        const CUresult code = cu().cuStreamCreate(&stream, flags);
        record.check("create." + std::to_string(flags), code);
        if (code == CUDA_SUCCESS) {
            EXPECT_OK(cu().cuStreamDestroy(stream));
        }
    }
    int least = 0, greatest = 0;
    ASSERT_OK(cu().cuCtxGetStreamPriorityRange(&least, &greatest));
    record.check("priority.least", std::to_string(least));
    record.check("priority.greatest", std::to_string(greatest));
    const CUstream stream = new_stream();
    for (int which = 0; which <= 20; ++which) {
        const auto attribute = static_cast<CUstreamAttrID>(which);
        const std::string name = "attribute." + std::to_string(which);
        CUstreamAttrValue value{};
        record.check(name, cu().cuStreamGetAttribute(stream, attribute, &value));
        record.check(name + ".set", cu().cuStreamSetAttribute(stream, attribute, &value));
    }
}

TEST_F(ObjectRecordTest, Events) {
    if (!Record::applies()) return;
    Record record("event");
    for (unsigned int flags = 0; flags < 16; ++flags) {
        CUevent event = nullptr;
        const CUresult code = cu().cuEventCreate(&event, flags);
        record.check("create." + std::to_string(flags), code);
        if (code == CUDA_SUCCESS) {
            EXPECT_OK(cu().cuEventDestroy(event));
        }
    }
    const CUstream stream = new_stream();
    const CUevent timed = new_event(), other = new_event(), untimed = new_event(CU_EVENT_DISABLE_TIMING);
    float milliseconds = 0;
    record.check("elapsed.unrecorded", cu().cuEventElapsedTime(&milliseconds, timed, other));
    for (unsigned int flags = 0; flags < 4; ++flags) {
        record.check("record." + std::to_string(flags), cu().cuEventRecordWithFlags(timed, stream, flags));
        record.check("wait." + std::to_string(flags), cu().cuStreamWaitEvent(stream, timed, flags));
    }
    record.check("elapsed.half_recorded", cu().cuEventElapsedTime(&milliseconds, timed, other));
    ASSERT_OK(cu().cuEventRecord(untimed, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    record.check("elapsed.untimed", cu().cuEventElapsedTime(&milliseconds, timed, untimed));
    record.check("elapsed.null", cu().cuEventElapsedTime(&milliseconds, timed, nullptr));
}

TEST_F(ObjectRecordTest, Functions) {
    if (!Record::applies()) return;
    Record record("function_attribute");
    for (const char* const name : {"saxpy", "static_shared", "reverse", "bounded"}) {
        for (int which = 0; which <= CU_FUNC_ATTRIBUTE_MAX; ++which) {
            const std::string key = std::string(name) + "." + std::to_string(which);
            const auto attribute = static_cast<CUfunction_attribute>(which);
            int value = 0;
            CUresult code = cu().cuFuncGetAttribute(&value, attribute, function(name));
            // How many registers and how much local memory a kernel needs is each compiler's own affair.
            const bool of_compiler = which == CU_FUNC_ATTRIBUTE_NUM_REGS || which == CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES;
            record.check(key, code, of_compiler ? 0 : value);
            for (const int wanted : {-1, 0, 1, 2}) {
                code = cu().cuFuncSetAttribute(function(name), attribute, wanted);
                record.check(key + ".set." + std::to_string(wanted), code);
            }
        }
    }
    for (const int wanted : {-2, -1, 0, 50, 100, 101}) {
        record.check(
            "carveout." + std::to_string(wanted),
            cu().cuFuncSetAttribute(function("fill"), CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, wanted));
    }
    const int limit = 227 * 1024;
    for (const int wanted : {limit - 1024, limit - 1023, limit, limit + 1}) {
        const auto dynamic = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        record.check("dynamic." + std::to_string(wanted),
                     cu().cuFuncSetAttribute(function("reverse"), dynamic, wanted));
        record.check("dynamic_beside_static." + std::to_string(wanted),
                     cu().cuFuncSetAttribute(function("static_shared"), dynamic, wanted));
    }
    for (int which = 0; which < 5; ++which) {
        record.check("cache." + std::to_string(which),
                     cu().cuFuncSetCacheConfig(function("fill"), static_cast<CUfunc_cache>(which)));
    }
}

TEST_F(ObjectRecordTest, LaunchAttributes) {
    if (!Record::applies()) return;
    Record record("launch_attribute");
    const CUstream stream = new_stream();
    const CUfunction nothing = function("nothing");
    for (int which = 0; which <= 20; ++which) {
        CUlaunchAttribute attribute{};
        attribute.id = static_cast<CUlaunchAttributeID>(which);
        CUlaunchConfig config{};
        config.gridDimX = config.gridDimY = config.gridDimZ = 1;
        config.blockDimX = config.blockDimY = config.blockDimZ = 1;
        config.hStream = stream;
        config.attrs = &attribute;
        config.numAttrs = 1;
        record.check("zero." + std::to_string(which), cu().cuLaunchKernelEx(&config, nothing, nullptr, nullptr));
        std::memset(attribute.value.pad, 0xff, sizeof attribute.value.pad);
        if (which == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT || which == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT) {
            continue;  // no pointer to give away
        }
        record.check("ones." + std::to_string(which), cu().cuLaunchKernelEx(&config, nothing, nullptr, nullptr));
    }
    CUlaunchConfig config{};
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    config.numAttrs = 1;
    record.check("no_array", cu().cuLaunchKernelEx(&config, nothing, nullptr, nullptr));
    record.check("no_config", cu().cuLaunchKernelEx(nullptr, nothing, nullptr, nullptr));
    EXPECT_OK(cu().cuStreamSynchronize(stream));

    CUgraph graph = nullptr;
    CUgraphNode node = nullptr;
    ASSERT_OK(cu().cuGraphCreate(&graph, 0));
    CUDA_KERNEL_NODE_PARAMS parameters{};
    parameters.func = nothing;
    parameters.gridDimX = parameters.gridDimY = parameters.gridDimZ = 1;
    parameters.blockDimX = parameters.blockDimY = parameters.blockDimZ = 1;
    ASSERT_OK(cu().cuGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
    for (int which = 0; which <= 20; ++which) {
        const auto attribute = static_cast<CUkernelNodeAttrID>(which);
        CUkernelNodeAttrValue value{};
        record.check("node." + std::to_string(which), cu().cuGraphKernelNodeGetAttribute(node, attribute, &value));
        record.check("node." + std::to_string(which) + ".set",
                     cu().cuGraphKernelNodeSetAttribute(node, attribute, &value));
    }
    EXPECT_OK(cu().cuGraphDestroy(graph));
}

TEST_F(ObjectRecordTest, NullHandles) {
    if (!Record::applies()) return;
    Record record("null");
    int value = 0;
    unsigned int count = 0;
    size_t bytes = 0, offset = 0;
    const char* name = nullptr;
    CUdeviceptr pointer = 0;
    CUmodule module_of = nullptr;
    CUfunction found = nullptr;
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    CUgraph graph = nullptr;
    CUgraphNode node = nullptr;
    CUgraphExec executable = nullptr;
    CUgraphNodeType type{};
    CUcontext other = nullptr;
    cuuint64_t word = 0;
    record.check("cuStreamDestroy", cu().cuStreamDestroy(nullptr));
    record.check("cuStreamQuery", cu().cuStreamQuery(nullptr));
    record.check("cuEventQuery", cu().cuEventQuery(nullptr));
    record.check("cuEventSynchronize", cu().cuEventSynchronize(nullptr));
    record.check("cuEventDestroy", cu().cuEventDestroy(nullptr));
    record.check("cuEventRecord", cu().cuEventRecord(nullptr, nullptr));
    record.check("cuStreamWaitEvent", cu().cuStreamWaitEvent(nullptr, nullptr, 0));
    record.check("cuModuleUnload", cu().cuModuleUnload(nullptr));
    record.check("cuModuleGetFunction", cu().cuModuleGetFunction(&found, nullptr, "f"));
    record.check("cuModuleGetGlobal", cu().cuModuleGetGlobal(&pointer, &bytes, nullptr, "g"));
    record.check("cuModuleGetFunctionCount", cu().cuModuleGetFunctionCount(&count, nullptr));
    record.check("cuLibraryUnload", cu().cuLibraryUnload(nullptr));
    record.check("cuLibraryGetKernel", cu().cuLibraryGetKernel(&kernel, nullptr, "k"));
    record.check("cuLibraryGetModule", cu().cuLibraryGetModule(&module_of, nullptr));
    record.check("cuLibraryGetGlobal", cu().cuLibraryGetGlobal(&pointer, &bytes, nullptr, "g"));
    record.check("cuKernelGetFunction", cu().cuKernelGetFunction(&found, nullptr));
    record.check("cuKernelGetName", cu().cuKernelGetName(&name, nullptr));
    record.check("cuKernelGetLibrary", cu().cuKernelGetLibrary(&library, nullptr));
    record.check("cuKernelGetParamInfo", cu().cuKernelGetParamInfo(nullptr, 0, &offset, &bytes));
    record.check("cuKernelGetAttribute",
                 cu().cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr, device));
    record.check("cuFuncGetAttribute", cu().cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr));
    record.check("cuFuncGetModule", cu().cuFuncGetModule(&module_of, nullptr));
    record.check("cuFuncGetName", cu().cuFuncGetName(&name, nullptr));
    record.check("cuFuncLoad", cu().cuFuncLoad(nullptr));
    record.check("cuLaunchKernel", cu().cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    record.check("cuLaunchHostFunc", cu().cuLaunchHostFunc(nullptr, nullptr, nullptr));
    record.check("cuOccupancyMaxActiveBlocksPerMultiprocessor",
                 cu().cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, nullptr, 32, 0));
    record.check("cuGraphDestroy", cu().cuGraphDestroy(nullptr));
    record.check("cuGraphExecDestroy", cu().cuGraphExecDestroy(nullptr));
    record.check("cuGraphLaunch", cu().cuGraphLaunch(nullptr, nullptr));
    record.check("cuGraphInstantiateWithFlags", cu().cuGraphInstantiate(&executable, nullptr, 0));
    record.check("cuGraphClone", cu().cuGraphClone(&graph, nullptr));
    record.check("cuGraphDestroyNode", cu().cuGraphDestroyNode(nullptr));
    record.check("cuGraphNodeGetType", cu().cuGraphNodeGetType(nullptr, &type));
    record.check("cuGraphGetNodes", cu().cuGraphGetNodes(nullptr, nullptr, &bytes));
    record.check("cuGraphAddEmptyNode", cu().cuGraphAddEmptyNode(&node, nullptr, nullptr, 0));
    record.check("cuUserObjectRelease", cu().cuUserObjectRelease(nullptr, 1));
    record.check("cuMemPoolDestroy", cu().cuMemPoolDestroy(nullptr));
    record.check("cuMemPoolGetAttribute", cu().cuMemPoolGetAttribute(nullptr, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &word));
    record.check("cuMemFree", cu().cuMemFree(0));
    record.check("cuMemFreeAsync", cu().cuMemFreeAsync(0, nullptr));
    record.check("cuMemFreeHost", cu().cuMemFreeHost(nullptr));
    record.check("cuMemHostUnregister", cu().cuMemHostUnregister(nullptr));
    record.check("cuMemRelease", cu().cuMemRelease(0));
    record.check("cuMemUnmap", cu().cuMemUnmap(0, 1 << 21));
    record.check("cuMemAddressFree", cu().cuMemAddressFree(0, 1 << 21));
    record.check("cuArrayDestroy", cu().cuArrayDestroy(nullptr));
    record.check("cuLinkDestroy", cu().cuLinkDestroy(nullptr));
    record.check("cuCtxDestroy", cu().cuCtxDestroy(nullptr));
    record.check("cuCtxPushCurrent", cu().cuCtxPushCurrent(nullptr));
    record.check("cuCtxEnablePeerAccess", cu().cuCtxEnablePeerAccess(nullptr, 0));
    record.check("cuCtxDisablePeerAccess", cu().cuCtxDisablePeerAccess(nullptr));
    record.check("cuCtxEnablePeerAccess.self", cu().cuCtxEnablePeerAccess(context, 0));
    record.check("cuCtxDisablePeerAccess.self", cu().cuCtxDisablePeerAccess(context));
    const CUstream stream = new_stream();
    const CUevent event = new_event();
    const CUdeviceptr memory = allocate(64);
    const CUfunction nothing = function("nothing");
    CUdeviceptr freed = 0;
    ASSERT_OK(cu().cuMemAlloc(&freed, 64));
    ASSERT_OK(cu().cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    ASSERT_OK(cu().cuCtxSetCurrent(nullptr));
    record.check("no_context.cuMemAlloc", cu().cuMemAlloc(&pointer, 4));
    record.check("no_context.cuStreamSynchronize", cu().cuStreamSynchronize(nullptr));
    record.check("no_context.cuCtxSynchronize", cu().cuCtxSynchronize());
    record.check("no_context.cuCtxGetDevice", cu().cuCtxGetDevice(&value));
    record.check("no_context.cuCtxPopCurrent", cu().cuCtxPopCurrent(&other));
    record.check("no_context.cuMemGetInfo", cu().cuMemGetInfo(&bytes, &offset));
    record.check("no_context.cuModuleLoadData", cu().cuModuleLoadData(&module_of, ptx("kernels.ptx").c_str()));
    record.check("no_context.cuGraphCreate", cu().cuGraphCreate(&graph, 0));
    record.check("no_context.cuLibraryLoadData", cu().cuLibraryLoadData(&library, ptx("kernels.ptx").c_str(), nullptr,
                                                                        nullptr, 0, nullptr, nullptr, 0));
    // What is done in a stream that is named needs none.
    record.check("no_context.cuStreamQuery", cu().cuStreamQuery(stream));
    record.check("no_context.cuStreamSynchronize.named", cu().cuStreamSynchronize(stream));
    record.check("no_context.cuEventRecord", cu().cuEventRecord(event, stream));
    record.check("no_context.cuEventSynchronize", cu().cuEventSynchronize(event));
    record.check("no_context.cuStreamWaitEvent", cu().cuStreamWaitEvent(stream, event, 0));
    record.check("no_context.cuMemcpyHtoDAsync", cu().cuMemcpyHtoDAsync(memory, &value, 4, stream));
    record.check("no_context.cuMemcpyHtoD", cu().cuMemcpyHtoD(memory, &value, 4));
    record.check("no_context.cuMemsetD32Async", cu().cuMemsetD32Async(memory, 1, 1, stream));
    CUdeviceptr ordered = 0;
    record.check("no_context.cuMemAllocAsync", cu().cuMemAllocAsync(&ordered, 4, stream));
    record.check("no_context.cuMemFreeAsync", cu().cuMemFreeAsync(ordered, stream));
    record.check("no_context.cuLaunchKernel",
                 cu().cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    record.check("no_context.cuFuncGetAttribute",
                 cu().cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, nothing));
    record.check("no_context.cuStreamBeginCapture",
                 cu().cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    record.check("no_context.cuLaunchKernel.captured",
                 cu().cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    CUgraph captured = nullptr;
    record.check("no_context.cuStreamEndCapture", cu().cuStreamEndCapture(stream, &captured));
    record.check("no_context.cuGraphInstantiate", cu().cuGraphInstantiate(&executable, captured, 0));
    ASSERT_OK(cu().cuCtxSetCurrent(context));
    ASSERT_OK(cu().cuGraphInstantiate(&executable, captured, 0));
    ASSERT_OK(cu().cuCtxSetCurrent(nullptr));
    record.check("no_context.cuGraphUpload", cu().cuGraphUpload(executable, stream));
    record.check("no_context.cuGraphLaunch", cu().cuGraphLaunch(executable, stream));
    record.check("no_context.cuGraphExecDestroy", cu().cuGraphExecDestroy(executable));
    record.check("no_context.cuGraphDestroy", cu().cuGraphDestroy(captured));
    record.check("no_context.cuMemFree.device", cu().cuMemFree(freed));
    CUstream other_stream = nullptr;
    CUevent other_event = nullptr;
    record.check("no_context.cuStreamCreate", cu().cuStreamCreate(&other_stream, CU_STREAM_NON_BLOCKING));
    record.check("no_context.cuEventCreate", cu().cuEventCreate(&other_event, CU_EVENT_DEFAULT));
    record.check("no_context.cuMemFreeHost", cu().cuMemFreeHost(nullptr));
    record.check("no_context.cuMemFree", cu().cuMemFree(0));
    if (library != nullptr) {
        EXPECT_OK(cu().cuLibraryUnload(library));
    }
    if (graph != nullptr) {
        EXPECT_OK(cu().cuGraphDestroy(graph));
    }
    ASSERT_OK(cu().cuCtxSetCurrent(context));
}

// A graph of one node of each sort that can change.
class UpdateRecordTest : public DriverTest {
protected:
    struct Shape {
        const char* kernel = "increment";
        unsigned int grid = 1;
        bool fill_before = true;
        bool edge = true;
        bool host_instead_of_fill = false;
        size_t fill_width = 16;
        unsigned int fill_element = 4;
        size_t copied = 64;
        bool copy_from_host = false;
        int priority = 0;
        bool cooperative = false;
    };
    CUgraph build(const Shape& shape) {
        CUgraph graph = nullptr;
        CUgraphNode first = nullptr, second = nullptr, third = nullptr;
        EXPECT_OK(cu().cuGraphCreate(&graph, 0));
        if (shape.fill_before && !shape.host_instead_of_fill) {
            CUDA_MEMSET_NODE_PARAMS fill{};
            fill.dst = memory;
            fill.elementSize = shape.fill_element;
            fill.width = shape.fill_width;
            fill.height = 1;
            EXPECT_OK(cu().cuGraphAddMemsetNode(&first, graph, nullptr, 0, &fill, context));
        } else if (shape.host_instead_of_fill) {
            CUDA_HOST_NODE_PARAMS host{};
            host.fn = [](void*) {};
            EXPECT_OK(cu().cuGraphAddHostNode(&first, graph, nullptr, 0, &host));
        }
        CUDA_KERNEL_NODE_PARAMS kernel{};
        void* parameters[] = {&memory, &n, &n};
        kernel.func = function(shape.kernel);
        kernel.gridDimX = shape.grid;
        kernel.gridDimY = kernel.gridDimZ = 1;
        kernel.blockDimX = 32;
        kernel.blockDimY = kernel.blockDimZ = 1;
        kernel.kernelParams = parameters;
        const size_t edges = shape.edge && first != nullptr ? 1 : 0;
        EXPECT_OK(cu().cuGraphAddKernelNode(&second, graph, &first, edges, &kernel));
        if (shape.priority != 0) {
            CUkernelNodeAttrValue value{};
            value.priority = shape.priority;
            EXPECT_OK(cu().cuGraphKernelNodeSetAttribute(second, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
        }
        if (shape.cooperative) {
            CUkernelNodeAttrValue value{};
            value.cooperative = 1;
            EXPECT_OK(cu().cuGraphKernelNodeSetAttribute(second, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
        }
        CUDA_MEMCPY3D copy{};
        copy.srcMemoryType = shape.copy_from_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        copy.srcDevice = memory;
        copy.srcHost = host_memory.data();
        copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.dstDevice = memory + 512;
        copy.WidthInBytes = shape.copied;
        copy.Height = copy.Depth = 1;
        EXPECT_OK(cu().cuGraphAddMemcpyNode(&third, graph, &second, 1, &copy, context));
        return graph;
    }

    CUdeviceptr memory = 0;
    unsigned n = 1;
    std::vector<unsigned char> host_memory = std::vector<unsigned char>(1024);
};

TEST_F(UpdateRecordTest, GraphUpdates) {
    if (!Record::applies()) return;
    Record record("update");
    memory = allocate(4096);
    const auto update = [&](const std::string& name, const Shape& from, const Shape& to) {
        const CUgraph before = build(from), after = build(to);
        CUgraphExec executable = nullptr;
        EXPECT_OK(cu().cuGraphInstantiate(&executable, before, 0));
        CUgraphExecUpdateResultInfo info{};
        const CUresult code = cu().cuGraphExecUpdate(executable, after, &info);
        record.check(name, short_name(code) + " " + std::to_string(info.result) +
                               (info.errorNode != nullptr ? " node" : "") +
                               (info.errorFromNode != nullptr ? " from" : ""));
        EXPECT_OK(cu().cuGraphExecDestroy(executable));
        EXPECT_OK(cu().cuGraphDestroy(before));
        EXPECT_OK(cu().cuGraphDestroy(after));
    };
    update("same", {}, {});
    update("grid", {}, {.grid = 2});
    update("function", {}, {.kernel = "fill"});
    update("one_node_less", {}, {.fill_before = false});
    update("one_node_more", {.fill_before = false}, {});
    update("edge_gone", {}, {.edge = false});
    update("edge_more", {.edge = false}, {});
    update("type", {}, {.host_instead_of_fill = true});
    update("fill_width", {}, {.fill_width = 8});
    update("fill_element", {}, {.fill_element = 1});
    update("copy_length", {}, {.copied = 32});
    update("copy_kind", {}, {.copy_from_host = true});
    update("priority", {}, {.priority = -2});
    update("cooperative", {}, {.cooperative = true});
    update("no_longer_cooperative", {.cooperative = true}, {});
    CUgraph graph = build({});
    CUgraphExec executable = nullptr;
    for (unsigned int flags = 0; flags < 32; ++flags) {
        const CUresult code = cu().cuGraphInstantiate(&executable, graph, flags);
        record.check("instantiate." + std::to_string(flags), code);
        if (code == CUDA_SUCCESS) {
            EXPECT_OK(cu().cuGraphExecDestroy(executable));
        }
        CUDA_GRAPH_INSTANTIATE_PARAMS parameters{};
        parameters.flags = flags;
        const CUresult with = cu().cuGraphInstantiateWithParams(&executable, graph, &parameters);
        record.check("instantiate_with_params." + std::to_string(flags),
                     short_name(with) + " " + std::to_string(parameters.result_out));
        if (with == CUDA_SUCCESS) {
            EXPECT_OK(cu().cuGraphExecDestroy(executable));
        }
    }
    EXPECT_OK(cu().cuGraphDestroy(graph));
}

}  // namespace
}  // namespace cuprum::test
