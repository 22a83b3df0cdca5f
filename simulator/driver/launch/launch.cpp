#include "driver/launch/launch.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <vector>

#include "driver/context/green_context.hpp"
#include "driver/error/core_dump.hpp"
#include "driver/error/error_table.hpp"
#include "driver/error/log.hpp"
#include "driver/graph/capture.hpp"
#include "driver/launch/cluster.hpp"
#include "driver/launch/launch_attribute.hpp"
#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

namespace {

constexpr std::array<const char*, 3> axes{"x", "y", "z"};

CUresult code_of(Fault::Kind kind) {
    switch (kind) {
        case Fault::Kind::illegal_address:
        case Fault::Kind::stack_overflow:  // as an H200 has it
            return CUDA_ERROR_ILLEGAL_ADDRESS;
        case Fault::Kind::misaligned_address:
            return CUDA_ERROR_MISALIGNED_ADDRESS;
        case Fault::Kind::illegal_instruction:
            return CUDA_ERROR_ILLEGAL_INSTRUCTION;
        case Fault::Kind::assertion:
            return CUDA_ERROR_ASSERT;
        // What a GPU's watchdog would say of a kernel that never ends.
        case Fault::Kind::deadlock:
        case Fault::Kind::timeout:
            return CUDA_ERROR_LAUNCH_TIMEOUT;
        case Fault::Kind::trap:
        case Fault::Kind::divergent_barrier:
        case Fault::Kind::uninitialised_register:
        case Fault::Kind::uninitialised_memory:
        case Fault::Kind::race:
        case Fault::Kind::unsupported:
        case Fault::Kind::cancelled:
            return CUDA_ERROR_LAUNCH_FAILED;
    }
    return CUDA_ERROR_LAUNCH_FAILED;
}

void check_shape(const KernelInformation& kernel, const FunctionSettings& settings, const LaunchShape& shape) {
    const char* name = kernel.name.c_str();
    for (size_t axis = 0; axis < 3; ++axis) {
        if (shape.grid[axis] == 0 || shape.grid[axis] > DeviceLimits::grid[axis]) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("kernel '%s': gridDim%s is %u; it must be from 1 to %u", name,
                                     axis == 0   ? "X"
                                     : axis == 1 ? "Y"
                                                 : "Z",
                                     shape.grid[axis], DeviceLimits::grid[axis]));
        }
        if (shape.block[axis] == 0 || shape.block[axis] > DeviceLimits::block[axis]) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("kernel '%s': blockDim%s is %u; it must be from 1 to %u", name,
                                     axis == 0   ? "X"
                                     : axis == 1 ? "Y"
                                                 : "Z",
                                     shape.block[axis], DeviceLimits::block[axis]));
        }
        if (kernel.required_block[axis] != 0 && shape.block[axis] != kernel.required_block[axis]) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("kernel '%s' requires blockDim.%s %u (.reqntid), not %u", name, axes[axis],
                                     kernel.required_block[axis], shape.block[axis]));
        }
    }
    const uint64_t threads = uint64_t{shape.block[0]} * shape.block[1] * shape.block[2];
    if (threads > DeviceLimits::threads_per_block) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("kernel '%s': a block of %u x %u x %u has %llu threads; the device's limit is %u",
                                 name, shape.block[0], shape.block[1], shape.block[2],
                                 static_cast<unsigned long long>(threads), DeviceLimits::threads_per_block));
    }
    if (threads > kernel.max_threads_per_block) {
        throw DriverError(
            CUDA_ERROR_INVALID_VALUE,
            format("kernel '%s': a block of %llu threads; the kernel's own limit is %u (.maxntid, registers)", name,
                   static_cast<unsigned long long>(threads), kernel.max_threads_per_block));
    }
    const int limit = settings.max_dynamic_shared_bytes;
    if (shape.dynamic_shared_bytes > static_cast<uint32_t>(limit)) {
        throw DriverError(
            CUDA_ERROR_INVALID_VALUE,
            format("kernel '%s': %u bytes of dynamic shared memory; the limit is %d, beside %u bytes static "
                   "(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES raises it)",
                   name, shape.dynamic_shared_bytes, limit, kernel.static_shared_bytes));
    }
}

std::vector<std::byte> pack_parameters(const KernelInformation& kernel, void** parameters, void** extra) {
    std::vector<std::byte> packed(kernel.parameter_bytes);
    if (parameters != nullptr && extra != nullptr) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "kernelParams and extra cannot both be given");
    }
    if (kernel.parameters.empty()) return packed;
    if (parameters != nullptr) {
        for (size_t index = 0; index < kernel.parameters.size(); ++index) {
            const KernelParameter& parameter = kernel.parameters[index];
            if (parameters[index] == nullptr) {
                throw DriverError(CUDA_ERROR_INVALID_VALUE,
                                  format("kernel '%s': the pointer to parameter %zu of %zu is null",
                                         kernel.name.c_str(), index, kernel.parameters.size()));
            }
            std::memcpy(packed.data() + parameter.offset, parameters[index], parameter.size);
        }
        return packed;
    }
    const void* buffer = nullptr;
    const size_t* size = nullptr;
    for (size_t index = 0; extra != nullptr && extra[index] != CU_LAUNCH_PARAM_END; index += 2) {
        if (extra[index] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
            buffer = extra[index + 1];
        } else if (extra[index] == CU_LAUNCH_PARAM_BUFFER_SIZE) {
            size = static_cast<const size_t*>(extra[index + 1]);
        } else {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("extra has an unknown element at position %zu", index));
        }
    }
    if (buffer == nullptr || size == nullptr) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("kernel '%s' takes %zu parameters, but neither kernelParams nor a buffer in extra was "
                                 "given",
                                 kernel.name.c_str(), kernel.parameters.size()));
    }
    if (*size < kernel.parameter_bytes) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("kernel '%s' takes %u bytes of parameters, the buffer in extra has %zu",
                                 kernel.name.c_str(), kernel.parameter_bytes, *size));
    }
    std::memcpy(packed.data(), buffer, kernel.parameter_bytes);
    return packed;
}

// The fault's report, with what the driver knows about memory that was freed.
std::string report_of(const Fault& fault) {
    const bool about_memory =
        fault.kind == Fault::Kind::illegal_address || fault.kind == Fault::Kind::misaligned_address;
    const std::string freed = about_memory ? driver().addresses().describe_freed(fault.address) : std::string();
    return freed.empty() ? fault.message : fault.message + " The address lies " + freed + ".";
}

// Before the program learns of it: to who reads standard error, and into a core dump.
void show_fault(const Context& context, const Fault& fault) {
    if (fault.kind == Fault::Kind::cancelled) return;
    const std::string report = report_of(fault);
    if (driver().shows_faults())
        show_inspection(std::string("--- fault ") + error_name(code_of(fault.kind)) + ": " + report + "\n" +
                        fault.inspection);
    dump_core(context, code_of(fault.kind), report, fault.inspection);
}

}  // namespace

std::shared_ptr<KernelLaunch> prepare_launch(const std::shared_ptr<Context>& context, CUfunction handle,
                                             const LaunchShape& shape, void** kernel_parameters, void** extra) {
    const std::shared_ptr<Function> function = find_function(handle, context);
    std::shared_ptr<Module> module = function->module();
    if (module->context() != context) {
        throw DriverError(CUDA_ERROR_INVALID_HANDLE, "the function and the stream belong to different contexts");
    }
    const KernelInformation& kernel = module->kernel(function->index());
    check_shape(kernel, function->settings(), shape);
    if (shape.cooperative) {
        const uint64_t blocks = uint64_t{shape.grid[0]} * shape.grid[1] * shape.grid[2];
        const uint32_t threads = shape.block[0] * shape.block[1] * shape.block[2];
        const uint64_t resident =
            uint64_t{resident_blocks(*function, threads, shape.dynamic_shared_bytes)} *
            (shape.multiprocessors ? shape.multiprocessors->size() : context->device().model().multiprocessors);
        if (blocks > resident) {
            throw DriverError(
                CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                format("kernel '%s': %llu blocks cannot all be resident at once; at most %llu of this shape "
                       "can",
                       kernel.name.c_str(), static_cast<unsigned long long>(blocks),
                       static_cast<unsigned long long>(resident)));
        }
    }
    function->settings().loaded.store(true, std::memory_order_relaxed);
    auto launch = std::make_shared<KernelLaunch>();
    launch->context = context;
    launch->function = module->function(function->index());
    LaunchRequest& request = launch->request;
    request.program = module->program();
    request.kernel = function->index();
    request.grid = {shape.grid[0], shape.grid[1], shape.grid[2]};
    request.block = {shape.block[0], shape.block[1], shape.block[2]};
    request.dynamic_shared_bytes = shape.dynamic_shared_bytes;
    request.parameters = pack_parameters(kernel, kernel_parameters, extra);
    request.variable_addresses = module->variable_addresses();
    request.cooperative = shape.cooperative;
    request.multiprocessors = shape.multiprocessors;
    request.cancel = &context->cancelled();
    launch->module = std::move(module);
    set_cluster(*launch, shape);
    return launch;
}

void set_cluster(KernelLaunch& launch, LaunchShape shape) {
    LaunchRequest& request = launch.request;
    const std::shared_ptr<Function> function = find_function(launch.function, launch.context);
    const KernelInformation& kernel = launch.module->kernel(request.kernel);
    shape.grid = {request.grid.x, request.grid.y, request.grid.z};
    const ClusterDimensions cluster = cluster_of_launch(kernel, function->settings(), launch.context->device(), shape);
    request.cluster = {cluster[0], cluster[1], cluster[2]};
    request.explicit_cluster = kernel.required_cluster[0] != 0 || kernel.explicit_cluster || shape.cluster[0] != 0;
}

void** KernelLaunch::parameter_pointers() const {
    std::vector<void*>& pointers = pointers_.values;
    pointers.clear();
    for (const KernelParameter& parameter : module->kernel(request.kernel).parameters) {
        pointers.push_back(const_cast<std::byte*>(request.parameters.data()) + parameter.offset);
    }
    return pointers.empty() ? nullptr : pointers.data();
}

void run_launch(KernelLaunch& launch) {
    Context& context = *launch.context;
    if (context.sticky_error() != CUDA_SUCCESS) return;
    LaunchRequest& request = launch.request;
    Device& device = context.device();
    request.memory = driver().addresses().snapshot(device.ordinal());
    request.images = context.images().snapshot();
    request.heap = context.heap();
    request.operation = RunningOperation::current();
    if (request.operation)
        request.operation->set_description("kernel '" + launch.module->kernel(request.kernel).name + "'");
    const auto begin = std::chrono::steady_clock::now();
    const std::optional<Fault> fault = [&] {
        const KernelClock::Running running(device.kernel_clock());
        return device.engine().launch(request);
    }();
    if (fault && !(fault->kind == Fault::Kind::cancelled && context.sticky_error() != CUDA_SUCCESS)) {
        show_fault(context, *fault);
        context.fail(code_of(fault->kind), report_of(*fault));
    }
    if (log().tracing()) {
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
        log().trace(format("launch: kernel '%s' grid %u,%u,%u block %u,%u,%u shared %u: %.3f ms",
                           launch.module->kernel(request.kernel).name.c_str(), request.grid.x, request.grid.y,
                           request.grid.z, request.block.x, request.block.y, request.block.z,
                           request.dynamic_shared_bytes, time.count()));
    }
}

void launch(const std::shared_ptr<Stream>& stream, CUfunction handle, const LaunchShape& shape,
            void** kernel_parameters, void** extra, std::span<const CUlaunchAttribute> attributes) {
    const std::shared_ptr<Context>& context = stream->context();
    LaunchShape placed = shape;
    if (stream->green()) placed.multiprocessors = stream->green()->multiprocessors();
    std::shared_ptr<KernelLaunch> prepared = prepare_launch(context, handle, placed, kernel_parameters, extra);
    if (captures(stream)) {
        for (const CUlaunchAttribute& attribute : attributes) {
            if (event_of_attribute(attribute, *stream)) {
                throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                                  "the simulator does not capture launches with events among their attributes");
            }
        }
        prepared->attributes.assign(attributes.begin(), attributes.end());
        add_captured(stream, KernelOperation{std::move(prepared)});
        return;
    }
    std::vector<std::shared_ptr<Event>> events;
    for (const CUlaunchAttribute& attribute : attributes) {
        if (auto event = event_of_attribute(attribute, *stream)) events.push_back(std::move(event));
    }
    context->submit(stream, [prepared = std::move(prepared)] { run_launch(*prepared); });
    // When all blocks have run, which is no earlier than when all have begun or triggered the event.
    for (const std::shared_ptr<Event>& event : events) {
        event->record(stream);
    }
}

uint32_t shared_memory_unit(const Device& device) {
    return device.model().compute_capability_major == 7 ? 256 : 128;
}

uint64_t shared_bytes_of_block(const Function& function, size_t dynamic_shared_bytes) {
    const std::shared_ptr<Module> module = function.module();
    const Device& device = module->context()->device();
    const uint64_t reserved = device.capability().reserved_shared_bytes;
    const uint64_t bytes = module->kernel(function.index()).static_shared_bytes + dynamic_shared_bytes + reserved;
    const uint64_t unit = shared_memory_unit(device);
    return (bytes + unit - 1) / unit * unit;
}

uint32_t resident_blocks(const Function& function, uint32_t block_threads, size_t dynamic_shared_bytes) {
    const std::shared_ptr<Module> module = function.module();
    const KernelInformation& kernel = module->kernel(function.index());
    const Device& device = module->context()->device();
    // Blocks larger than the kernel takes are counted too, as NVIDIA does.
    if (block_threads == 0 || block_threads > DeviceLimits::threads_per_block) return 0;
    if (dynamic_shared_bytes > static_cast<size_t>(function.settings().max_dynamic_shared_bytes)) return 0;
    const uint32_t warps = (block_threads + DeviceLimits::warp_size - 1) / DeviceLimits::warp_size;
    uint32_t blocks =
        std::min(device.capability().blocks, device.capability().threads / (warps * DeviceLimits::warp_size));
    // Registers are given out to warps in units of 256, in each of the multiprocessor's four partitions; a block's
    // need is reckoned as if its warps filled all four alike (cuda_occupancy.h).
    constexpr uint32_t partitions = 4;
    const uint32_t per_warp = (registers_per_thread(kernel) * DeviceLimits::warp_size + 255) / 256 * 256;
    const uint32_t rounded_warps = (warps + partitions - 1) / partitions * partitions;
    if (per_warp * rounded_warps > DeviceLimits::registers_per_multiprocessor) return 0;
    blocks = std::min(blocks, DeviceLimits::registers_per_multiprocessor / partitions / per_warp * partitions / warps);
    const uint64_t needed = shared_bytes_of_block(function, dynamic_shared_bytes);
    if (needed > 0) {
        blocks = static_cast<uint32_t>(std::min<uint64_t>(blocks, device.capability().shared_bytes / needed));
    }
    return blocks;
}

}  // namespace cuprum::simulator::libcuda
