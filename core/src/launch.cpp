// The way of a launch. What makes it cheap: parameter sizes and device limits were read before (Kernel::State,
// DeviceState::properties, both reached by atomic loads only), the array of addresses that the caller made is the one
// that the driver gets, and every text is made after a failure. No mutex is taken and nothing is allocated once the
// device's properties are cached.
#include "cuprum/core/launch.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "capture_keeping.hpp"
#include "context.hpp"
#include "device_properties.hpp"
#include "driver_error.hpp"
#include "kernel_state.hpp"
#include "launch_attributes.hpp"
#include "launch_checks.hpp"
#include "require.hpp"
#include "stream_state.hpp"

namespace cuprum::core {

namespace {

using KernelState = KernelAccess::State;

constexpr const char* launching = "launching";

[[noreturn]] void throw_null_argument(const KernelState& kernel, int32_t device_id, size_t position) {
    throw InvalidArgument(launching, describe_kernel(kernel.name, device_id),
                          "argument " + std::to_string(position) +
                              " (counted from 0) has no address: it is null, or a buffer that is closed, moved-from or "
                              "default-constructed",
                          "allocate a new buffer");
}

[[noreturn]] void refuse_config(const KernelState& kernel, int32_t device_id, std::string detail) {
    throw InvalidArgument(launching, describe_kernel(kernel.name, device_id), std::move(detail));
}

// One dimension of the launch against the device's limit.
void check_dimension(const KernelState& kernel, int32_t device_id, const char* what, uint64_t given, int32_t limit) {
    if (given == 0 || given > static_cast<uint64_t>(limit)) [[unlikely]] {
        refuse_config(
            kernel, device_id,
            std::string(what) + " is " + std::to_string(given) + ", the device takes 1 to " + std::to_string(limit));
    }
}

void check_cluster(const KernelState& kernel, int32_t device_id, const Dimensions& grid, const Dimensions& cluster,
                   const DeviceProperties& limits) {
    if (cluster.x == 0 || cluster.y == 0 || cluster.z == 0) {
        refuse_config(kernel, device_id,
                      "the cluster " + describe(cluster) + " has no blocks; each dimension is at least 1");
    }
    if (!limits.cluster_launch && cluster != Dimensions{}) {
        throw Unsupported(launching, describe_kernel(kernel.name, device_id),
                          "the cluster is " + describe(cluster) + ", and the device has no clusters",
                          "launch without a cluster, or on a device of compute capability 9.0 or newer");
    }
    check_dimension(kernel, device_id, "grid.x times cluster.x", uint64_t{grid.x} * cluster.x, limits.max_grid_dim_x);
    check_dimension(kernel, device_id, "grid.y times cluster.y", uint64_t{grid.y} * cluster.y, limits.max_grid_dim_y);
    check_dimension(kernel, device_id, "grid.z times cluster.z", uint64_t{grid.z} * cluster.z, limits.max_grid_dim_z);
}

void check_access_policy(const KernelState& kernel, int32_t device_id, const AccessPolicyWindow& window) {
    if (!(window.hit_ratio >= 0 && window.hit_ratio <= 1)) {
        refuse_config(kernel, device_id,
                      "the hit ratio of the access policy window is " + std::to_string(window.hit_ratio) +
                          ", it is a part of the accesses, 0 to 1");
    }
    if (window.miss == AccessProperty::persisting) {
        refuse_config(kernel, device_id,
                      "the access policy window's misses are persisting, they can be normal or streaming");
    }
}

// What only a launch with attributes has. The driver itself says what a kernel, and not the device, does not allow.
void check_attributes(const KernelState& kernel, int32_t device_id, const LaunchConfig& config,
                      const DeviceProperties& limits) {
    if (config.is_cooperative && !limits.cooperative_launch) {
        throw Unsupported(launching, describe_kernel(kernel.name, device_id), "the device has no cooperative launches");
    }
    if (config.cluster) check_cluster(kernel, device_id, config.grid, *config.cluster, limits);
    if (const auto carveout = config.preferred_shared_memory_carveout; carveout && (*carveout < 0 || *carveout > 100)) {
        refuse_config(
            kernel, device_id,
            "the preferred shared memory carveout is " + std::to_string(*carveout) + ", it is a percentage, 0 to 100");
    }
    if (config.access_policy_window) check_access_policy(kernel, device_id, *config.access_policy_window);
}

}  // namespace

void check_arguments(const KernelState& kernel, int32_t device_id, std::span<const void* const> addresses,
                     std::span<const ArgumentType> types) {
    const ArgumentCheck check{kernel.name, device_id, kernel.arguments};
    check.require_count(addresses.size());
    check.require_count(types.size());
    for (size_t i = 0; i < addresses.size(); ++i) {
        check.require_type(i, types[i]);
        if (addresses[i] == nullptr) [[unlikely]] {
            throw_null_argument(kernel, device_id, i);
        }
    }
}

namespace {

// Whether none of the checks below would find anything, in few branches: what the driver has run since the last launch
// has pushed the processor's memory of them out. A limit of 0 threads or less is no limit of any device.
bool fits_device(const LaunchConfig& config, const DeviceProperties& limits) {
    const auto fits = [](uint32_t given, int32_t limit) { return given - 1 < static_cast<uint32_t>(limit); };
    const uint64_t threads = uint64_t{config.block.x} * config.block.y * config.block.z;
    return static_cast<bool>(
        static_cast<int>(fits(config.grid.x, limits.max_grid_dim_x)) &
        static_cast<int>(fits(config.grid.y, limits.max_grid_dim_y)) &
        static_cast<int>(fits(config.grid.z, limits.max_grid_dim_z)) &
        static_cast<int>(fits(config.block.x, limits.max_block_dim_x)) &
        static_cast<int>(fits(config.block.y, limits.max_block_dim_y)) &
        static_cast<int>(fits(config.block.z, limits.max_block_dim_z)) &
        static_cast<int>(threads <= static_cast<uint64_t>(limits.max_threads_per_block)) &
        static_cast<int>(config.shmem_size <= static_cast<uint32_t>(limits.max_shared_memory_per_block)) &
        static_cast<int>(!needs_attributes(config)));
}

}  // namespace

void check_limits(const KernelState& kernel, int32_t device_id, const LaunchConfig& config,
                  const DeviceProperties& limits) {
    check_dimension(kernel, device_id, "grid.x", config.grid.x, limits.max_grid_dim_x);
    check_dimension(kernel, device_id, "grid.y", config.grid.y, limits.max_grid_dim_y);
    check_dimension(kernel, device_id, "grid.z", config.grid.z, limits.max_grid_dim_z);
    check_dimension(kernel, device_id, "block.x", config.block.x, limits.max_block_dim_x);
    check_dimension(kernel, device_id, "block.y", config.block.y, limits.max_block_dim_y);
    check_dimension(kernel, device_id, "block.z", config.block.z, limits.max_block_dim_z);
    const uint64_t threads = uint64_t{config.block.x} * config.block.y * config.block.z;
    if (threads > static_cast<uint64_t>(limits.max_threads_per_block)) [[unlikely]] {
        throw InvalidArgument(launching, describe_kernel(kernel.name, device_id),
                              "the block " + describe(config.block) + " has " + std::to_string(threads) +
                                  " threads, the device takes at most " + std::to_string(limits.max_threads_per_block));
    }
    // A device without the opt-in reports 0 for it.
    const int32_t shared_limit = std::max(limits.max_shared_memory_per_block, limits.max_shared_memory_per_block_optin);
    if (config.shmem_size > static_cast<uint32_t>(shared_limit)) [[unlikely]] {
        throw InvalidArgument(launching, describe_kernel(kernel.name, device_id),
                              std::to_string(config.shmem_size) +
                                  " bytes of dynamic shared memory per block, the device has at most " +
                                  std::to_string(shared_limit));
    }
    if (needs_attributes(config)) check_attributes(kernel, device_id, config, limits);
}

std::vector<DevicePointer> memory_of_arguments(const KernelState& kernel, std::span<const void* const> addresses) {
    std::vector<DevicePointer> memory;
    for (size_t i = 0; i < std::min(kernel.arguments.size(), addresses.size()); ++i) {
        const KernelArgumentInfo& parameter = kernel.arguments[i];
        const bool may_be_address = parameter.kind == ArgumentKind::pointer ||
                                    parameter.kind == ArgumentKind::integer_or_pointer ||
                                    parameter.kind == ArgumentKind::unknown;
        if (parameter.size != sizeof(DevicePointer) || !may_be_address) continue;
        std::memcpy(&memory.emplace_back(), addresses[i], sizeof(DevicePointer));
    }
    return memory;
}

std::string kernel_limits_note(const KernelState& kernel, int32_t device_id, const LaunchConfig& config) {
    const auto attribute = [&](CUfunction_attribute which) {
        int value = 0;
        const CUresult result =
            driver::cuKernelGetAttribute(&value, which, kernel.handle, device_state(device_id).device);
        return result == CUDA_SUCCESS ? value : -1;
    };
    const uint64_t threads = uint64_t{config.block.x} * config.block.y * config.block.z;
    const int max_threads = attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    if (max_threads >= 0 && threads > static_cast<uint64_t>(max_threads)) {
        return "the block has " + std::to_string(threads) + " threads, this kernel takes at most " +
               std::to_string(max_threads) + " (its registers and shared memory allow no more)";
    }
    const int max_shared = attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    if (max_shared >= 0 && config.shmem_size > static_cast<uint32_t>(max_shared)) {
        return std::to_string(config.shmem_size) +
               " bytes of dynamic shared memory per block, this kernel is allowed " + std::to_string(max_shared) +
               ": raise its maximum dynamic shared size first";
    }
    return {};
}

const KernelState& require_kernel(const Kernel& kernel) {
    const KernelState* const state = KernelAccess::state(kernel);
    if (state == nullptr) [[unlikely]] {
        throw InvalidArgument(launching, "kernel", "the kernel is invalid (moved-from or default-constructed)",
                              "get one from object code");
    }
    return *state;
}

namespace {

// The first launch in a primary context: the driver loads the kernel there, which a capture allows.
[[gnu::noinline]] CUfunction find_function(const KernelState& kernel, int32_t device_id) {
    const ContextScope scope(device_id);
    const OutsideOfCaptures outside;
    CUfunction function = nullptr;
    check(driver::cuKernelGetFunction(&function, kernel.handle), "cuKernelGetFunction", launching,
          [&] { return describe_kernel(kernel.name, device_id); });
    kernel.functions[static_cast<size_t>(device_id)].store(function, std::memory_order_release);
    return function;
}

// A CUkernel may stand for a CUfunction: the driver takes the context from the stream, or the current one for a default
// stream (cuda.h, cuLaunchKernel).
CUfunction function_in(const StreamRef& stream, const KernelState& kernel) {
    if (!StreamAccess::is_of_primary_context(stream)) return reinterpret_cast<CUfunction>(kernel.handle);
    const auto device_id = static_cast<size_t>(stream.device_id());
    if (CUfunction const known = kernel.functions[device_id].load(std::memory_order_acquire)) [[likely]]
        return known;
    return find_function(kernel, stream.device_id());
}

[[gnu::noinline]] CUresult launch_with_attributes(const LaunchConfig& config, CUstream stream, CUfunction function,
                                                  void** parameters) {
    LaunchAttributes attributes(config);
    const CUlaunchConfig launch_config = attributes.driver_config(config, stream);
    return driver::cuLaunchKernelEx(&launch_config, function, parameters, nullptr);
}

[[gnu::noinline]] void keep_captured_launch(const StreamRef& stream, const Kernel& launched, const KernelState& kernel,
                                            std::span<const void* const> addresses) {
    keep_in_current_context(stream, {KernelAccess::owner(launched)}, memory_of_arguments(kernel, addresses), launching);
}

// `stream` is valid, and the arguments are checked.
void launch_state(const StreamRef& stream, const LaunchConfig& config, const Kernel& launched,
                  const KernelState& kernel, std::span<const void* const> addresses) {
    const int32_t device_id = stream.device_id();
    const DeviceProperties& limits =
        device_properties(known_devices.load(std::memory_order_acquire)[device_id], device_id);
    const bool plain = fits_device(config, limits);
    if (!plain) [[unlikely]]
        check_limits(kernel, device_id, config, limits);

    const ContextScope scope(stream);
    if (is_any_graph_being_built()) [[unlikely]]
        keep_captured_launch(stream, launched, kernel, addresses);
    void** const parameters = const_cast<void**>(addresses.data());  // the driver only reads
    CUfunction const function = function_in(stream, kernel);
    CUresult result{};
    if (plain) [[likely]] {
        const CUlaunchConfig launch_config = driver_config(config, stream.handle());
        // An H200's driver (580) launches 1 % faster by it than by cuLaunchKernel.
        result = driver::cuLaunchKernelEx(&launch_config, function, parameters, nullptr);
    } else {
        result = launch_with_attributes(config, stream.handle(), function, parameters);
    }
    if (result != CUDA_SUCCESS) [[unlikely]] {
        throw_driver_error(result, "cuLaunchKernelEx",
                           "launching with grid " + describe(config.grid) + " and block " + describe(config.block),
                           describe_kernel(kernel.name, device_id), kernel_limits_note(kernel, device_id, config));
    }
}

}  // namespace

LaunchConfig LaunchConfig::for_num_elements(uint64_t num_elements, uint32_t block_size) {
    const std::string object = "a grid for " + std::to_string(num_elements) + " elements";
    if (block_size == 0) throw InvalidArgument("making a launch configuration", object, "blocks of 0 threads");
    const uint64_t blocks = std::max<uint64_t>(1, num_elements / block_size + (num_elements % block_size != 0 ? 1 : 0));
    if (blocks > UINT32_MAX) {
        throw InvalidArgument("making a launch configuration", object,
                              "needs " + std::to_string(blocks) + " blocks of " + std::to_string(block_size) +
                                  " threads, a grid has at most 4294967295",
                              "let each thread do several elements");
    }
    return {static_cast<uint32_t>(blocks), block_size};
}

void launch_arguments(StreamRef stream, const LaunchConfig& config, const Kernel& kernel,
                      std::span<const void* const> addresses, std::span<const ArgumentType> types) {
    require_valid(stream, launching);
    const KernelState& state = require_kernel(kernel);
    check_arguments(state, stream.device_id(), addresses, types);
    launch_state(stream, config, kernel, state, addresses);
}

void launch_checked(StreamRef stream, const LaunchConfig& config, const Kernel& kernel,
                    std::span<const void* const> addresses) {
    require_valid(stream, launching);
    launch_state(stream, config, kernel, require_kernel(kernel), addresses);
}

}  // namespace cuprum::core
