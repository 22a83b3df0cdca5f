#include <cstring>
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

static_assert(CUPRUM_KERNEL_MAX_DYNAMIC_SHARED_SIZE_BYTES ==
              static_cast<int32_t>(core::KernelAttribute::max_dynamic_shared_size_bytes));
static_assert(CUPRUM_KERNEL_PREFERRED_SHARED_MEMORY_CARVEOUT ==
              static_cast<int32_t>(core::KernelAttribute::preferred_shared_memory_carveout));
static_assert(CUPRUM_KERNEL_REQUIRED_CLUSTER_WIDTH ==
              static_cast<int32_t>(core::KernelAttribute::required_cluster_width));
static_assert(CUPRUM_KERNEL_REQUIRED_CLUSTER_HEIGHT ==
              static_cast<int32_t>(core::KernelAttribute::required_cluster_height));
static_assert(CUPRUM_KERNEL_REQUIRED_CLUSTER_DEPTH ==
              static_cast<int32_t>(core::KernelAttribute::required_cluster_depth));
static_assert(CUPRUM_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED ==
              static_cast<int32_t>(core::KernelAttribute::non_portable_cluster_size_allowed));
static_assert(CUPRUM_KERNEL_CLUSTER_SCHEDULING_POLICY_PREFERENCE ==
              static_cast<int32_t>(core::KernelAttribute::cluster_scheduling_policy_preference));

const core::KernelArgumentInfo& argument_at(const Call& call, const core::Kernel& kernel, uint32_t index) {
    const auto arguments = kernel.arguments_info();
    if (index >= arguments.size()) {
        call.refuse("index", "is " + std::to_string(index) + "; the kernel " + kernel.name() + " takes " +
                                 std::to_string(arguments.size()) + " arguments");
    }
    return arguments[index];
}

}  // namespace

cuprum_status cuprum_kernel_from_native(cuprum_kernel* kernel_out, uint64_t native, cuprum_object_code object_code) {
    return run("cuprum_kernel_from_native", [&](const Call& call) {
        call.require(kernel_out, "kernel_out");
        const auto handle = reinterpret_cast<CUkernel>(static_cast<uintptr_t>(native));
        *kernel_out = call.give<cuprum_kernel>(KernelObject{
            object_code == nullptr ? core::Kernel::from_handle(handle)
                                   : core::Kernel::from_handle(handle, call.use(object_code, "object_code")->code)});
    });
}

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
        values.cache_mode_ca = attributes.cache_mode_ca ? 1 : 0;
        values.preferred_shared_memory_carveout = attributes.preferred_shared_memory_carveout;
        values.cluster_size_must_be_set = attributes.cluster_size_must_be_set ? 1 : 0;
        values.required_cluster_width = attributes.required_cluster_width;
        values.required_cluster_height = attributes.required_cluster_height;
        values.required_cluster_depth = attributes.required_cluster_depth;
        values.non_portable_cluster_size_allowed = attributes.non_portable_cluster_size_allowed ? 1 : 0;
        values.cluster_scheduling_policy_preference = attributes.cluster_scheduling_policy_preference;
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

cuprum_status cuprum_kernel_max_potential_block_size(int32_t* min_grid_size_out, int32_t* max_block_size_out,
                                                     cuprum_kernel kernel, int32_t device,
                                                     uint64_t dynamic_shared_memory_size, int32_t block_size_limit) {
    return run("cuprum_kernel_max_potential_block_size", [&](const Call& call) {
        call.require(min_grid_size_out, "min_grid_size_out");
        call.require(max_block_size_out, "max_block_size_out");
        const core::MaxPotentialBlockSizeOccupancyResult best =
            call.use(kernel, "kernel")
                ->kernel.max_potential_block_size(core::Device(device), dynamic_shared_memory_size, block_size_limit);
        *min_grid_size_out = best.min_grid_size;
        *max_block_size_out = best.max_block_size;
    });
}

cuprum_status cuprum_kernel_max_potential_block_size_of_sizes(int32_t* min_grid_size_out, int32_t* max_block_size_out,
                                                              cuprum_kernel kernel, int32_t device,
                                                              const void* dynamic_shared_memory_sizes, uint64_t size,
                                                              int32_t block_size_limit) {
    return run("cuprum_kernel_max_potential_block_size_of_sizes", [&](const Call& call) {
        call.require(min_grid_size_out, "min_grid_size_out");
        call.require(max_block_size_out, "max_block_size_out");
        call.require(dynamic_shared_memory_sizes, "dynamic_shared_memory_sizes");
        constexpr uint64_t most = uint64_t{INT32_MAX} * sizeof(uint64_t);
        if (size == 0 || size % sizeof(uint64_t) != 0 || size > most) {
            call.refuse("size", "is " + std::to_string(size) + "; expected 8 bytes for each block size");
        }
        const auto count = static_cast<int32_t>(size / sizeof(uint64_t));
        if (block_size_limit == 0 || block_size_limit > count) {
            block_size_limit = count;
        }
        const auto* const sizes = static_cast<const unsigned char*>(dynamic_shared_memory_sizes);
        const auto size_for = [sizes, count](int32_t block_size) {
            uint64_t bytes = UINT64_MAX;  // fits nowhere
            if (block_size > 0 && block_size <= count) {
                std::memcpy(&bytes, sizes + (static_cast<size_t>(block_size) - 1) * sizeof bytes, sizeof bytes);
            }
            return bytes;
        };
        const core::MaxPotentialBlockSizeOccupancyResult best =
            call.use(kernel, "kernel")
                ->kernel.max_potential_block_size(core::Device(device), size_for, block_size_limit);
        *min_grid_size_out = best.min_grid_size;
        *max_block_size_out = best.max_block_size;
    });
}

cuprum_status cuprum_kernel_set_attribute(cuprum_kernel kernel, int32_t device, int32_t attribute, int32_t value) {
    return run("cuprum_kernel_set_attribute", [&](const Call& call) {
        call.use(kernel, "kernel")
            ->kernel.set_attribute(core::Device(device), static_cast<core::KernelAttribute>(attribute), value);
    });
}
