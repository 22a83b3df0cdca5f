#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cuprum/core/handles.hpp"

namespace cuprum::core {

class Device;
class ObjectCode;
class StreamRef;
struct LaunchConfig;

// What a kernel's parameter is, or an argument for one.
enum class ArgumentKind : int32_t {
    unknown = 0,  // also a class, and an enumeration that is known by its name alone
    boolean = 1,
    integer = 2,
    floating_point = 3,  // of 2, 4 or 8 bytes: half, float, double
    bfloat16 = 4,
    pointer = 5,
    integer_or_pointer = 6,  // PTX alone is known, which often tells no more of a parameter of 8 bytes
};

// A parameter. Offset and size come from the driver; kind and type from the kernel's mangled name, its declaration in
// the source, and PTX, as far as there are any. What is not certain is unknown.
struct KernelArgumentInfo {
    uint64_t offset = 0;  // bytes, in the parameter buffer
    uint64_t size = 0;    // bytes
    ArgumentKind kind = ArgumentKind::unknown;
    std::string_view type{};  // as C++ writes it, "const float*", or empty; valid while the kernel is
};

namespace detail {
template <class... Kinds>
constexpr uint8_t bits_of(Kinds... kinds) {
    return static_cast<uint8_t>(
        ((1U << static_cast<uint32_t>(ArgumentKind::unknown)) | ... | (1U << static_cast<uint32_t>(kinds))));
}
constexpr uint8_t taking_integers =
    bits_of(ArgumentKind::boolean, ArgumentKind::integer, ArgumentKind::pointer, ArgumentKind::integer_or_pointer);
constexpr uint8_t taking_pointers = bits_of(ArgumentKind::pointer, ArgumentKind::integer_or_pointer);
// By the kind that is given: the kinds of parameter that take it.
inline constexpr std::array<uint8_t, 7> taking{0xFF,
                                               taking_integers,
                                               taking_integers,
                                               bits_of(ArgumentKind::floating_point),
                                               bits_of(ArgumentKind::bfloat16),
                                               taking_pointers,
                                               taking_pointers};
}  // namespace detail

// Whether a launch takes an argument of the kind `given` for a parameter of that kind and the same size. Integers are
// taken for pointers, as addresses; pointers for integers are not. What is unknown goes with everything.
constexpr bool takes(ArgumentKind parameter, ArgumentKind given) {
    return (detail::taking[static_cast<size_t>(given)] >> static_cast<uint32_t>(parameter) & 1) != 0;
}

// For errors: "const float* (8 bytes)", "an integer of 4 bytes", "12 bytes".
std::string describe(const KernelArgumentInfo& parameter);
// For errors: what to give instead of an argument that a parameter does not take.
std::string advice_for_argument(ArgumentKind parameter, ArgumentKind given);

// Of a kernel on one device. Sizes in bytes.
struct KernelAttributes {
    int32_t max_threads_per_block = 0;
    int32_t shared_size_bytes = 0;
    int32_t const_size_bytes = 0;
    int32_t local_size_bytes = 0;  // per thread
    int32_t num_regs = 0;
    int32_t ptx_version = 0;
    int32_t binary_version = 0;
    int32_t max_dynamic_shared_size_bytes = 0;
    bool cache_mode_ca = false;                    // compiled with -Xptxas --dlcm=ca
    int32_t preferred_shared_memory_carveout = 0;  // percent of the most there can be; -1: the driver chooses
    bool cluster_size_must_be_set = false;         // a launch without a cluster size fails
    int32_t required_cluster_width = 0;            // blocks; 0: none is required
    int32_t required_cluster_height = 0;
    int32_t required_cluster_depth = 0;
    bool non_portable_cluster_size_allowed = false;    // clusters of more than 8 blocks
    int32_t cluster_scheduling_policy_preference = 0;  // CUclusterSchedulingPolicy
};

// The attributes that can be set, with the driver's numbers (CU_FUNC_ATTRIBUTE_*). Truths are 1 or 0.
enum class KernelAttribute : int32_t {
    max_dynamic_shared_size_bytes = 8,
    preferred_shared_memory_carveout = 9,
    required_cluster_width = 11,
    required_cluster_height = 12,
    required_cluster_depth = 13,
    non_portable_cluster_size_allowed = 14,
    cluster_scheduling_policy_preference = 15,
};

// The launch that fills a device best, as far as the kernel's own needs tell.
struct MaxPotentialBlockSizeOccupancyResult {
    int32_t min_grid_size = 0;   // blocks that it takes to fill the device
    int32_t max_block_size = 0;  // threads
};

// A kernel, ready to be launched on any device. Copies are cheap and keep the code loaded. Thread-safe.
class Kernel {
public:
    Kernel() = default;  // invalid

    // A kernel that other code has loaded. It stays loaded as long as its library does: give the object code that the
    // library belongs to, or see to it that the library outlives the kernel. Throws InvalidArgument for null.
    static Kernel from_handle(CUkernel handle);
    static Kernel from_handle(CUkernel handle, const ObjectCode& code);

    bool is_valid() const { return state_ != nullptr; }
    CUkernel handle() const;
    const std::string& name() const;  // as it was asked for in get_kernel()
    // One entry per parameter; empty for a kernel without parameters. Found out when the kernel was got: never
    // allocates.
    std::span<const KernelArgumentInfo> arguments_info() const;
    uint32_t num_arguments() const { return static_cast<uint32_t>(arguments_info().size()); }
    KernelAttributes attributes(const Device& device) const;
    int32_t max_active_blocks_per_multiprocessor(const Device& device, int32_t block_size,
                                                 uint64_t dynamic_shared_memory) const;
    // How many bytes of dynamic shared memory each block can have when `num_blocks_per_multiprocessor` blocks of
    // `block_size` threads run on one multiprocessor at once. The driver leaves out what the device reserves for each
    // block. Throws DriverError when that many do not fit.
    uint64_t available_dynamic_shared_memory_per_block(const Device& device, int32_t num_blocks_per_multiprocessor,
                                                       int32_t block_size) const;
    // The block size, up to `block_size_limit` threads (0: as many as the kernel takes), at which the most threads run
    // at once, and how many such blocks fill the device.
    MaxPotentialBlockSizeOccupancyResult max_potential_block_size(const Device& device, uint64_t dynamic_shared_memory,
                                                                  int32_t block_size_limit = 0) const;
    // The same where blocks of different sizes need different amounts: `dynamic_shared_memory` gives the bytes for a
    // block of that many threads. What it throws is thrown.
    MaxPotentialBlockSizeOccupancyResult max_potential_block_size(
        const Device& device, const std::function<uint64_t(int32_t)>& dynamic_shared_memory,
        int32_t block_size_limit = 0) const;
    // The most blocks that a cluster can have when the kernel is launched with that block and shared memory in that
    // stream; the configuration's own cluster is ignored. More than 8 only where non_portable_cluster_size_allowed is
    // set. Throws Unsupported on a device without clusters.
    int32_t max_potential_cluster_size(const LaunchConfig& config, const StreamRef& stream) const;
    // How many clusters of the configuration's size run at once on the stream's device, or on its part of it. Throws
    // Unsupported on a device without clusters. 0 where neither the configuration nor the kernel says how many blocks a
    // cluster has.
    int32_t max_active_clusters(const LaunchConfig& config, const StreamRef& stream) const;
    // On one device, for all launches of the kernel from then on, also through other copies of it. Throws
    // InvalidArgument for what is none of the attributes, DriverError for a value that the driver does not take.
    void set_attribute(const Device& device, KernelAttribute attribute, int32_t value) const;
    // Allows up to `bytes` of dynamic shared memory per block (beyond 48 KiB it must be asked for).
    void set_max_dynamic_shared_size(const Device& device, int32_t bytes) const;

private:
    friend class ObjectCode;
    friend struct KernelAccess;
    struct State;
    explicit Kernel(std::shared_ptr<const State> state) : state_(std::move(state)) {}
    std::shared_ptr<const State> state_;
};

}  // namespace cuprum::core
