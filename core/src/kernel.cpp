#include "cuprum/core/kernel.hpp"

#include <array>
#include <exception>
#include <memory>
#include <utility>

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
    Attribute{&KernelAttributes::preferred_shared_memory_carveout, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT},
    Attribute{&KernelAttributes::required_cluster_width, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH},
    Attribute{&KernelAttributes::required_cluster_height, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT},
    Attribute{&KernelAttributes::required_cluster_depth, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH},
    Attribute{&KernelAttributes::cluster_scheduling_policy_preference,
              CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE},
};

struct TruthAttribute {
    bool KernelAttributes::*field;
    CUfunction_attribute attribute;
};

constexpr std::array truths_read{
    TruthAttribute{&KernelAttributes::cache_mode_ca, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA},
    TruthAttribute{&KernelAttributes::cluster_size_must_be_set, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET},
    TruthAttribute{&KernelAttributes::non_portable_cluster_size_allowed,
                   CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED},
};

// In words, for errors; nullptr for what cannot be set.
const char* attribute_words(KernelAttribute attribute) {
    switch (attribute) {
        case KernelAttribute::max_dynamic_shared_size_bytes:
            return "the maximum dynamic shared size";
        case KernelAttribute::preferred_shared_memory_carveout:
            return "the preferred shared memory carveout";
        case KernelAttribute::required_cluster_width:
            return "the required cluster width";
        case KernelAttribute::required_cluster_height:
            return "the required cluster height";
        case KernelAttribute::required_cluster_depth:
            return "the required cluster depth";
        case KernelAttribute::non_portable_cluster_size_allowed:
            return "whether non-portable cluster sizes are allowed";
        case KernelAttribute::cluster_scheduling_policy_preference:
            return "the cluster scheduling policy preference";
    }
    return nullptr;
}

int32_t kernel_attribute(CUkernel kernel, const std::string& name, int32_t device_id, CUfunction_attribute attribute) {
    int value = 0;
    check(
        driver::cuKernelGetAttribute(&value, attribute, kernel, device_state(device_id).device), "cuKernelGetAttribute",
        [attribute] { return "asking for function attribute " + std::to_string(attribute); },
        [&] { return describe_kernel(name, device_id); });
    return value;
}

// The driver asks a function without a context of its own for shared memory sizes, in the thread that asks the driver.
struct SizesByBlock {
    const std::function<uint64_t(int32_t)>* function = nullptr;
    std::exception_ptr thrown;  // not through the driver
};
thread_local SizesByBlock* sizes_by_block = nullptr;

size_t CUDA_CB size_for_block(int block_size) {
    if (sizes_by_block->thrown) return 0;
    try {
        return (*sizes_by_block->function)(block_size);
    } catch (...) {
        sizes_by_block->thrown = std::current_exception();
        return 0;
    }
}

MaxPotentialBlockSizeOccupancyResult ask_for_block_size(CUkernel kernel, const std::string& name, const Device& device,
                                                        CUoccupancyB2DSize size_for, uint64_t dynamic_shared_memory,
                                                        int32_t block_size_limit) {
    constexpr const char* operation = "asking for the best block size";
    if (block_size_limit < 0) {
        throw InvalidArgument(operation, describe_kernel(name, device.device_id()),
                              "the limit of the block size is " + std::to_string(block_size_limit),
                              "give 0 for none, or a number of threads");
    }
    const ContextScope scope(device.device_id());
    MaxPotentialBlockSizeOccupancyResult result;
    // A CUkernel may stand for the CUfunction of the current context (cuda.h).
    check(driver::cuOccupancyMaxPotentialBlockSize(&result.min_grid_size, &result.max_block_size,
                                                   reinterpret_cast<CUfunction>(kernel), size_for,
                                                   dynamic_shared_memory, block_size_limit),
          "cuOccupancyMaxPotentialBlockSize", operation, [&] { return describe_kernel(name, device.device_id()); });
    return result;
}

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
    for (const Attribute& each : attributes_read)
        attributes.*each.field = kernel_attribute(state.handle, state.name, device.device_id(), each.attribute);
    for (const TruthAttribute& each : truths_read)
        attributes.*each.field = kernel_attribute(state.handle, state.name, device.device_id(), each.attribute) != 0;
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

MaxPotentialBlockSizeOccupancyResult Kernel::max_potential_block_size(const Device& device,
                                                                      uint64_t dynamic_shared_memory,
                                                                      int32_t block_size_limit) const {
    const State& state = require_kernel_state(state_, "asking for the best block size");
    return ask_for_block_size(state.handle, state.name, device, nullptr, dynamic_shared_memory, block_size_limit);
}

MaxPotentialBlockSizeOccupancyResult Kernel::max_potential_block_size(
    const Device& device, const std::function<uint64_t(int32_t)>& dynamic_shared_memory,
    int32_t block_size_limit) const {
    constexpr const char* operation = "asking for the best block size";
    const State& state = require_kernel_state(state_, operation);
    if (!dynamic_shared_memory) {
        throw InvalidArgument(operation, describe_kernel(state.name, device.device_id()),
                              "the function that gives the dynamic shared memory is empty", "give one, or a number");
    }
    SizesByBlock sizes{&dynamic_shared_memory, nullptr};
    SizesByBlock* const before = std::exchange(sizes_by_block, &sizes);  // the function may ask as well
    const auto restore = [before](void*) { sizes_by_block = before; };
    const std::unique_ptr<SizesByBlock, decltype(restore)> restored(&sizes, restore);
    const MaxPotentialBlockSizeOccupancyResult result =
        ask_for_block_size(state.handle, state.name, device, size_for_block, 0, block_size_limit);
    if (sizes.thrown) std::rethrow_exception(sizes.thrown);
    return result;
}

void Kernel::set_attribute(const Device& device, KernelAttribute attribute, int32_t value) const {
    const State& state = require_kernel_state(state_, "setting a kernel's attribute");
    const char* const words = attribute_words(attribute);
    if (words == nullptr) {
        throw InvalidArgument("setting a kernel's attribute", describe_kernel(state.name, device.device_id()),
                              "attribute " + std::to_string(static_cast<int32_t>(attribute)) + " cannot be set",
                              "set the maximum dynamic shared size, the shared memory carveout, or one of clusters");
    }
    const ContextScope scope(device.device_id());
    check(
        driver::cuKernelSetAttribute(static_cast<CUfunction_attribute>(attribute), value, state.handle,
                                     device_state(device.device_id()).device),
        "cuKernelSetAttribute", [&] { return std::string("setting ") + words + " to " + std::to_string(value); },
        [&] { return describe_kernel(state.name, device.device_id()); });
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
