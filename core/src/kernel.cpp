#include "cuprum/core/kernel.hpp"

#include <array>

#include "context.hpp"
#include "cuprum/core/device.hpp"
#include "driver_error.hpp"
#include "kernel_state.hpp"

namespace cuprum::core {

namespace {

template <class State>
const State& require_kernel_state(const std::shared_ptr<const State>& state, const char* operation) {
    if (state == nullptr) [[unlikely]] {
        throw InvalidArgument(operation, "kernel", "the kernel is invalid (moved-from or default-constructed)",
                              "get one from object code");
    }
    return *state;
}

struct Attribute {
    int32_t KernelAttributes::*field;
    CUfunction_attribute attribute;
};

constexpr std::array attributes_read{
    Attribute{&KernelAttributes::max_threads_per_block, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
    Attribute{&KernelAttributes::shared_size_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES},
    Attribute{&KernelAttributes::const_size_bytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES},
    Attribute{&KernelAttributes::local_size_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES},
    Attribute{&KernelAttributes::num_regs, CU_FUNC_ATTRIBUTE_NUM_REGS},
    Attribute{&KernelAttributes::ptx_version, CU_FUNC_ATTRIBUTE_PTX_VERSION},
    Attribute{&KernelAttributes::binary_version, CU_FUNC_ATTRIBUTE_BINARY_VERSION},
    Attribute{&KernelAttributes::max_dynamic_shared_size_bytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES},
};

}  // namespace

std::string describe(const KernelArgumentInfo& parameter) {
    std::string size = std::to_string(parameter.size) + (parameter.size == 1 ? " byte" : " bytes");
    if (!parameter.type.empty()) return std::string(parameter.type) + " (" + size + ")";
    switch (parameter.kind) {
        case ArgumentKind::boolean:
            return "a bool";
        case ArgumentKind::integer:
            return "an integer of " + size;
        case ArgumentKind::floating_point:
        case ArgumentKind::bfloat16:
            return "a floating-point number of " + size;
        case ArgumentKind::pointer:
            return "a pointer";
        case ArgumentKind::integer_or_pointer:
            return "a pointer or an integer of " + size;
        case ArgumentKind::unknown:
            break;
    }
    return size;
}

std::string advice_for_argument(ArgumentKind parameter, ArgumentKind given) {
    if (given == ArgumentKind::pointer) {
        return "a device address is for a pointer: see whether the arguments stand in the kernel's order";
    }
    switch (parameter) {
        case ArgumentKind::floating_point:
            return "give a floating-point number of the parameter's type";
        case ArgumentKind::bfloat16:
            return "give a bfloat16";
        case ArgumentKind::pointer:
        case ArgumentKind::integer_or_pointer:
            return "give a Buffer, or a device address as an integer";
        default:
            return "give an integer";
    }
}

CUkernel Kernel::handle() const {
    return require_kernel_state(state_, "asking for a kernel's handle").handle;
}

const std::string& Kernel::name() const {
    return require_kernel_state(state_, "asking for a kernel's name").name;
}

std::span<const KernelArgumentInfo> Kernel::arguments_info() const {
    return require_kernel_state(state_, "asking for a kernel's parameters").arguments;
}

KernelAttributes Kernel::attributes(const Device& device) const {
    const State& state = require_kernel_state(state_, "asking for a kernel's attributes");
    const ContextScope scope(device.device_id());
    KernelAttributes attributes;
    for (const Attribute& attribute : attributes_read) {
        check(
            driver::cuKernelGetAttribute(&(attributes.*attribute.field), attribute.attribute, state.handle,
                                         device_state(device.device_id()).device),
            "cuKernelGetAttribute",
            [&attribute] { return "asking for function attribute " + std::to_string(attribute.attribute); },
            [&] { return describe_kernel(state.name, device.device_id()); });
    }
    return attributes;
}

int32_t Kernel::max_active_blocks_per_multiprocessor(const Device& device, int32_t block_size,
                                                     uint64_t dynamic_shared_memory) const {
    constexpr const char* operation = "asking for the occupancy";
    const State& state = require_kernel_state(state_, operation);
    const ContextScope scope(device.device_id());
    int blocks = 0;
    // A CUkernel may stand for the CUfunction of the current context (cuda.h).
    check(driver::cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reinterpret_cast<CUfunction>(state.handle),
                                                              block_size, dynamic_shared_memory),
          "cuOccupancyMaxActiveBlocksPerMultiprocessor", operation,
          [&] { return describe_kernel(state.name, device.device_id()); });
    return blocks;
}

uint64_t Kernel::available_dynamic_shared_memory_per_block(const Device& device, int32_t num_blocks_per_multiprocessor,
                                                           int32_t block_size) const {
    constexpr const char* operation = "asking for the dynamic shared memory that is available";
    const State& state = require_kernel_state(state_, operation);
    const ContextScope scope(device.device_id());
    size_t bytes = 0;
    // A CUkernel may stand for the CUfunction of the current context (cuda.h).
    check(driver::cuOccupancyAvailableDynamicSMemPerBlock(&bytes, reinterpret_cast<CUfunction>(state.handle),
                                                          num_blocks_per_multiprocessor, block_size),
          "cuOccupancyAvailableDynamicSMemPerBlock", operation,
          [&] { return describe_kernel(state.name, device.device_id()); });
    return bytes;
}

void Kernel::set_max_dynamic_shared_size(const Device& device, int32_t bytes) const {
    const State& state = require_kernel_state(state_, "allowing dynamic shared memory");
    const ContextScope scope(device.device_id());
    check(
        driver::cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes, state.handle,
                                     device_state(device.device_id()).device),
        "cuKernelSetAttribute",
        [bytes] { return "allowing " + std::to_string(bytes) + " bytes of dynamic shared memory"; },
        [&] { return describe_kernel(state.name, device.device_id()); });
}

}  // namespace cuprum::core
