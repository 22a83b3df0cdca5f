#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cuprum/core/handles.hpp"

namespace cuprum::core {

class Device;

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
};

// A kernel, ready to be launched on any device. Copies are cheap and keep the code loaded. Thread-safe.
class Kernel {
public:
    Kernel() = default;  // invalid

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
