#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include "cuprum/core/argument_check.hpp"
#include "cuprum/core/buffer.hpp"
#include "cuprum/core/kernel.hpp"
#include "cuprum/core/stream.hpp"

namespace cuprum::core {

// Blocks in a grid or threads in a block.
struct Dimensions {
    uint32_t x = 1, y = 1, z = 1;
    constexpr Dimensions() = default;
    constexpr Dimensions(uint32_t x_, uint32_t y_ = 1, uint32_t z_ = 1) : x(x_), y(y_), z(z_) {}
    friend constexpr bool operator==(const Dimensions&, const Dimensions&) = default;
};

struct LaunchConfig {
    Dimensions grid;          // blocks
    Dimensions block;         // threads per block
    uint32_t shmem_size = 0;  // dynamic shared memory per block, bytes
    bool is_cooperative = false;
    // The kernel may start before the one in front of it in the stream has finished, once that one's blocks have all
    // triggered it or ended, and must wait for its results by itself (cudaGridDependencySynchronize, compute capability
    // 9.0). CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION.
    bool programmatic_stream_serialization = false;
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

// What the kernel receives for one C++ argument: a buffer's address, anything else as it is.
template <class T>
constexpr ArgumentType argument_type() {
    if constexpr (std::is_base_of_v<BufferRef, T>) {
        return {sizeof(DevicePointer), ArgumentKind::pointer};
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
        return value.address_of_handle();  // in place: it is read after this function has returned
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
