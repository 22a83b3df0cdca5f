// What cuDeviceGetAttribute answers. The values are those of an A100, of an H200 from compute capability 9.0 on, where
// the simulated device has no reason to differ; what the simulator does not have is reported as absent.
#include "driver/device/device.hpp"
#include "driver/error/driver_error.hpp"
#include "driver/process/cuda_version.hpp"

namespace cuprum::simulator::libcuda {

namespace {

constexpr int locality_domains = 149, multiprocessors_of_locality_domain = 157;
constexpr int end_of_attributes_13_0 = 148, end_of_attributes = 162;

}  // namespace

int Device::attribute(CUdevice_attribute attribute) const {
    const auto integer = [](auto value) { return static_cast<int>(value); };
    const bool hopper = model_.compute_capability_major >= 9;
    switch (attribute) {
        // Launches.
        case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
            return integer(DeviceLimits::threads_per_block);
        case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
            return integer(DeviceLimits::block[0]);
        case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
            return integer(DeviceLimits::block[1]);
        case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z:
            return integer(DeviceLimits::block[2]);
        case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
            return integer(DeviceLimits::grid[0]);
        case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
            return integer(DeviceLimits::grid[1]);
        case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
            return integer(DeviceLimits::grid[2]);
        case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
            return integer(DeviceLimits::warp_size);
        case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
            return integer(model_.multiprocessors);
        case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
            return integer(capability_.threads);
        case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
            return integer(capability_.blocks);
        case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
        case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR:
            return integer(DeviceLimits::registers_per_multiprocessor);
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
            return integer(model_.max_static_shared_bytes);
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
            return integer(model_.max_dynamic_shared_bytes);
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
            return integer(capability_.shared_bytes);
        case CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK:
            return integer(capability_.reserved_shared_bytes);
        case CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH:
        case CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED:
            return hopper ? 1 : 0;
        case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
            return 1;
        case CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS:
            return 1;
        case CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED:
            return 1;
        case CU_DEVICE_ATTRIBUTE_COMPUTE_MODE:
            return CU_COMPUTEMODE_DEFAULT;
        case CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT:
            return 0;
        case CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED:
            return 1;

        // Identity.
        case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
            return integer(model_.compute_capability_major);
        case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
            return integer(model_.compute_capability_minor);
        case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID:
            return integer(ordinal_ + 1);
        case CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID:
        case CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID:
            return 0;
        case CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID:
        case CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID:
            return 0;
        case CU_DEVICE_ATTRIBUTE_INTEGRATED:
        case CU_DEVICE_ATTRIBUTE_TCC_DRIVER:
        case CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD:
        case CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID:
            return 0;
        case CU_DEVICE_ATTRIBUTE_NUMA_ID:
            return -1;
        case CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID:
            return 0;
        case CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT:
            return integer(DeviceLimits::memory_domains);
        case CU_DEVICE_ATTRIBUTE_NUMA_CONFIG:
            return CU_DEVICE_NUMA_CONFIG_NONE;
        case CU_DEVICE_ATTRIBUTE_MPS_ENABLED:
            return 0;

        // Nominal speeds, in kHz; nothing here keeps to them.
        case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
            return hopper ? 1980000 : 1410000;
        case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
            return hopper ? 3201000 : 1215000;
        case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
            return hopper ? 6016 : 5120;
        case CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO:
            return 2;

        // Memory.
        case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY:
            return 64 * 1024;
        case CU_DEVICE_ATTRIBUTE_MAX_PITCH:
            return 2147483647;
        case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT:
            return 512;
        case CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT:
            return 32;
        case CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT:
            return 512;
        case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
            return hopper ? 60 << 20 : 40 << 20;
        case CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE:
            return hopper ? 39321600 : 30 << 20;
        case CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE:
            return 128 << 20;
        case CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED:
            return 1;
        case CU_DEVICE_ATTRIBUTE_ECC_ENABLED:
            return 0;
        case CU_DEVICE_ATTRIBUTE_GPU_OVERLAP:
            return 1;
        case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT:
            return 3;
        case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
            return 1;
        case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
            return 1;
        case CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY:
            return 1;
        case CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS:
            return 1;
        case CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST:
            return 1;
        case CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS:
        case CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES:
            return 0;
        case CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED:
            return 1;
        case CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM:
            return 1;
        case CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED:
            return 1;
        case CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED:
            return 1;
        case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED:
            return 1;
        case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED:
            return 1;
        case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS:
        case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR:
            return 1;
        case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED:
            return 1;
        case CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES:
            return CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

        // Textures and surfaces.
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH:
            return 131072;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH:
            return 131072;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT:
            return 65536;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH:
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT:
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH:
            return 16384;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH:
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT:
            return 32768;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS:
            return 2048;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH:
            return 32768;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS:
            return 2048;
        case CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER:
            return 1;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH:
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT:
            return 32768;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE:
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE:
            return 8192;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE:
            return 32768;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH:
            return 32768;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH:
            return 32768;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS:
            return 2046;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH:
            return 32768;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH:
            return 131072;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT:
            return 65536;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH:
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT:
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH:
            return 16384;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH:
            return 32768;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS:
            return 2048;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH:
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT:
            return 32768;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS:
            return 2048;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH:
            return 32768;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH:
            return 32768;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS:
            return 2046;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH:
            return 268435456;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH:
            return 131072;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT:
            return 65000;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH:
            return 2097120;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH:
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT:
            return 32768;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH:
            return 32768;
        default:
            break;
    }
    // Of CUDA 13.1 and later, as numbers: older headers have no names for them.
    const int number = attribute;
    const bool newer = cuda_version() >= 13050;
    if (newer && number == locality_domains) return 1;
    if (newer && number == multiprocessors_of_locality_domain) return integer(model_.multiprocessors);
    if (number > 0 && number < (newer ? end_of_attributes : end_of_attributes_13_0)) {
        return 0;  // a feature that this device has not
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown device attribute %d", attribute));
}

CUdevprop Device::properties() const {
    CUdevprop properties{};
    properties.maxThreadsPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    for (int axis = 0; axis < 3; ++axis) {
        properties.maxThreadsDim[axis] = static_cast<int>(DeviceLimits::block[static_cast<size_t>(axis)]);
        properties.maxGridSize[axis] = static_cast<int>(DeviceLimits::grid[static_cast<size_t>(axis)]);
    }
    properties.sharedMemPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    properties.totalConstantMemory = attribute(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
    properties.SIMDWidth = attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    properties.memPitch = attribute(CU_DEVICE_ATTRIBUTE_MAX_PITCH);
    properties.regsPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
    properties.clockRate = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    properties.textureAlign = attribute(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
    return properties;
}

}  // namespace cuprum::simulator::libcuda
