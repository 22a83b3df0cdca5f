// The runtime's functions that are more than one call of the driver. The entry points, generated from functions.txt,
// call them; each returns what its function does, which the entry point records as the thread's last error.
#pragma once

#include <cuda.h>
#include <driver_types.h>
#include <surface_types.h>
#include <texture_types.h>

#include <cstddef>

namespace cuprum::simulator::runtime {

// The stream of a call, and whether the call waits for its work.
struct Queue {
    cudaStream_t stream;
    bool waits;
};
inline Queue now(cudaStream_t stream) {
    return {stream, true};
}
inline Queue later(cudaStream_t stream) {
    return {stream, false};
}
// What the null stream is for the functions of a program built with --default-stream per-thread.
inline cudaStream_t per_thread(cudaStream_t stream) {
    return stream == nullptr ? cudaStreamPerThread : stream;
}

// device.cpp
cudaError_t device_count(int* count);
cudaError_t reset_device();
cudaError_t device_flags(unsigned int* flags);
cudaError_t set_device_flags(unsigned int flags);
cudaError_t initialize_device(int device, unsigned int device_flags, unsigned int flags);
cudaError_t enable_peer_access(int peer, unsigned int flags);
cudaError_t disable_peer_access(int peer);
// Writes the structure as that version of CUDA lays it out: 11, 12 or 13.
cudaError_t device_properties(void* properties, int device, int layout);
cudaError_t driver_entry_point(const char* name, void** address, int version, unsigned long long flags,
                               cudaDriverEntryPointQueryResult* status, cudaStream_t null_stream);
cudaError_t driver_version(int* version);
// Of the library that this is a part of, as cudaRuntimeGetVersion gives it.
[[gnu::visibility("hidden")]] extern const int library_version;
cudaError_t runtime_version(int* version, int of_this_library);

// error.cpp
const char* error_name(cudaError_t error);
const char* error_text(cudaError_t error);

// memory.cpp
// What a call with nothing to do answers: whether the context, made now if there is none, is in order.
cudaError_t usable_context();
cudaError_t allocate(void** memory, size_t bytes);
cudaError_t allocate_rows(void** memory, size_t* pitch, size_t width, size_t height);
cudaError_t allocate_box(cudaPitchedPtr* memory, cudaExtent extent);
cudaError_t allocate_on_host(void** memory, size_t bytes, unsigned int flags);
cudaError_t allocate_managed(void** memory, size_t bytes, unsigned int flags);
cudaError_t free_memory(void* memory);
cudaError_t free_on_host(void* memory);
cudaError_t pointer_attributes(cudaPointerAttributes* attributes, const void* pointer, int layout);
cudaError_t fill(void* memory, int value, size_t bytes, Queue queue);
cudaError_t fill_rows(void* memory, size_t pitch, int value, size_t width, size_t height, Queue queue);
cudaError_t fill_box(cudaPitchedPtr memory, int value, cudaExtent extent, Queue queue);
cudaError_t advise(const void* memory, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location);
cudaError_t prefetch(const void* memory, size_t bytes, cudaMemLocation location, unsigned int flags,
                     cudaStream_t stream);
// How CUDA 12 names a place: a device, or cudaCpuDeviceId.
cudaMemLocation location_of_device(int device);

// copy.cpp
cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, Queue queue);
cudaError_t copy_rows(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                      cudaMemcpyKind kind, Queue queue);
cudaError_t copy_to_array(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                          size_t height, cudaMemcpyKind kind, Queue queue);
cudaError_t copy_from_array(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                            size_t height, cudaMemcpyKind kind, Queue queue);
cudaError_t copy_array_to_array(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                size_t from_y, size_t width, size_t height, Queue queue);
cudaError_t copy_box(const cudaMemcpy3DParms* parameters, Queue queue);
cudaError_t copy_box_between_devices(const cudaMemcpy3DPeerParms* parameters, Queue queue);
cudaError_t copy_between_devices(void* to, int to_device, const void* from, int from_device, size_t bytes, Queue queue);
cudaError_t copy_to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind,
                           Queue queue);
cudaError_t copy_from_symbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                             Queue queue);
cudaError_t symbol_address(void** address, const void* symbol);
cudaError_t symbol_size(size_t* bytes, const void* symbol);
// The driver's description of a copy, and back.
cudaError_t to_driver(const cudaMemcpy3DParms& parameters, CUDA_MEMCPY3D& copy);
void from_driver(const CUDA_MEMCPY3D& copy, cudaMemcpy3DParms& parameters);

// array.cpp
cudaError_t make_array(cudaArray_t* array, const cudaChannelFormatDesc* description, cudaExtent extent,
                       unsigned int flags);
cudaError_t array_information(cudaChannelFormatDesc* description, cudaExtent* extent, unsigned int* flags,
                              cudaArray_const_t array);
cudaError_t element_bytes(cudaArray_const_t array, size_t* bytes);
// The driver's words for an element.
cudaError_t element_format(const cudaChannelFormatDesc& description, CUarray_format& format, unsigned int& channels);
cudaError_t channel_description(CUarray_format format, unsigned int channels, cudaChannelFormatDesc& description);
cudaError_t make_mipmapped_array(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* description,
                                 cudaExtent extent, unsigned int levels, unsigned int flags);
cudaError_t mipmapped_array_level(cudaArray_t* level_array, cudaMipmappedArray_const_t array, unsigned int level);

// image.cpp
cudaError_t widest_linear_texture(size_t* width, const cudaChannelFormatDesc* description, int device);
cudaError_t create_texture(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                           const cudaTextureDesc* reading, const cudaResourceViewDesc* view);
cudaError_t create_surface(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource);
cudaError_t texture_resource(cudaResourceDesc* resource, cudaTextureObject_t texture);
cudaError_t surface_resource(cudaResourceDesc* resource, cudaSurfaceObject_t surface);
cudaError_t texture_description(cudaTextureDesc* reading, cudaTextureObject_t texture);
cudaError_t texture_view(cudaResourceViewDesc* view, cudaTextureObject_t texture);

// launch.cpp
unsigned int push_configuration(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream);
cudaError_t pop_configuration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream);
cudaError_t launch(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                   cudaStream_t stream);
cudaError_t launch_kernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                          cudaStream_t stream);
cudaError_t launch_cooperative(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                               cudaStream_t stream);
// `null_stream` is what the configuration's null stream stands for.
cudaError_t launch_configured(const cudaLaunchConfig_t* configuration, const void* function, void** arguments,
                              cudaStream_t null_stream);
cudaError_t function_attributes(cudaFuncAttributes* attributes, const void* function);
cudaError_t set_function_attribute(const void* function, cudaFuncAttribute attribute, int value);
cudaError_t set_function_cache(const void* function, cudaFuncCache preference);
cudaError_t set_function_banks(const void* function, cudaSharedMemConfig preference);
cudaError_t function_name(const char** name, const void* function);
cudaError_t function_parameter(const void* function, size_t index, size_t* offset, size_t* bytes);
cudaError_t function_of_symbol(cudaFunction_t* function, const void* symbol);
cudaError_t active_blocks(int* blocks, const void* function, int block_size, size_t shared_bytes, unsigned int flags);
cudaError_t available_shared_bytes(size_t* bytes, const void* function, int blocks, int block_size);
cudaError_t active_clusters(int* clusters, const void* function, const cudaLaunchConfig_t* configuration);
cudaError_t largest_cluster(int* size, const void* function, const cudaLaunchConfig_t* configuration);

// graph.cpp
cudaError_t add_kernel_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                            const cudaKernelNodeParams* parameters);
cudaError_t kernel_node_parameters(cudaGraphNode_t node, cudaKernelNodeParams* parameters);
cudaError_t set_kernel_node(cudaGraphNode_t node, const cudaKernelNodeParams* parameters);
cudaError_t set_kernel_node_in(cudaGraphExec_t executable, cudaGraphNode_t node,
                               const cudaKernelNodeParams* parameters);
cudaError_t add_copy_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                          const cudaMemcpy3DParms* parameters);
cudaError_t copy_node_parameters(cudaGraphNode_t node, cudaMemcpy3DParms* parameters);
cudaError_t set_copy_node(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters);
cudaError_t set_copy_node_in(cudaGraphExec_t executable, cudaGraphNode_t node, const cudaMemcpy3DParms* parameters);
// A copy in one dimension, as the parameters of one in three.
cudaMemcpy3DParms line(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
// The same to and from a symbol; `result` says whether there is one.
struct SymbolCopy {
    cudaError_t result;
    cudaMemcpy3DParms parameters;
};
SymbolCopy line_to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind);
SymbolCopy line_from_symbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind);
cudaError_t add_copy_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                          const SymbolCopy& copy);
cudaError_t set_copy_node(cudaGraphNode_t node, const SymbolCopy& copy);
cudaError_t set_copy_node_in(cudaGraphExec_t executable, cudaGraphNode_t node, const SymbolCopy& copy);
cudaError_t add_fill_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                          const cudaMemsetParams* parameters);
cudaError_t set_fill_node_in(cudaGraphExec_t executable, cudaGraphNode_t node, const cudaMemsetParams* parameters);
cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                     const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* parameters);
cudaError_t set_node(cudaGraphNode_t node, cudaGraphNodeParams* parameters);
cudaError_t set_node_in(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeParams* parameters);
cudaError_t make_condition(cudaGraphConditionalHandle* handle, cudaGraph_t graph, unsigned int value,
                           unsigned int flags);

// registration.cpp
void** register_fat_binary(const void* wrapper);
void unregister_fat_binary(void** handle);
void register_function(void** handle, const void* host_function, const char* name);
void register_variable(void** handle, const void* host_variable, const char* name);
void register_managed_variable(void** handle, void** host_pointer, const char* name);
cudaError_t initialize_managed_variables(void** handle);

}  // namespace cuprum::simulator::runtime
