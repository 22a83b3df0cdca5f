// cudaDeviceProp, as each version of CUDA lays it out: members in their order, aligned as in C. CUDA 13 left out some
// of CUDA 12's, and CUDA 11's are the first of CUDA 12's.
#include <cstring>
#include <string_view>

#include "runtime/functions.hpp"
#include "runtime/thread_state.hpp"

namespace cuprum::simulator::runtime {
namespace {

class Writer {
public:
    Writer(void* to, int device, int layout) : begin_(static_cast<std::byte*>(to)), device_(device), layout_(layout) {}

    template <typename T>
    void put(const T& value) {
        offset_ = (offset_ + alignof(T) - 1) / alignof(T) * alignof(T);
        std::memcpy(begin_ + offset_, &value, sizeof value);
        offset_ += sizeof value;
    }
    // One member for each of the attributes; an attribute that the driver does not know is 0.
    template <typename Member = int, typename... Attributes>
    void attributes(Attributes... names) {
        (put(static_cast<Member>(attribute(names))), ...);
    }
    // Members that CUDA 13 does not have.
    template <typename... Attributes>
    void until_cuda_12(Attributes... names) {
        if (layout_ < 13) attributes(names...);
    }
    void zeros(size_t integers) {
        for (size_t index = 0; index < integers; ++index)
            put(0);
    }
    int layout() const { return layout_; }

private:
    int attribute(CUdevice_attribute name) const {
        int value = 0;
        driver::call<cuDeviceGetAttribute>(&value, name, device_);
        return value;
    }

    std::byte* const begin_;
    const int device_;
    const int layout_;
    size_t offset_ = 0;
};

// Up to the compute mode.
void write_basics(Writer& to, int device) {
    char name[256] = {};
    driver::call<cuDeviceGetName>(&name[0], 256, device);
    to.put(name);
    CUuuid uuid{};
    driver::call<cuDeviceGetUuid>(&uuid, device);
    to.put(uuid);
    const char luid[8] = {};  // Windows alone has one
    to.put(luid);
    to.put(0U);
    size_t memory = 0;
    driver::call<cuDeviceTotalMem>(&memory, device);
    to.put(memory);
    to.attributes<size_t>(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    to.attributes(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    to.attributes<size_t>(CU_DEVICE_ATTRIBUTE_MAX_PITCH);
    to.attributes(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X,
                  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z,
                  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y,
                  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
    to.until_cuda_12(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    to.attributes<size_t>(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
    to.attributes(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    to.attributes<size_t>(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT);
    to.until_cuda_12(CU_DEVICE_ATTRIBUTE_GPU_OVERLAP);
    to.attributes(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    to.until_cuda_12(CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT);
    to.attributes(CU_DEVICE_ATTRIBUTE_INTEGRATED, CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY);
    to.until_cuda_12(CU_DEVICE_ATTRIBUTE_COMPUTE_MODE);
}

void write_textures(Writer& to) {
    to.attributes(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH);
    to.until_cuda_12(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH);
    to.attributes(
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS);
    to.attributes(
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS);
    to.attributes<size_t>(CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT);
}

// To the end of CUDA 11's structure.
void write_abilities(Writer& to) {
    to.attributes(CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, CU_DEVICE_ATTRIBUTE_ECC_ENABLED,
                  CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID,
                  CU_DEVICE_ATTRIBUTE_TCC_DRIVER, CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT,
                  CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING);
    to.until_cuda_12(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    to.attributes(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE,
                  CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
                  CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED,
                  CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED);
    to.attributes<size_t>(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    to.attributes(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY,
                  CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD, CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID,
                  CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED);
    to.until_cuda_12(CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO);
    to.attributes(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS,
                  CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED,
                  CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH);
    if (to.layout() < 13) to.put(0);  // cooperativeMultiDeviceLaunch, which CUDA 13 has given up
    to.attributes<size_t>(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    to.attributes(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES,
                  CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST,
                  CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE);
    to.attributes<size_t>(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
}

void write_later_abilities(Writer& to) {
    to.attributes(
        CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED,
        CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED, CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED,
        CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED,
        CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS, CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING,
        CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES, CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED,
        CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH,
        CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS);
    if (to.layout() < 13) {
        to.zeros(63);  // reserved
        return;
    }
    // By number: CUDA 12's header does not name the last three.
    constexpr auto pci_device = static_cast<CUdevice_attribute>(139);
    constexpr auto pci_subsystem = static_cast<CUdevice_attribute>(140);
    constexpr auto host_numa_ipc = static_cast<CUdevice_attribute>(143);
    to.attributes(CU_DEVICE_ATTRIBUTE_NUMA_CONFIG, CU_DEVICE_ATTRIBUTE_NUMA_ID, CU_DEVICE_ATTRIBUTE_MPS_ENABLED,
                  CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID, pci_device, pci_subsystem, host_numa_ipc);
    to.zeros(56);
}

}  // namespace

cudaError_t device_properties(void* properties, int device, int layout) {
    if (properties == nullptr) return cudaErrorInvalidValue;
    int count = 0;
    const cudaError_t result = device_count(&count);
    if (result != cudaSuccess) return result;
    if (device < 0 || device >= count) return cudaErrorInvalidDevice;
    Writer writer(properties, device, layout);
    write_basics(writer, device);
    write_textures(writer);
    write_abilities(writer);
    if (layout >= 12) write_later_abilities(writer);
    return cudaSuccess;
}

}  // namespace cuprum::simulator::runtime
