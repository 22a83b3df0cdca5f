#include <string>

#include "call.hpp"
#include "cuprum/capi/program.h"
#include "cuprum/core/device.hpp"
#include "struct_size.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

static_assert(CUPRUM_PARAMETER_UNKNOWN == static_cast<int32_t>(core::ArgumentKind::unknown));
static_assert(CUPRUM_PARAMETER_BOOLEAN == static_cast<int32_t>(core::ArgumentKind::boolean));
static_assert(CUPRUM_PARAMETER_INTEGER == static_cast<int32_t>(core::ArgumentKind::integer));
static_assert(CUPRUM_PARAMETER_FLOATING_POINT == static_cast<int32_t>(core::ArgumentKind::floating_point));
static_assert(CUPRUM_PARAMETER_BFLOAT16 == static_cast<int32_t>(core::ArgumentKind::bfloat16));
static_assert(CUPRUM_PARAMETER_POINTER == static_cast<int32_t>(core::ArgumentKind::pointer));
static_assert(CUPRUM_PARAMETER_INTEGER_OR_POINTER == static_cast<int32_t>(core::ArgumentKind::integer_or_pointer));

const core::KernelArgumentInfo& argument_at(const Call& call, const core::Kernel& kernel, uint32_t index) {
    const auto arguments = kernel.arguments_info();
    if (index >= arguments.size()) {
        call.refuse("index", "is " + std::to_string(index) + "; the kernel " + kernel.name() + " takes " +
                                 std::to_string(arguments.size()) + " arguments");
    }
    return arguments[index];
}

}  // namespace

cuprum_status cuprum_kernel_destroy(cuprum_kernel kernel) {
    return run("cuprum_kernel_destroy", [&](const Call& call) { call.destroy(kernel, "kernel"); });
}

cuprum_status cuprum_kernel_name(const char** name_out, cuprum_kernel kernel) {
    return run("cuprum_kernel_name", [&](const Call& call) {
        call.require(name_out, "name_out");
        *name_out = lend(call.use(kernel, "kernel")->kernel.name());
    });
}

cuprum_status cuprum_kernel_native(uint64_t* native_out, cuprum_kernel kernel) {
    return run("cuprum_kernel_native", [&](const Call& call) {
        call.require(native_out, "native_out");
        *native_out = reinterpret_cast<uintptr_t>(call.use(kernel, "kernel")->kernel.handle());
    });
}

cuprum_status cuprum_kernel_argument_count(uint32_t* count_out, cuprum_kernel kernel) {
    return run("cuprum_kernel_argument_count", [&](const Call& call) {
        call.require(count_out, "count_out");
        *count_out = call.use(kernel, "kernel")->kernel.num_arguments();
    });
}

cuprum_status cuprum_kernel_argument_info(uint64_t* offset_out, uint64_t* size_out, cuprum_kernel kernel,
                                          uint32_t index) {
    return run("cuprum_kernel_argument_info", [&](const Call& call) {
        call.require(offset_out, "offset_out");
        call.require(size_out, "size_out");
        const auto used = call.use(kernel, "kernel");
        const core::KernelArgumentInfo& argument = argument_at(call, used->kernel, index);
        *offset_out = argument.offset;
        *size_out = argument.size;
    });
}

cuprum_status cuprum_kernel_argument_type(int32_t* kind_out, const char** type_out, cuprum_kernel kernel,
                                          uint32_t index) {
    return run("cuprum_kernel_argument_type", [&](const Call& call) {
        call.require(kind_out, "kind_out");
        call.require(type_out, "type_out");
        const auto used = call.use(kernel, "kernel");
        const core::KernelArgumentInfo& argument = argument_at(call, used->kernel, index);
        *type_out = lend(argument.type);
        *kind_out = static_cast<int32_t>(argument.kind);
    });
}

cuprum_status cuprum_kernel_attributes_get(cuprum_kernel_attributes* attributes_out, cuprum_kernel kernel,
                                           int32_t device) {
    return run("cuprum_kernel_attributes_get", [&](const Call& call) {
        call.require(attributes_out, "attributes_out");
        check_struct_size(call, "attributes_out", attributes_out->struct_size, sizeof *attributes_out);
        const core::KernelAttributes attributes = call.use(kernel, "kernel")->kernel.attributes(core::Device(device));
        cuprum_kernel_attributes values{};
        values.max_threads_per_block = attributes.max_threads_per_block;
        values.shared_size_bytes = attributes.shared_size_bytes;
        values.const_size_bytes = attributes.const_size_bytes;
        values.local_size_bytes = attributes.local_size_bytes;
        values.num_regs = attributes.num_regs;
        values.ptx_version = attributes.ptx_version;
        values.binary_version = attributes.binary_version;
        values.max_dynamic_shared_size_bytes = attributes.max_dynamic_shared_size_bytes;
        write_struct(attributes_out, values);
    });
}

cuprum_status cuprum_kernel_max_active_blocks(int32_t* blocks_out, cuprum_kernel kernel, int32_t device,
                                              int32_t block_size, uint64_t dynamic_shared_memory_size) {
    return run("cuprum_kernel_max_active_blocks", [&](const Call& call) {
        call.require(blocks_out, "blocks_out");
        *blocks_out = call.use(kernel, "kernel")
                          ->kernel.max_active_blocks_per_multiprocessor(core::Device(device), block_size,
                                                                        dynamic_shared_memory_size);
    });
}

cuprum_status cuprum_kernel_available_dynamic_shared_memory_per_block(uint64_t* bytes_out, cuprum_kernel kernel,
                                                                      int32_t device,
                                                                      int32_t num_blocks_per_multiprocessor,
                                                                      int32_t block_size) {
    return run("cuprum_kernel_available_dynamic_shared_memory_per_block", [&](const Call& call) {
        call.require(bytes_out, "bytes_out");
        *bytes_out = call.use(kernel, "kernel")
                         ->kernel.available_dynamic_shared_memory_per_block(core::Device(device),
                                                                            num_blocks_per_multiprocessor, block_size);
    });
}

cuprum_status cuprum_kernel_set_max_dynamic_shared_size(cuprum_kernel kernel, int32_t device, int32_t bytes) {
    return run("cuprum_kernel_set_max_dynamic_shared_size", [&](const Call& call) {
        call.use(kernel, "kernel")->kernel.set_max_dynamic_shared_size(core::Device(device), bytes);
    });
}
