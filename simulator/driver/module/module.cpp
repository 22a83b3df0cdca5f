#include "driver/module/module.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "driver/context/context.hpp"
#include "driver/device/device.hpp"
#include "driver/error/driver_error.hpp"
#include "driver/process/driver.hpp"

namespace cuprum::simulator::libcuda {

namespace {

std::vector<std::shared_ptr<FunctionSettings>> fresh_settings(const Program& program, const Device& device) {
    std::vector<std::shared_ptr<FunctionSettings>> settings;
    for (const KernelInformation& kernel : program.kernels()) {
        auto fresh = std::make_shared<FunctionSettings>();
        const auto limit = static_cast<int>(device.model().max_static_shared_bytes);
        fresh->max_dynamic_shared_bytes = std::max(0, limit - static_cast<int>(kernel.static_shared_bytes));
        fresh->loaded = module_loading_mode() == CU_MODULE_EAGER_LOADING;
        settings.push_back(std::move(fresh));
    }
    return settings;
}

template <typename Items>
std::string names_of(const Items& items) {
    static constexpr size_t most = 20;
    std::string names;
    size_t count = 0;
    for (const auto& item : items) {
        if (++count > most) continue;
        names += (names.empty() ? "'" : ", '") + item.name + "'";
    }
    if (count > most) names += " and " + std::to_string(count - most) + " more";
    return names.empty() ? "none" : names;
}

}  // namespace

CUmoduleLoadingMode module_loading_mode() {
    static const CUmoduleLoadingMode mode = [] {
        const char* text = std::getenv("CUDA_MODULE_LOADING");
        return text != nullptr && std::string_view(text) == "EAGER" ? CU_MODULE_EAGER_LOADING : CU_MODULE_LAZY_LOADING;
    }();
    return mode;
}

std::shared_ptr<Module> Function::module() const {
    std::shared_ptr<Module> module = module_.lock();
    if (!module) throw DriverError(CUDA_ERROR_INVALID_HANDLE, "the function's module has been unloaded");
    return module;
}

namespace {

Allocation variable_allocation(const ModuleVariable& variable, const std::string& owner) {
    Allocation allocation;
    allocation.kind = variable.managed ? Allocation::Kind::managed : Allocation::Kind::variable;
    // An array of unknown size still needs an address of its own.
    allocation.size = std::max<uint64_t>(variable.size, 1);
    allocation.writable = !variable.constant;
    allocation.description = "variable '" + variable.name + "' of " + owner;
    return allocation;
}

}  // namespace

ManagedVariables::ManagedVariables(const Program& program, const std::string& owner) {
    std::vector<std::byte*> storage;
    for (const ModuleVariable& variable : program.variables()) {
        uint64_t address = 0;
        if (variable.managed) address = driver().allocate_host_memory(variable_allocation(variable, owner));
        addresses_.push_back(address);
        storage.push_back(reinterpret_cast<std::byte*>(address));
    }
    program.initialise(addresses_, storage);
}

ManagedVariables::~ManagedVariables() {
    for (const uint64_t address : addresses_) {
        if (address != 0) driver().free_host_memory(address);
    }
}

Module::Module(std::shared_ptr<Context> context, std::shared_ptr<const Program> program, std::string name,
               std::vector<std::shared_ptr<FunctionSettings>> settings, std::shared_ptr<const ManagedVariables> managed)
    : context_(std::move(context)),
      program_(std::move(program)),
      name_(std::move(name)),
      settings_(std::move(settings)),
      managed_(std::move(managed)),
      addresses_(managed_->addresses()),
      functions_(program_->kernels().size()) {
    Device& device = context_->device();
    std::vector<std::byte*> storage(addresses_.size(), nullptr);
    for (size_t index = 0; index < addresses_.size(); ++index) {
        if (addresses_[index] != 0) continue;  // managed, and initialised
        Allocation allocation = variable_allocation(program_->variables()[index], name_);
        allocation.device = device.ordinal();
        allocation.context = reinterpret_cast<uint64_t>(context_->handle());
        addresses_[index] = driver().allocate_device_memory(device, std::move(allocation));
        storage[index] = reinterpret_cast<std::byte*>(addresses_[index] + device.arena().host_offset());
    }
    program_->initialise(addresses_, storage);
}

Module::~Module() {
    for (size_t index = 0; index < addresses_.size(); ++index) {
        if (managed_->addresses()[index] == 0) driver().free_device_memory(addresses_[index]);
    }
}

CUfunction Module::function(uint32_t index) {
    const std::lock_guard lock(mutex_);
    if (functions_[index] == nullptr) {
        functions_[index] =
            handles().functions.insert(std::make_shared<Function>(weak_from_this(), index, settings_[index]));
    }
    return functions_[index];
}

void Module::drop_functions() {
    const std::lock_guard lock(mutex_);
    for (CUfunction& function : functions_) {
        if (function != nullptr) handles().functions.remove(function);
        function = nullptr;
    }
}

std::shared_ptr<Library> Kernel::library() const {
    std::shared_ptr<Library> library = library_.lock();
    if (!library) throw DriverError(CUDA_ERROR_INVALID_HANDLE, "the kernel's library has been unloaded");
    return library;
}

Library::Library(std::shared_ptr<const Program> program, std::string name)
    : program_(std::move(program)), name_(std::move(name)), kernels_(program_->kernels().size()) {}

Library::Library(DriverError failure, std::string name) : failure_(std::move(failure)), name_(std::move(name)) {}

std::vector<std::shared_ptr<FunctionSettings>> Library::settings_of(const Device& device) {
    auto& settings = settings_[device.ordinal()];
    if (settings.size() != program_->kernels().size()) settings = fresh_settings(*program_, device);
    return settings;
}

std::shared_ptr<FunctionSettings> Library::settings(uint32_t index, const Device& device) {
    const std::lock_guard lock(mutex_);
    return settings_of(device)[index];
}

std::shared_ptr<Module> Library::module_in(const std::shared_ptr<Context>& context) {
    const std::shared_ptr<const Program>& compiled = program();
    const std::lock_guard lock(mutex_);
    const auto remembered = modules_.find(context->identifier());
    std::shared_ptr<Module> module =
        remembered == modules_.end() ? nullptr : handles().modules.find(remembered->second);
    if (module) return module;
    // Those of contexts that have ended are gone.
    std::erase_if(modules_, [](const auto& entry) { return handles().modules.find(entry.second) == nullptr; });
    module =
        std::make_shared<Module>(context, compiled, name_, settings_of(context->device()), managed_variables_locked());
    const CUmodule handle = handles().modules.insert(module);
    modules_[context->identifier()] = handle;
    module->set_handle(handle, handle_);
    context->own(handle);
    return module;
}

const std::shared_ptr<const ManagedVariables>& Library::managed_variables_locked() {
    if (!managed_) managed_ = std::make_shared<ManagedVariables>(*program_, name_);
    return managed_;
}

std::shared_ptr<const ManagedVariables> Library::managed_variables() {
    const std::lock_guard lock(mutex_);
    return managed_variables_locked();
}

CUkernel Library::kernel(uint32_t index) {
    const std::lock_guard lock(mutex_);
    if (kernels_[index] == nullptr) {
        kernels_[index] = handles().kernels.insert(std::make_shared<Kernel>(weak_from_this(), index));
    }
    return kernels_[index];
}

void Library::unload() {
    const std::lock_guard lock(mutex_);
    for (CUkernel& kernel : kernels_) {
        if (kernel != nullptr) handles().kernels.remove(kernel);
        kernel = nullptr;
    }
    for (const auto& [context, module] : modules_) {
        if (const std::shared_ptr<Module> live = handles().modules.find(module)) live->context()->disown(module);
        unload_module(module);
    }
    modules_.clear();
}

uint32_t find_kernel(const Program& program, const std::string& owner, const std::string& name) {
    const auto& kernels = program.kernels();
    for (uint32_t index = 0; index < kernels.size(); ++index) {
        if (kernels[index].name == name) return index;
    }
    throw DriverError(CUDA_ERROR_NOT_FOUND, owner + " has no kernel '" + name + "'; its kernels: " + names_of(kernels));
}

uint32_t find_variable(const Program& program, const std::string& owner, const std::string& name) {
    const auto& variables = program.variables();
    for (uint32_t index = 0; index < variables.size(); ++index) {
        if (variables[index].name == name) return index;
    }
    throw DriverError(CUDA_ERROR_NOT_FOUND,
                      owner + " has no global variable '" + name + "'; its variables: " + names_of(variables));
}

void report_variable(const Module& module, uint32_t index, CUdeviceptr* pointer, size_t* bytes) {
    if (pointer != nullptr) *pointer = module.variable_addresses()[index];
    if (bytes != nullptr) *bytes = module.program()->variables()[index].size;
}

CUmodule load_module(const std::shared_ptr<Context>& context, std::shared_ptr<const Program> program,
                     std::string name) {
    auto settings = fresh_settings(*program, context->device());
    auto managed = std::make_shared<ManagedVariables>(*program, name);
    auto module =
        std::make_shared<Module>(context, std::move(program), std::move(name), std::move(settings), std::move(managed));
    const CUmodule handle = handles().modules.insert(module);
    module->set_handle(handle, nullptr);
    context->own(handle);
    return handle;
}

bool unload_module(CUmodule handle) {
    // Its variables are memory, and freeing that waits; seen on an H200 (driver 580), whatever the work was.
    if (const std::shared_ptr<Module> live = handles().modules.find(handle)) live->context()->synchronize();
    const std::shared_ptr<Module> module = handles().modules.remove(handle);
    if (!module) return false;
    module->drop_functions();
    return true;
}

void parameter_information(const KernelInformation& kernel, size_t index, size_t* offset, size_t* size) {
    if (index >= kernel.parameters.size()) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("kernel '%s' has no parameter %zu: it takes %zu",
                                                           kernel.name.c_str(), index, kernel.parameters.size()));
    }
    *offset = kernel.parameters[index].offset;
    if (size != nullptr) *size = kernel.parameters[index].size;
}

uint32_t registers_per_thread(const KernelInformation& kernel) {
    // As a compiler does that knows the largest block: its registers must fit on a multiprocessor, in each of the four
    // partitions that its warps are dealt to, in units of 8 per thread.
    const uint32_t warps = (kernel.max_threads_per_block + DeviceLimits::warp_size - 1) / DeviceLimits::warp_size;
    const uint32_t rounded_warps = (warps + 3) / 4 * 4;
    const uint32_t fitting =
        DeviceLimits::registers_per_multiprocessor / (rounded_warps * DeviceLimits::warp_size) / 8 * 8;
    return std::clamp(kernel.registers, 8u, std::min(fitting, 255u));
}

int function_attribute(const KernelInformation& kernel, const FunctionSettings& settings, const Device& device,
                       CUfunction_attribute attribute) {
    const DeviceModel& model = device.model();
    const auto capability = static_cast<int>(model.compute_capability_major * 10 + model.compute_capability_minor);
    switch (attribute) {
        case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
            return static_cast<int>(kernel.max_threads_per_block);
        case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
            return static_cast<int>(kernel.static_shared_bytes);
        case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
            return static_cast<int>(kernel.constant_bytes);
        case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
            return static_cast<int>(kernel.local_bytes);
        case CU_FUNC_ATTRIBUTE_NUM_REGS:
            return static_cast<int>(registers_per_thread(kernel));
        case CU_FUNC_ATTRIBUTE_PTX_VERSION:
            return static_cast<int>(kernel.ptx_target);
        case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
            return capability;
        case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
            return 0;
        case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
            return settings.max_dynamic_shared_bytes;
        case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            return settings.shared_memory_carveout;
        case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
            return kernel.explicit_cluster && kernel.required_cluster[0] == 0 ? 1 : 0;
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
            if (kernel.required_cluster[0] != 0) {
                return static_cast<int>(kernel.required_cluster[attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH]);
            }
            return settings.required_cluster[attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH];
        case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
            return settings.large_clusters_allowed;
        case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
            return settings.cluster_scheduling_policy;
        default:
            break;
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown function attribute %d", attribute));
}

void set_function_attribute(const KernelInformation& kernel, FunctionSettings& settings, const Device& device,
                            CUfunction_attribute attribute, int value) {
    switch (attribute) {
        case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: {
            const int most = static_cast<int>(device.model().max_dynamic_shared_bytes) -
                             static_cast<int>(kernel.static_shared_bytes);
            if (value < 0 || value > most) {
                throw DriverError(CUDA_ERROR_INVALID_VALUE,
                                  format("kernel '%s' can have at most %d bytes of dynamic shared memory (the device's "
                                         "%u less %u static), not %d",
                                         kernel.name.c_str(), most, device.model().max_dynamic_shared_bytes,
                                         kernel.static_shared_bytes, value));
            }
            settings.max_dynamic_shared_bytes = value;
            return;
        }
        case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            if (value < -1 || value > 100) {
                throw DriverError(CUDA_ERROR_INVALID_VALUE,
                                  format("the shared memory carve-out is -1 or a percentage, not %d", value));
            }
            settings.shared_memory_carveout = value;
            return;
        case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
            settings.large_clusters_allowed = value != 0 ? 1 : 0;
            return;
        case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
            if (value < CU_CLUSTER_SCHEDULING_POLICY_DEFAULT || value > CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING) {
                throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown cluster scheduling policy %d", value));
            }
            settings.cluster_scheduling_policy = value;
            return;
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
            if (value < 0)
                throw DriverError(CUDA_ERROR_INVALID_VALUE, format("a cluster cannot have %d blocks", value));
            if (value > 1 && device.model().compute_capability_major < 9) {
                throw DriverError(
                    CUDA_ERROR_NOT_SUPPORTED,
                    "the simulated device has no thread block clusters: they need compute capability 9.0");
            }
            settings.required_cluster[attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH] = value;
            return;
        default:
            break;
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("function attribute %d cannot be set", attribute));
}

}  // namespace cuprum::simulator::libcuda
