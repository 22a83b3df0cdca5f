/* The layouts and numbers of the C ABI, written down. Fields may be added at the end of structs that begin with
 * struct_size, and numbers added to enumerations; nothing that stands here may change. */
#include <stddef.h>

#include "cuprum/cuprum.h"

#define SIZE_IS(type, size) _Static_assert(sizeof(type) == (size), "the size of " #type)
#define FIELD_IS(type, field, offset, width)                                             \
    _Static_assert(offsetof(type, field) == (offset), "the place of " #type "." #field); \
    _Static_assert(sizeof(((type*)0)->field) == (width), "the width of " #type "." #field)
#define NUMBER_IS(name, value) _Static_assert((name) == (value), #name)

SIZE_IS(cuprum_status, 4);
SIZE_IS(cuprum_stream, 8);
SIZE_IS(cuprum_event, 8);
SIZE_IS(cuprum_buffer, 8);
SIZE_IS(cuprum_program, 8);
SIZE_IS(cuprum_object_code, 8);
SIZE_IS(cuprum_kernel, 8);

SIZE_IS(cuprum_communicator, 8);
SIZE_IS(cuprum_distributed_algorithm, 8);
SIZE_IS(cuprum_reduced_shards, 8);
SIZE_IS(cuprum_out_of_core_algorithm, 8);

SIZE_IS(cuprum_device_memory, 24);
FIELD_IS(cuprum_device_memory, device, 0, 4);
FIELD_IS(cuprum_device_memory, limit, 8, 8);
FIELD_IS(cuprum_device_memory, resource, 16, 8);

SIZE_IS(cuprum_shard, 24);
FIELD_IS(cuprum_shard, type, 0, 8);
FIELD_IS(cuprum_shard, memory, 8, 8);
FIELD_IS(cuprum_shard, count, 16, 8);

SIZE_IS(cuprum_host_input, 24);
FIELD_IS(cuprum_host_input, type, 0, 8);
FIELD_IS(cuprum_host_input, data, 8, 8);
FIELD_IS(cuprum_host_input, size, 16, 8);

SIZE_IS(cuprum_error_info, 72);
FIELD_IS(cuprum_error_info, struct_size, 0, 4);
FIELD_IS(cuprum_error_info, status, 4, 4);
FIELD_IS(cuprum_error_info, domain, 8, 4);
FIELD_IS(cuprum_error_info, code, 12, 4);
FIELD_IS(cuprum_error_info, name, 16, 8);
FIELD_IS(cuprum_error_info, message, 24, 8);
FIELD_IS(cuprum_error_info, operation, 32, 8);
FIELD_IS(cuprum_error_info, object, 40, 8);
FIELD_IS(cuprum_error_info, detail, 48, 8);
FIELD_IS(cuprum_error_info, advice, 56, 8);
FIELD_IS(cuprum_error_info, log, 64, 8);

SIZE_IS(cuprum_bindings_function, 40);
FIELD_IS(cuprum_bindings_function, struct_size, 0, 4);
FIELD_IS(cuprum_bindings_function, version, 4, 4);
FIELD_IS(cuprum_bindings_function, name, 8, 8);
FIELD_IS(cuprum_bindings_function, symbol, 16, 8);
FIELD_IS(cuprum_bindings_function, signature, 24, 8);
FIELD_IS(cuprum_bindings_function, invoke, 32, 8);

SIZE_IS(cuprum_device_properties, 88);
FIELD_IS(cuprum_device_properties, struct_size, 0, 4);
FIELD_IS(cuprum_device_properties, compute_capability_major, 4, 4);
FIELD_IS(cuprum_device_properties, compute_capability_minor, 8, 4);
FIELD_IS(cuprum_device_properties, multiprocessor_count, 12, 4);
FIELD_IS(cuprum_device_properties, warp_size, 16, 4);
FIELD_IS(cuprum_device_properties, max_threads_per_block, 20, 4);
FIELD_IS(cuprum_device_properties, max_block_dim_x, 24, 4);
FIELD_IS(cuprum_device_properties, max_block_dim_y, 28, 4);
FIELD_IS(cuprum_device_properties, max_block_dim_z, 32, 4);
FIELD_IS(cuprum_device_properties, max_grid_dim_x, 36, 4);
FIELD_IS(cuprum_device_properties, max_grid_dim_y, 40, 4);
FIELD_IS(cuprum_device_properties, max_grid_dim_z, 44, 4);
FIELD_IS(cuprum_device_properties, max_shared_memory_per_block, 48, 4);
FIELD_IS(cuprum_device_properties, max_shared_memory_per_block_optin, 52, 4);
FIELD_IS(cuprum_device_properties, max_shared_memory_per_multiprocessor, 56, 4);
FIELD_IS(cuprum_device_properties, max_registers_per_block, 60, 4);
FIELD_IS(cuprum_device_properties, max_threads_per_multiprocessor, 64, 4);
FIELD_IS(cuprum_device_properties, clock_rate, 68, 4);
FIELD_IS(cuprum_device_properties, memory_clock_rate, 72, 4);
FIELD_IS(cuprum_device_properties, global_memory_bus_width, 76, 4);
FIELD_IS(cuprum_device_properties, l2_cache_size, 80, 4);
FIELD_IS(cuprum_device_properties, is_simulator, 84, 4);

SIZE_IS(cuprum_stream_options, 12);
FIELD_IS(cuprum_stream_options, struct_size, 0, 4);
FIELD_IS(cuprum_stream_options, blocking, 4, 4);
FIELD_IS(cuprum_stream_options, priority, 8, 4);

SIZE_IS(cuprum_array_options, 48);
FIELD_IS(cuprum_array_options, struct_size, 0, 4);
FIELD_IS(cuprum_array_options, format, 4, 4);
FIELD_IS(cuprum_array_options, num_channels, 8, 4);
FIELD_IS(cuprum_array_options, num_levels, 12, 4);
FIELD_IS(cuprum_array_options, width, 16, 8);
FIELD_IS(cuprum_array_options, height, 24, 8);
FIELD_IS(cuprum_array_options, depth, 32, 8);
FIELD_IS(cuprum_array_options, is_surface_load_store, 40, 4);
FIELD_IS(cuprum_array_options, reserved, 44, 4);

SIZE_IS(cuprum_texture_options, 76);
FIELD_IS(cuprum_texture_options, struct_size, 0, 4);
FIELD_IS(cuprum_texture_options, address_mode_x, 4, 4);
FIELD_IS(cuprum_texture_options, address_mode_y, 8, 4);
FIELD_IS(cuprum_texture_options, address_mode_z, 12, 4);
FIELD_IS(cuprum_texture_options, filter_mode, 16, 4);
FIELD_IS(cuprum_texture_options, read_mode, 20, 4);
FIELD_IS(cuprum_texture_options, normalized_coords, 24, 4);
FIELD_IS(cuprum_texture_options, srgb, 28, 4);
FIELD_IS(cuprum_texture_options, disable_trilinear_optimization, 32, 4);
FIELD_IS(cuprum_texture_options, seamless_cubemap, 36, 4);
FIELD_IS(cuprum_texture_options, max_anisotropy, 40, 4);
FIELD_IS(cuprum_texture_options, mipmap_filter_mode, 44, 4);
FIELD_IS(cuprum_texture_options, mipmap_level_bias, 48, 4);
FIELD_IS(cuprum_texture_options, min_mipmap_level_clamp, 52, 4);
FIELD_IS(cuprum_texture_options, max_mipmap_level_clamp, 56, 4);
FIELD_IS(cuprum_texture_options, border_x, 60, 4);
FIELD_IS(cuprum_texture_options, border_y, 64, 4);
FIELD_IS(cuprum_texture_options, border_z, 68, 4);
FIELD_IS(cuprum_texture_options, border_w, 72, 4);

SIZE_IS(cuprum_virtual_memory_options, 56);
FIELD_IS(cuprum_virtual_memory_options, struct_size, 0, 4);
FIELD_IS(cuprum_virtual_memory_options, self_access, 4, 4);
FIELD_IS(cuprum_virtual_memory_options, peers, 8, 8);
FIELD_IS(cuprum_virtual_memory_options, peer_access, 16, 4);
FIELD_IS(cuprum_virtual_memory_options, minimum_granularity, 20, 4);
FIELD_IS(cuprum_virtual_memory_options, posix_file_descriptor, 24, 4);
FIELD_IS(cuprum_virtual_memory_options, gpu_direct_rdma, 28, 4);
FIELD_IS(cuprum_virtual_memory_options, address_hint, 32, 8);
FIELD_IS(cuprum_virtual_memory_options, address_alignment, 40, 8);
FIELD_IS(cuprum_virtual_memory_options, location_kind, 48, 4);
FIELD_IS(cuprum_virtual_memory_options, location_id, 52, 4);
SIZE_IS(cuprum_event_options, 16);
FIELD_IS(cuprum_event_options, struct_size, 0, 4);
FIELD_IS(cuprum_event_options, timing_enabled, 4, 4);
FIELD_IS(cuprum_event_options, blocking_sync, 8, 4);
FIELD_IS(cuprum_event_options, ipc_enabled, 12, 4);

SIZE_IS(cuprum_region, 56);
FIELD_IS(cuprum_region, struct_size, 0, 4);
FIELD_IS(cuprum_region, width, 8, 8);
FIELD_IS(cuprum_region, height, 16, 8);
FIELD_IS(cuprum_region, depth, 24, 8);
FIELD_IS(cuprum_region, offset, 32, 8);
FIELD_IS(cuprum_region, row_pitch, 40, 8);
FIELD_IS(cuprum_region, slice_pitch, 48, 8);

SIZE_IS(cuprum_copy_options, 28);
FIELD_IS(cuprum_copy_options, struct_size, 0, 4);
FIELD_IS(cuprum_copy_options, source_access_order, 4, 4);
FIELD_IS(cuprum_copy_options, source_location_kind, 8, 4);
FIELD_IS(cuprum_copy_options, source_location_id, 12, 4);
FIELD_IS(cuprum_copy_options, destination_location_kind, 16, 4);
FIELD_IS(cuprum_copy_options, destination_location_id, 20, 4);
FIELD_IS(cuprum_copy_options, prefer_overlap_with_compute, 24, 4);

SIZE_IS(cuprum_execution, 32);
FIELD_IS(cuprum_execution, struct_size, 0, 4);
FIELD_IS(cuprum_execution, kind, 4, 4);
FIELD_IS(cuprum_execution, device, 8, 4);
FIELD_IS(cuprum_execution, architectures, 16, 8);
FIELD_IS(cuprum_execution, determinism, 24, 4);

SIZE_IS(cuprum_kernel_attributes, 68);
FIELD_IS(cuprum_kernel_attributes, struct_size, 0, 4);
FIELD_IS(cuprum_kernel_attributes, max_threads_per_block, 4, 4);
FIELD_IS(cuprum_kernel_attributes, shared_size_bytes, 8, 4);
FIELD_IS(cuprum_kernel_attributes, const_size_bytes, 12, 4);
FIELD_IS(cuprum_kernel_attributes, local_size_bytes, 16, 4);
FIELD_IS(cuprum_kernel_attributes, num_regs, 20, 4);
FIELD_IS(cuprum_kernel_attributes, ptx_version, 24, 4);
FIELD_IS(cuprum_kernel_attributes, binary_version, 28, 4);
FIELD_IS(cuprum_kernel_attributes, max_dynamic_shared_size_bytes, 32, 4);
FIELD_IS(cuprum_kernel_attributes, cache_mode_ca, 36, 4);
FIELD_IS(cuprum_kernel_attributes, preferred_shared_memory_carveout, 40, 4);
FIELD_IS(cuprum_kernel_attributes, cluster_size_must_be_set, 44, 4);
FIELD_IS(cuprum_kernel_attributes, required_cluster_width, 48, 4);
FIELD_IS(cuprum_kernel_attributes, required_cluster_height, 52, 4);
FIELD_IS(cuprum_kernel_attributes, required_cluster_depth, 56, 4);
FIELD_IS(cuprum_kernel_attributes, non_portable_cluster_size_allowed, 60, 4);
FIELD_IS(cuprum_kernel_attributes, cluster_scheduling_policy_preference, 64, 4);

SIZE_IS(cuprum_launch_config, 112);
FIELD_IS(cuprum_launch_config, struct_size, 0, 4);
FIELD_IS(cuprum_launch_config, grid_x, 4, 4);
FIELD_IS(cuprum_launch_config, grid_y, 8, 4);
FIELD_IS(cuprum_launch_config, grid_z, 12, 4);
FIELD_IS(cuprum_launch_config, block_x, 16, 4);
FIELD_IS(cuprum_launch_config, block_y, 20, 4);
FIELD_IS(cuprum_launch_config, block_z, 24, 4);
FIELD_IS(cuprum_launch_config, shared_memory, 28, 4);
FIELD_IS(cuprum_launch_config, is_cooperative, 32, 4);
FIELD_IS(cuprum_launch_config, programmatic_stream_serialization, 36, 4);
FIELD_IS(cuprum_launch_config, cluster_x, 40, 4);
FIELD_IS(cuprum_launch_config, cluster_y, 44, 4);
FIELD_IS(cuprum_launch_config, cluster_z, 48, 4);
FIELD_IS(cuprum_launch_config, has_priority, 52, 4);
FIELD_IS(cuprum_launch_config, priority, 56, 4);
FIELD_IS(cuprum_launch_config, has_shared_memory_carveout, 60, 4);
FIELD_IS(cuprum_launch_config, preferred_shared_memory_carveout, 64, 4);
FIELD_IS(cuprum_launch_config, memory_sync_domain, 68, 4);
FIELD_IS(cuprum_launch_config, has_memory_sync_domain_map, 72, 4);
FIELD_IS(cuprum_launch_config, memory_sync_domain_default, 76, 4);
FIELD_IS(cuprum_launch_config, memory_sync_domain_remote, 80, 4);
FIELD_IS(cuprum_launch_config, access_policy_hit_ratio, 84, 4);
FIELD_IS(cuprum_launch_config, access_policy_address, 88, 8);
FIELD_IS(cuprum_launch_config, access_policy_size, 96, 8);
FIELD_IS(cuprum_launch_config, access_policy_hit, 104, 4);
FIELD_IS(cuprum_launch_config, access_policy_miss, 108, 4);

/* Passed in arrays and without a struct_size: its size never changes. */
SIZE_IS(cuprum_argument, 16);
FIELD_IS(cuprum_argument, kind, 0, 4);
FIELD_IS(cuprum_argument, size, 4, 4);
FIELD_IS(cuprum_argument, value, 8, 8);
FIELD_IS(cuprum_argument, value.bytes, 8, 8);
FIELD_IS(cuprum_argument, value.i64, 8, 8);
FIELD_IS(cuprum_argument, value.u64, 8, 8);
FIELD_IS(cuprum_argument, value.f64, 8, 8);
FIELD_IS(cuprum_argument, value.buffer, 8, 8);

NUMBER_IS(CUPRUM_COPY_SOURCE_STREAM, 1);
NUMBER_IS(CUPRUM_COPY_SOURCE_DURING_API_CALL, 2);
NUMBER_IS(CUPRUM_COPY_SOURCE_ANY, 3);
NUMBER_IS(CUPRUM_SUCCESS, 0);
NUMBER_IS(CUPRUM_ERROR_INVALID_ARGUMENT, 1);
NUMBER_IS(CUPRUM_ERROR_INVALID_HANDLE, 2);
NUMBER_IS(CUPRUM_ERROR_INVALID_STATE, 3);
NUMBER_IS(CUPRUM_ERROR_OUT_OF_MEMORY, 4);
NUMBER_IS(CUPRUM_ERROR_LIBRARY_NOT_FOUND, 5);
NUMBER_IS(CUPRUM_ERROR_HEADER_NOT_FOUND, 6);
NUMBER_IS(CUPRUM_ERROR_SYMBOL_NOT_FOUND, 7);
NUMBER_IS(CUPRUM_ERROR_DRIVER, 8);
NUMBER_IS(CUPRUM_ERROR_NVRTC, 9);
NUMBER_IS(CUPRUM_ERROR_NVJITLINK, 10);
NUMBER_IS(CUPRUM_ERROR_COMPILE, 11);
NUMBER_IS(CUPRUM_ERROR_KERNEL_NOT_FOUND, 12);
NUMBER_IS(CUPRUM_ERROR_ARGUMENT_MISMATCH, 13);
NUMBER_IS(CUPRUM_ERROR_DEVICE_FAULT, 14);
NUMBER_IS(CUPRUM_ERROR_UNSUPPORTED, 15);
NUMBER_IS(CUPRUM_ERROR_NOT_READY, 16);
NUMBER_IS(CUPRUM_ERROR_NVVM, 17);
NUMBER_IS(CUPRUM_ERROR_INTERNAL, 99);
NUMBER_IS(CUPRUM_DOMAIN_CUPRUM, 0);
NUMBER_IS(CUPRUM_DOMAIN_DRIVER, 1);
NUMBER_IS(CUPRUM_DOMAIN_RUNTIME, 2);
NUMBER_IS(CUPRUM_DOMAIN_NVRTC, 3);
NUMBER_IS(CUPRUM_DOMAIN_NVJITLINK, 4);
NUMBER_IS(CUPRUM_DOMAIN_PATHFINDER, 5);
NUMBER_IS(CUPRUM_DOMAIN_NVVM, 6);
NUMBER_IS(CUPRUM_DOMAIN_NVML, 7);
NUMBER_IS(CUPRUM_DOMAIN_NCCL, 8);
NUMBER_IS(CUPRUM_SOURCE_CXX, 0);
NUMBER_IS(CUPRUM_SOURCE_PTX, 1);
NUMBER_IS(CUPRUM_SOURCE_NVVM, 2);
NUMBER_IS(CUPRUM_CODE_NATIVE, 0);
NUMBER_IS(CUPRUM_CODE_PTX, 1);
NUMBER_IS(CUPRUM_CODE_CUBIN, 2);
NUMBER_IS(CUPRUM_CODE_LTOIR, 3);
NUMBER_IS(CUPRUM_CODE_FATBIN, 4);
NUMBER_IS(CUPRUM_ARGUMENT_BYTES, 1);
NUMBER_IS(CUPRUM_ARGUMENT_INT, 2);
NUMBER_IS(CUPRUM_ARGUMENT_UINT, 3);
NUMBER_IS(CUPRUM_ARGUMENT_FLOAT, 4);
NUMBER_IS(CUPRUM_ARGUMENT_BUFFER, 5);
NUMBER_IS(CUPRUM_ARGUMENT_POINTER, 6);
NUMBER_IS(CUPRUM_ARGUMENT_INT_BYTES, 7);
NUMBER_IS(CUPRUM_ARGUMENT_FLOAT_BYTES, 8);
NUMBER_IS(CUPRUM_PARAMETER_UNKNOWN, 0);
NUMBER_IS(CUPRUM_PARAMETER_BOOLEAN, 1);
NUMBER_IS(CUPRUM_PARAMETER_INTEGER, 2);
NUMBER_IS(CUPRUM_PARAMETER_FLOATING_POINT, 3);
NUMBER_IS(CUPRUM_PARAMETER_BFLOAT16, 4);
NUMBER_IS(CUPRUM_PARAMETER_POINTER, 5);
NUMBER_IS(CUPRUM_PARAMETER_INTEGER_OR_POINTER, 6);
