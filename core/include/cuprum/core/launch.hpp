#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>

#include "cuprum/core/argument_check.hpp"
#include "cuprum/core/buffer.hpp"
#include "cuprum/core/kernel.hpp"
#include "cuprum/core/stream.hpp"
#include "cuprum/core/tensor_map.hpp"
#include "cuprum/core/texture_object.hpp"

namespace cuprum::core {

// Blocks in a grid or threads in a block.
struct Dimensions {
    uint32_t x = 1, y = 1, z = 1;
    constexpr Dimensions() = default;
    constexpr Dimensions(uint32_t x_, uint32_t y_ = 1, uint32_t z_ = 1) : x(x_), y(y_), z(z_) {}
    friend constexpr bool operator==(const Dimensions&, const Dimensions&) = default;
};

// Which of the device's domains a kernel's memory fences wait for: a fence in one does not wait for writes in the other
// (compute capability 9.0). CUlaunchMemSyncDomain.
enum class MemorySyncDomain : uint8_t { default_domain = 0, remote = 1 };

// Which of the device's hardware domains the two logical ones are, from 0. CUlaunchMemSyncDomainMap.
struct MemorySyncDomainMap {
    uint8_t default_domain = 0;
    uint8_t remote = 1;
    friend constexpr bool operator==(const MemorySyncDomainMap&, const MemorySyncDomainMap&) = default;
};

// How long what a kernel accesses stays in the L2 cache. CUaccessProperty.
enum class AccessProperty : uint8_t { normal = 0, streaming = 1, persisting = 2 };

// How the L2 cache treats a kernel's accesses to one range of device memory: a part of them, hit_ratio (0 to 1), by
// hit, the rest by miss, which cannot be persisting. CUaccessPolicyWindow.
struct AccessPolicyWindow {
    DevicePointer address = 0;
    uint64_t size = 0;  // bytes; up to the device's CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE
    float hit_ratio = 1;
    AccessProperty hit = AccessProperty::persisting;
    AccessProperty miss = AccessProperty::streaming;
    friend constexpr bool operator==(const AccessPolicyWindow&, const AccessPolicyWindow&) = default;
};

// How a kernel is launched. What is left out is the stream's, the kernel's or the driver's own, and costs nothing.
struct LaunchConfig {
    Dimensions grid;          // blocks; clusters where there is a cluster
    Dimensions block;         // threads per block
    uint32_t shmem_size = 0;  // dynamic shared memory per block, bytes
    bool is_cooperative = false;
    // The kernel may start before the previous one in the stream has finished, once all of that one's blocks have
    // triggered it or ended, and must itself wait for its results (cudaGridDependencySynchronize, compute
    // capability 9.0). CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION.
    bool programmatic_stream_serialization = false;
    // Blocks per cluster: they run at once on neighbouring multiprocessors and reach each other's shared memory
    // (compute capability 9.0). CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION.
    std::optional<Dimensions> cluster = std::nullopt;
    // Instead of the stream's; lower numbers run first. CU_LAUNCH_ATTRIBUTE_PRIORITY.
    std::optional<int32_t> priority = std::nullopt;
    // How much of the memory that shared memory and the L1 cache have in common is preferred to be shared memory,
    // percent (0 to 100); a hint. CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT.
    std::optional<int32_t> preferred_shared_memory_carveout = std::nullopt;
    std::optional<MemorySyncDomain> memory_sync_domain = std::nullopt;
    std::optional<MemorySyncDomainMap> memory_sync_domain_map = std::nullopt;
    std::optional<AccessPolicyWindow> access_policy_window = std::nullopt;

    // One-dimensional, with as few blocks of block_size threads as have a thread for each of num_elements; one block
    // for none. The last block may have threads beyond the last element: the kernel checks. Throws InvalidArgument when
    // block_size is 0 or the blocks are more than 2^32 - 1.
    static LaunchConfig for_num_elements(uint64_t num_elements, uint32_t block_size);

    friend constexpr bool operator==(const LaunchConfig&, const LaunchConfig&) = default;
};

// Launches with arguments given by address: of each, in order, where its bytes are and what they are. Checks count,
// sizes and, where both are known, kinds against the kernel's own parameters (ArgumentMismatch names the position, what
// it takes and what it got) and the configuration as launch_checked() does. Asynchronous; the arguments are read before
// it returns. No allocation and no lock on the way to the driver, which is given `addresses` as they are.
void launch_arguments(StreamRef stream, const LaunchConfig& config, const Kernel& kernel,
                      std::span<const void* const> addresses, std::span<const ArgumentType> types);

// The same for a caller that has checked the arguments by an ArgumentCheck for this kernel: there is an address for
// each parameter, and as many bytes there as it takes. Checks grid, block and shared memory against the device's limits
// (InvalidArgument names the limit).
void launch_checked(StreamRef stream, const LaunchConfig& config, const Kernel& kernel,
                    std::span<const void* const> addresses);

namespace detail {
template <class T>
constexpr ArgumentKind kind_of() {
    if constexpr (std::is_same_v<T, bool>) return ArgumentKind::boolean;
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) return ArgumentKind::integer;
    if constexpr (std::is_floating_point_v<T>) return ArgumentKind::floating_point;
    if constexpr (std::is_pointer_v<T>) return ArgumentKind::pointer;
    return ArgumentKind::unknown;
}

template <class T>
inline constexpr bool is_image_object = std::is_same_v<T, TextureObject> || std::is_same_v<T, SurfaceObject>;

// What the kernel receives for one C++ argument: a buffer's address, the handle of a texture or surface object, the 128
// bytes of a tensor map, anything else as it is.
template <class T>
constexpr ArgumentType argument_type() {
    if constexpr (std::is_base_of_v<BufferRef, T>) {
        return {sizeof(DevicePointer), ArgumentKind::pointer};
    } else if constexpr (is_image_object<T>) {
        return {sizeof(uint64_t), ArgumentKind::integer};
    } else if constexpr (std::is_same_v<T, TensorMapDescriptor>) {
        return {sizeof(std::array<std::byte, 128>), ArgumentKind::unknown};
    } else {
        static_assert(std::is_trivially_copyable_v<T>,
                      "a kernel argument must be trivially copyable: a number, a pointer, a plain struct or a Buffer");
        static_assert(!std::is_same_v<T, std::nullptr_t>, "pass a typed null pointer or DevicePointer{0}");
        return {static_cast<uint32_t>(sizeof(T)), kind_of<T>()};
    }
}

template <class T>
const void* argument_address(const T& value) {
    if constexpr (std::is_base_of_v<BufferRef, T>) {
        // In place: it is read after this function has returned.
        return value.is_valid() ? value.address_of_handle() : nullptr;
    } else if constexpr (is_image_object<T>) {
        return value.address_of_handle();
    } else if constexpr (std::is_same_v<T, TensorMapDescriptor>) {
        return value.is_valid() ? value.bytes().data() : nullptr;
    } else {
        return &value;
    }
}
}  // namespace detail

// launch(stream, {grid, block}, kernel, a, x, y, n): each argument is passed with exactly its C++ type. Numbers and
// pointers are checked against the parameter's type where that is known (Kernel::arguments_info), structs by their
// size.
template <class... Arguments>
void launch(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) {
    static constexpr std::array<ArgumentType, sizeof...(Arguments)> types{detail::argument_type<Arguments>()...};
    const std::array<const void*, sizeof...(Arguments)> addresses{detail::argument_address(arguments)...};
    launch_arguments(stream, config, kernel, addresses, types);
}

}  // namespace cuprum::core
