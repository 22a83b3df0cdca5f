#include "graph_node_parameters.hpp"

#include <array>
#include <memory>
#include <utility>

#include "device_properties.hpp"
#include "driver_error.hpp"
#include "host_function.hpp"
#include "kept_memory.hpp"
#include "launch_attributes.hpp"
#include "launch_checks.hpp"
#include "memory_word.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

// A node keeps the memory that it uses.
void keep_memory(NodeParameters& made, std::span<const DevicePointer> addresses) {
    auto kept = std::make_shared<KeptMemory>();
    for (const DevicePointer address : addresses)
        kept->add(address);
    made.owners.push_back(std::move(kept));
}

}  // namespace

NodeParameters kernel_node(const OpenGraph& graph, const LaunchConfig& config, const Kernel& kernel,
                           std::span<const void* const> addresses, GraphOwners owners) {
    const KernelAccess::State& state = require_kernel(kernel);
    check_limits(state, graph.device_id(), config,
                 device_properties(device_state(graph.device_id()), graph.device_id()));
    if (config.programmatic_stream_serialization) {
        throw InvalidArgument(graph.operation(), describe_kernel(state.name, graph.device_id()),
                              "programmatic stream serialization is for launches in a stream",
                              "leave it out, or capture the launches with a graph builder");
    }
    LaunchAttributes attributes(config);
    const CUlaunchConfig given = attributes.driver_config(config, nullptr);
    NodeParameters made{{}, std::move(owners)};
    made.values.type = CU_GRAPH_NODE_TYPE_KERNEL;
    CUDA_KERNEL_NODE_PARAMS_v3& values = made.values.kernel;
    values.gridDimX = given.gridDimX;
    values.gridDimY = given.gridDimY;
    values.gridDimZ = given.gridDimZ;
    values.blockDimX = given.blockDimX;
    values.blockDimY = given.blockDimY;
    values.blockDimZ = given.blockDimZ;
    values.sharedMemBytes = given.sharedMemBytes;
    values.kernelParams = const_cast<void**>(addresses.data());  // the driver only reads
    values.kern = state.handle;
    values.ctx = graph.context();
    made.owners.push_back(KernelAccess::owner(kernel));
    keep_memory(made, memory_of_arguments(state, addresses));
    return made;
}

void check_node_arguments(const Kernel& kernel, int32_t device_id, std::span<const void* const> addresses,
                          std::span<const ArgumentType> types) {
    check_arguments(require_kernel(kernel), device_id, addresses, types);
}

void set_node_attributes(CUgraphNode node, const LaunchConfig& config, const char* operation) {
    const LaunchAttributes attributes(config);
    for (const CUlaunchAttribute& each : attributes.all()) {
        check(driver::cuGraphKernelNodeSetAttribute(node, each.id, &each.value), "cuGraphKernelNodeSetAttribute",
              operation, "attribute of a kernel node");
    }
}

LaunchConfig node_config(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS& values, const char* operation) {
    const auto attribute = [&](CUlaunchAttributeID id) {
        CUkernelNodeAttrValue value{};
        check(driver::cuGraphKernelNodeGetAttribute(node, id, &value), "cuGraphKernelNodeGetAttribute", operation,
              "attribute of a kernel node");
        return value;
    };
    LaunchConfig config{{values.gridDimX, values.gridDimY, values.gridDimZ},
                        {values.blockDimX, values.blockDimY, values.blockDimZ},
                        values.sharedMemBytes};
    config.is_cooperative = attribute(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative != 0;
    const auto cluster = attribute(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim;
    if (uint64_t{cluster.x} * cluster.y * cluster.z > 1) {
        config.cluster = Dimensions{cluster.x, cluster.y, cluster.z};
        config.grid = {values.gridDimX / cluster.x, values.gridDimY / cluster.y, values.gridDimZ / cluster.z};
    }
    if (const int priority = attribute(CU_LAUNCH_ATTRIBUTE_PRIORITY).priority; priority != 0)
        config.priority = priority;
    const auto carveout =
        static_cast<int32_t>(attribute(CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT).sharedMemCarveout);
    if (carveout > 0) config.preferred_shared_memory_carveout = carveout;
    const CUlaunchMemSyncDomain domain = attribute(CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN).memSyncDomain;
    if (domain != CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT) config.memory_sync_domain = static_cast<MemorySyncDomain>(domain);
    const CUlaunchMemSyncDomainMap map = attribute(CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP).memSyncDomainMap;
    if (map.default_ != 0 || map.remote > 1) config.memory_sync_domain_map = {map.default_, map.remote};
    const CUaccessPolicyWindow window = attribute(CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW).accessPolicyWindow;
    if (window.num_bytes != 0) {
        config.access_policy_window = {reinterpret_cast<uintptr_t>(window.base_ptr), window.num_bytes, window.hitRatio,
                                       static_cast<AccessProperty>(window.hitProp),
                                       static_cast<AccessProperty>(window.missProp)};
    }
    return config;
}

std::string node_limits_note(const Kernel& kernel, int32_t device_id, const LaunchConfig& config) {
    return kernel_limits_note(require_kernel(kernel), device_id, config);
}

NodeParameters memcpy_node(const OpenGraph& graph, const MemcpyNodeParameters& parameters, GraphOwners owners) {
    if (parameters.size == 0 || parameters.destination == 0 || parameters.source == 0) {
        throw InvalidArgument(graph.operation(), graph.name(),
                              parameters.size == 0 ? "it copies 0 bytes" : "an address is null",
                              "copy at least one byte between memory that devices use");
    }
    NodeParameters made{{}, std::move(owners)};
    made.values.type = CU_GRAPH_NODE_TYPE_MEMCPY;
    CUDA_MEMCPY3D& copy = made.values.memcpy.copyParams;
    copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
    copy.srcDevice = parameters.source;
    copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    copy.dstDevice = parameters.destination;
    copy.WidthInBytes = parameters.size;
    copy.Height = 1;
    copy.Depth = 1;
    made.values.memcpy.copyCtx = graph.context();
    keep_memory(made, std::array{parameters.destination, parameters.source});
    return made;
}

NodeParameters memset_node(const OpenGraph& graph, const MemsetNodeParameters& parameters, GraphOwners owners) {
    const auto refuse = [&](std::string detail) {
        throw InvalidArgument(graph.operation(), graph.name(), std::move(detail));
    };
    const uint32_t size = parameters.element_size;
    if (size != 1 && size != 2 && size != 4) {
        refuse("elements of " + std::to_string(size) + " bytes; there are such of 1, 2 and 4");
    }
    if (size < 4 && parameters.value >> (8 * size) != 0) {
        refuse("the value " + std::to_string(parameters.value) + " does not fit into " + std::to_string(size) +
               (size == 1 ? " byte" : " bytes"));
    }
    if (parameters.destination == 0) refuse("the address is null");
    if (parameters.width == 0 || parameters.height == 0) refuse("it fills 0 elements");
    if (parameters.height > 1 && parameters.pitch < parameters.width * size) {
        refuse("rows of " + std::to_string(parameters.width * size) + " bytes do not fit into a pitch of " +
               std::to_string(parameters.pitch));
    }
    NodeParameters made{{}, std::move(owners)};
    made.values.type = CU_GRAPH_NODE_TYPE_MEMSET;
    CUDA_MEMSET_NODE_PARAMS_v2& fill = made.values.memset;
    fill.dst = parameters.destination;
    fill.pitch = parameters.pitch;
    fill.value = parameters.value;
    fill.elementSize = size;
    fill.width = parameters.width;
    fill.height = parameters.height;
    fill.ctx = graph.context();
    keep_memory(made, std::array{parameters.destination});
    return made;
}

NodeParameters host_node(std::function<void()> function, GraphOwners owners, const char* operation) {
    if (!function) throw InvalidArgument(operation, "callback", "the function is empty", "give one to call");
    const auto kept = std::make_shared<const std::function<void()>>(std::move(function));
    NodeParameters made{{}, std::move(owners)};
    made.values.type = CU_GRAPH_NODE_TYPE_HOST;
    made.values.host.fn = run_graph_function;
    made.values.host.userData = const_cast<std::function<void()>*>(kept.get());
    made.owners.push_back(kept);
    return made;
}

NodeParameters event_node(GraphNodeType type, EventRef event, GraphOwners owners, const char* operation) {
    require_valid(event, operation);
    NodeParameters made{{}, std::move(owners)};
    made.values.type = static_cast<CUgraphNodeType>(type);
    (type == GraphNodeType::event_wait ? made.values.eventWait.event : made.values.eventRecord.event) = event.handle();
    return made;
}

std::vector<CUstreamBatchMemOpParams> memory_operation_list(const OpenGraph& graph,
                                                            std::span<const MemoryOperationParameters> operations) {
    const auto refuse = [&](std::string detail, std::string advice) {
        throw InvalidArgument(graph.operation(), graph.name(), std::move(detail), std::move(advice));
    };
    if (operations.empty()) refuse("there are no memory operations", "give at least one");
    std::vector<CUstreamBatchMemOpParams> list;
    list.reserve(operations.size());
    for (const MemoryOperationParameters& each : operations) {
        const bool is_wide = each.word_size == 8;
        if (!is_wide && each.word_size != 4) {
            refuse("a word of " + std::to_string(each.word_size) + " bytes", "there are words of 4 and of 8 bytes");
        }
        if (!is_wide && each.value > UINT32_MAX) {
            refuse("the value " + std::to_string(each.value) + " does not fit into 4 bytes", "use a word of 8 bytes");
        }
        if (each.address == 0 || each.address % each.word_size != 0) {
            refuse("the word at " + hexadecimal(each.address) + " is null or not aligned",
                   "give an address that is a multiple of the word's " + std::to_string(each.word_size) + " bytes");
        }
        CUstreamBatchMemOpParams& made = list.emplace_back();
        made = {};
        if (each.condition) {
            made.waitValue.operation = is_wide ? CU_STREAM_MEM_OP_WAIT_VALUE_64 : CU_STREAM_MEM_OP_WAIT_VALUE_32;
            made.waitValue.address = each.address;
            made.waitValue.value64 = each.value;
            made.waitValue.flags =
                wait_flags(*each.condition, each.flush, graph.operation(), [&graph] { return graph.name(); });
        } else {
            made.writeValue.operation = is_wide ? CU_STREAM_MEM_OP_WRITE_VALUE_64 : CU_STREAM_MEM_OP_WRITE_VALUE_32;
            made.writeValue.address = each.address;
            made.writeValue.value64 = each.value;
            made.writeValue.flags = CU_STREAM_WRITE_VALUE_DEFAULT;
        }
    }
    return list;
}

NodeParameters memory_operation_node(const OpenGraph& graph, std::vector<CUstreamBatchMemOpParams>& list,
                                     GraphOwners owners) {
    NodeParameters made{{}, std::move(owners)};
    made.values.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
    made.values.memOp.ctx = graph.context();
    made.values.memOp.count = static_cast<unsigned int>(list.size());
    made.values.memOp.paramArray = list.data();
    std::vector<DevicePointer> words;
    words.reserve(list.size());
    for (const CUstreamBatchMemOpParams& each : list)
        words.push_back(each.waitValue.address);  // of writes, too: they begin alike
    keep_memory(made, words);
    return made;
}

NodeParameters child_graph_node(CUgraph child) {
    NodeParameters made;
    made.values.type = CU_GRAPH_NODE_TYPE_GRAPH;
    made.values.graph.graph = child;
    return made;
}

void CUDA_CB run_graph_function(void* function) {
    if (must_leak()) return;  // what it uses may be gone
    call_host_function(*static_cast<const std::function<void()>*>(function));
}

}  // namespace cuprum::core
