// The functions of the C ABI whose form does not translate, in one that does. Those that take a structure are adapted by
// swig/generator.

// A pointer and its byte count stand side by side, so that one typemap covers the pair.
%ignore cuprum_buffer_copy_to_host;
%rename(CUPRUM_NAME(buffer_copy_to_host)) cuprum_adapted_buffer_copy_to_host;

%inline %{
static cuprum_status cuprum_adapted_buffer_copy_to_host(void* destination, uint64_t size, cuprum_buffer buffer,
                                                        uint64_t offset, cuprum_stream stream) {
    return cuprum_buffer_copy_to_host(destination, buffer, offset, size, stream);
}
%}

#if !defined(SWIGPYTHON)
// Kernel nodes: the functions that take a launch configuration have one form, whose number says which is meant
// (graph_nodes.hpp).
%{
#include "graph_nodes.hpp"
%}
%rename(CUPRUM_NAME(graph_kernel_node)) cuprum_adapted_graph_kernel_node;
%inline %{
static cuprum_status cuprum_adapted_graph_kernel_node(
    uint64_t* node_out, int32_t call, cuprum_graph graph, cuprum_graph_definition definition, uint64_t node,
    uint32_t grid_x, uint32_t grid_y, uint32_t grid_z, uint32_t block_x, uint32_t block_y, uint32_t block_z,
    uint32_t shared_memory, int32_t is_cooperative, int32_t programmatic_stream_serialization, uint32_t cluster_x,
    uint32_t cluster_y, uint32_t cluster_z, int32_t has_priority, int32_t priority, int32_t has_shared_memory_carveout,
    int32_t preferred_shared_memory_carveout, int32_t memory_sync_domain, int32_t has_memory_sync_domain_map,
    uint32_t memory_sync_domain_default, uint32_t memory_sync_domain_remote, float access_policy_hit_ratio,
    uint64_t access_policy_address, uint64_t access_policy_size, int32_t access_policy_hit, int32_t access_policy_miss,
    cuprum_kernel kernel, const cuprum_argument* arguments, uint32_t argument_count) {
    const cuprum_launch_config config{sizeof(cuprum_launch_config), grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                      shared_memory, is_cooperative, programmatic_stream_serialization, cluster_x,
                                      cluster_y, cluster_z, has_priority, priority, has_shared_memory_carveout,
                                      preferred_shared_memory_carveout, memory_sync_domain, has_memory_sync_domain_map,
                                      memory_sync_domain_default, memory_sync_domain_remote, access_policy_hit_ratio,
                                      access_policy_address, access_policy_size, access_policy_hit, access_policy_miss};
    const cuprum_languages::GraphNodePlace place{static_cast<uint64_t>(reinterpret_cast<uintptr_t>(graph)), definition,
                                                 node};
    return cuprum_languages::call_kernel_node(node_out, call, place, &config, kernel, arguments, argument_count);
}
%}
#endif
