#include <vector>

#include "runtime/functions.hpp"
#include "runtime/registration.hpp"
#include "runtime/thread_state.hpp"

namespace cuprum::simulator::runtime {
namespace {

// What <<<>>> was given, until the kernel's stub asks for it. Arguments may launch kernels of their own in between.
struct Configuration {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;

// What a launch's failure is called here: the driver has one code for wrong dimensions and wrong arguments, which CUDA
// 12 tells apart (13.0 does not, seen on an H200), and none for an address that is no kernel's.
cudaError_t explained(cudaError_t result, dim3 grid, dim3 block) {
    if (result == cudaErrorInvalidResourceHandle) return cudaErrorInvalidDeviceFunction;
    if (result != cudaErrorInvalidValue || library_version >= 13000) return result;
    int device = 0;
    if (current_device(&device) != cudaSuccess) return result;
    const auto limit = [&](CUdevice_attribute attribute) {
        int value = 0;
        driver::call<cuDeviceGetAttribute>(&value, attribute, device);
        return static_cast<unsigned int>(value);
    };
    const auto wrong = [&](unsigned int size, CUdevice_attribute attribute) {
        return size == 0 || size > limit(attribute);
    };
    const bool configuration_is_wrong =
        wrong(grid.x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X) || wrong(grid.y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y) ||
        wrong(grid.z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z) || wrong(block.x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X) ||
        wrong(block.y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y) || wrong(block.z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z) ||
        size_t{block.x} * block.y * block.z > limit(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    return configuration_is_wrong ? cudaErrorInvalidConfiguration : result;
}

CUlaunchConfig to_driver(const cudaLaunchConfig_t& configuration, cudaStream_t null_stream) {
    CUlaunchConfig converted{};
    converted.gridDimX = configuration.gridDim.x;
    converted.gridDimY = configuration.gridDim.y;
    converted.gridDimZ = configuration.gridDim.z;
    converted.blockDimX = configuration.blockDim.x;
    converted.blockDimY = configuration.blockDim.y;
    converted.blockDimZ = configuration.blockDim.z;
    converted.sharedMemBytes = static_cast<unsigned int>(configuration.dynamicSmemBytes);
    converted.hStream = configuration.stream == nullptr ? null_stream : configuration.stream;
    // The same layout and numbers.
    converted.attrs = reinterpret_cast<CUlaunchAttribute*>(configuration.attrs);
    converted.numAttrs = configuration.numAttrs;
    return converted;
}

// More dynamic shared memory than a launch's 32 bits can say, no device has.
bool fits(size_t shared_bytes) {
    return shared_bytes <= 0xFFFFFFFFU;
}

cudaError_t attribute_of(CUfunction function, CUfunction_attribute name, int* value) {
    return driver::call<cuFuncGetAttribute>(value, name, function);
}

}  // namespace

unsigned int push_configuration(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
    configurations.push_back({grid, block, shared_bytes, stream});
    return 0;
}

cudaError_t pop_configuration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
    if (configurations.empty()) return cudaErrorMissingConfiguration;
    const Configuration last = configurations.back();
    configurations.pop_back();
    *grid = last.grid;
    *block = last.block;
    *shared_bytes = last.shared_bytes;
    *static_cast<cudaStream_t*>(stream) = last.stream;
    return cudaSuccess;
}

cudaError_t launch(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                   cudaStream_t stream) {
    CUfunction handle = nullptr;
    const cudaError_t result = launchable(function, &handle);
    if (result != cudaSuccess) return result;
    if (!fits(shared_bytes)) return cudaErrorInvalidValue;
    return explained(call<cuLaunchKernel>(handle, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                          static_cast<unsigned int>(shared_bytes), stream, arguments, nullptr),
                     grid, block);
}

cudaError_t launch_kernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                          cudaStream_t stream) {
    if (kernel == nullptr) {
        // Its stub could not find it; why, the thread's last error says.
        return last_error() == cudaSuccess ? cudaErrorInvalidDeviceFunction : last_error();
    }
    if (!fits(shared_bytes)) return cudaErrorInvalidValue;
    return explained(call<cuLaunchKernel>(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                          static_cast<unsigned int>(shared_bytes), stream, arguments, nullptr),
                     grid, block);
}

cudaError_t launch_cooperative(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                               cudaStream_t stream) {
    CUfunction handle = nullptr;
    const cudaError_t result = launchable(function, &handle);
    if (result != cudaSuccess) return result;
    if (!fits(shared_bytes)) return cudaErrorInvalidValue;
    return explained(call<cuLaunchCooperativeKernel>(handle, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                                     static_cast<unsigned int>(shared_bytes), stream, arguments),
                     grid, block);
}

cudaError_t launch_configured(const cudaLaunchConfig_t* configuration, const void* function, void** arguments,
                              cudaStream_t null_stream) {
    if (configuration == nullptr) return cudaErrorInvalidValue;
    CUfunction handle = nullptr;
    const cudaError_t result = launchable(function, &handle);
    if (result != cudaSuccess) return result;
    if (!fits(configuration->dynamicSmemBytes)) return cudaErrorInvalidValue;
    const CUlaunchConfig converted = to_driver(*configuration, null_stream);
    return explained(call<cuLaunchKernelEx>(&converted, handle, arguments, nullptr), configuration->gridDim,
                     configuration->blockDim);
}

cudaError_t function_attributes(cudaFuncAttributes* attributes, const void* function) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    CUfunction handle = nullptr;
    const cudaError_t found = function_in_context(function, &handle);
    if (found != cudaSuccess) return found;
    int shared = 0;
    int constants = 0;
    int local = 0;
    *attributes = {};
    const struct {
        CUfunction_attribute name;
        int* value;
    } wanted[] = {
        {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &shared},
        {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, &constants},
        {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &local},
        {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &attributes->maxThreadsPerBlock},
        {CU_FUNC_ATTRIBUTE_NUM_REGS, &attributes->numRegs},
        {CU_FUNC_ATTRIBUTE_PTX_VERSION, &attributes->ptxVersion},
        {CU_FUNC_ATTRIBUTE_BINARY_VERSION, &attributes->binaryVersion},
        {CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, &attributes->cacheModeCA},
        {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &attributes->maxDynamicSharedSizeBytes},
        {CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, &attributes->preferredShmemCarveout},
        {CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, &attributes->clusterDimMustBeSet},
        {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, &attributes->requiredClusterWidth},
        {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, &attributes->requiredClusterHeight},
        {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, &attributes->requiredClusterDepth},
        {CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, &attributes->clusterSchedulingPolicyPreference},
        {CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, &attributes->nonPortableClusterSizeAllowed},
    };
    for (const auto& attribute : wanted) {
        const cudaError_t result = attribute_of(handle, attribute.name, attribute.value);
        if (result == cudaErrorInvalidResourceHandle) return cudaErrorInvalidDeviceFunction;
        if (result != cudaSuccess) return result;
    }
    attributes->sharedSizeBytes = static_cast<size_t>(shared);
    attributes->constSizeBytes = static_cast<size_t>(constants);
    attributes->localSizeBytes = static_cast<size_t>(local);
    return cudaSuccess;
}

cudaError_t set_function_attribute(const void* function, cudaFuncAttribute attribute, int value) {
    CUfunction handle = nullptr;
    const cudaError_t found = function_in_context(function, &handle);
    return found == cudaSuccess ? call<cuFuncSetAttribute>(handle, attribute, value) : found;
}

cudaError_t set_function_cache(const void* function, cudaFuncCache preference) {
    CUfunction handle = nullptr;
    const cudaError_t found = function_in_context(function, &handle);
    return found == cudaSuccess ? call<cuFuncSetCacheConfig>(handle, preference) : found;
}

cudaError_t set_function_banks(const void* function, cudaSharedMemConfig preference) {
    CUfunction handle = nullptr;
    const cudaError_t found = function_in_context(function, &handle);
    return found == cudaSuccess ? call_by_name("cuFuncSetSharedMemConfig", handle, preference) : found;
}

cudaError_t function_name(const char** name, const void* function) {
    CUfunction handle = nullptr;
    const cudaError_t found = function_in_context(function, &handle);
    return found == cudaSuccess ? call<cuFuncGetName>(name, handle) : found;
}

cudaError_t function_parameter(const void* function, size_t index, size_t* offset, size_t* bytes) {
    CUfunction handle = nullptr;
    const cudaError_t found = function_in_context(function, &handle);
    return found == cudaSuccess ? call<cuFuncGetParamInfo>(handle, index, offset, bytes) : found;
}

cudaError_t function_of_symbol(cudaFunction_t* function, const void* symbol) {
    if (function == nullptr) return cudaErrorInvalidValue;
    CUkernel kernel = nullptr;
    const cudaError_t found = registered_kernel(symbol, &kernel);
    return found == cudaSuccess ? call<cuKernelGetFunction>(function, kernel) : found;
}

cudaError_t active_blocks(int* blocks, const void* function, int block_size, size_t shared_bytes, unsigned int flags) {
    CUfunction handle = nullptr;
    const cudaError_t found = function_in_context(function, &handle);
    if (found != cudaSuccess) return found;
    return call<cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags>(blocks, handle, block_size, shared_bytes, flags);
}

cudaError_t available_shared_bytes(size_t* bytes, const void* function, int blocks, int block_size) {
    CUfunction handle = nullptr;
    const cudaError_t found = function_in_context(function, &handle);
    if (found != cudaSuccess) return found;
    return call<cuOccupancyAvailableDynamicSMemPerBlock>(bytes, handle, blocks, block_size);
}

cudaError_t active_clusters(int* clusters, const void* function, const cudaLaunchConfig_t* configuration) {
    if (configuration == nullptr) return cudaErrorInvalidValue;
    CUfunction handle = nullptr;
    const cudaError_t found = function_in_context(function, &handle);
    const CUlaunchConfig converted = to_driver(*configuration, nullptr);
    return found == cudaSuccess ? call<cuOccupancyMaxActiveClusters>(clusters, handle, &converted) : found;
}

cudaError_t largest_cluster(int* size, const void* function, const cudaLaunchConfig_t* configuration) {
    if (configuration == nullptr) return cudaErrorInvalidValue;
    CUfunction handle = nullptr;
    const cudaError_t found = function_in_context(function, &handle);
    const CUlaunchConfig converted = to_driver(*configuration, nullptr);
    return found == cudaSuccess ? call<cuOccupancyMaxPotentialClusterSize>(size, handle, &converted) : found;
}

}  // namespace cuprum::simulator::runtime
