// Code: programs loaded into contexts (modules, functions) and independent of them (libraries, kernels).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "driver/error/driver_error.hpp"
#include "driver/process/cuda_api.hpp"
#include "engine/engine.hpp"

namespace cuprum::simulator::libcuda {

class Context;
class Device;
class Library;
class Module;

// What cuFuncSetAttribute and cuKernelSetAttribute change, for one kernel on one device.
struct FunctionSettings {
    std::atomic<int> max_dynamic_shared_bytes{0};
    std::atomic<int> shared_memory_carveout{-1};
    std::atomic<int> cache_config{CU_FUNC_CACHE_PREFER_NONE};
    // Of clusters; required_cluster: zeros where the kernel says, or nobody.
    std::atomic<int> large_clusters_allowed{0};
    std::atomic<int> cluster_scheduling_policy{CU_CLUSTER_SCHEDULING_POLICY_DEFAULT};
    std::array<std::atomic<int>, 3> required_cluster{};
    // As cuFuncIsLoaded reports it: with lazy loading not before cuFuncLoad or the first launch. Here the whole module
    // is translated when it is loaded, in either mode.
    std::atomic<bool> loaded{false};
};

// CUDA_MODULE_LOADING, an environment variable of CUDA's: lazy unless it says EAGER.
CUmoduleLoadingMode module_loading_mode();

// What cuFuncSetBlockShape, cuParamSet* and the like have set for the next cuLaunch*.
struct PendingLaunch {
    static constexpr size_t most_parameter_bytes = 4096;
    std::array<uint32_t, 3> block{1, 1, 1};
    uint32_t shared_bytes = 0;
    std::vector<std::byte> parameters;
};

// A kernel in a context. Thread-safe.
class Function {
public:
    Function(std::weak_ptr<Module> module, uint32_t index, std::shared_ptr<FunctionSettings> settings)
        : module_(std::move(module)), index_(index), settings_(std::move(settings)) {}

    // Throws DriverError(CUDA_ERROR_INVALID_HANDLE) when the module has been unloaded.
    std::shared_ptr<Module> module() const;
    uint32_t index() const { return index_; }
    FunctionSettings& settings() const { return *settings_; }
    void change_pending(const std::function<void(PendingLaunch&)>& change) {
        const std::lock_guard lock(pending_mutex_);
        change(pending_);
    }

private:
    std::mutex pending_mutex_;
    PendingLaunch pending_;
    const std::weak_ptr<Module> module_;
    const uint32_t index_;
    const std::shared_ptr<FunctionSettings> settings_;
};

// A program's managed variables. Those of a library are the same in all contexts, and there without any.
class ManagedVariables {
public:
    // Allocates and initialises them.
    ManagedVariables(const Program& program, const std::string& owner);
    ~ManagedVariables();
    ManagedVariables(const ManagedVariables&) = delete;
    ManagedVariables& operator=(const ManagedVariables&) = delete;

    // By variable; 0 for those that are not managed.
    const std::vector<uint64_t>& addresses() const { return addresses_; }

private:
    std::vector<uint64_t> addresses_;
};

// A program in a context: its variables have addresses there. Thread-safe.
class Module : public std::enable_shared_from_this<Module> {
public:
    // Allocates and initialises the variables.
    Module(std::shared_ptr<Context> context, std::shared_ptr<const Program> program, std::string name,
           std::vector<std::shared_ptr<FunctionSettings>> settings, std::shared_ptr<const ManagedVariables> managed);
    ~Module();

    const std::shared_ptr<Context>& context() const { return context_; }
    const std::shared_ptr<const Program>& program() const { return program_; }
    const std::string& name() const { return name_; }
    const std::vector<uint64_t>& variable_addresses() const { return addresses_; }
    const KernelInformation& kernel(uint32_t index) const { return program_->kernels()[index]; }
    CUmodule handle() const { return handle_; }
    // The library it belongs to; null for cuModuleLoad*.
    CUlibrary library() const { return library_; }

    void set_handle(CUmodule handle, CUlibrary library) {
        handle_ = handle;
        library_ = library;
    }

    // The handle of a kernel as function of this context; the same one each time.
    CUfunction function(uint32_t index);
    // Invalidates the functions' handles.
    void drop_functions();

private:
    const std::shared_ptr<Context> context_;
    const std::shared_ptr<const Program> program_;
    const std::string name_;
    const std::vector<std::shared_ptr<FunctionSettings>> settings_;
    const std::shared_ptr<const ManagedVariables> managed_;
    CUmodule handle_ = nullptr;
    CUlibrary library_ = nullptr;
    std::vector<uint64_t> addresses_;
    std::mutex mutex_;
    std::vector<CUfunction> functions_;
};

// A kernel of a library, in no context. Thread-safe.
class Kernel {
public:
    Kernel(std::weak_ptr<Library> library, uint32_t index) : library_(std::move(library)), index_(index) {}

    // Throws DriverError(CUDA_ERROR_INVALID_HANDLE) when the library has been unloaded.
    std::shared_ptr<Library> library() const;
    uint32_t index() const { return index_; }

private:
    const std::weak_ptr<Library> library_;
    const uint32_t index_;
};

// A program that is loaded into each context when it is first used there. Thread-safe.
class Library : public std::enable_shared_from_this<Library> {
public:
    Library(std::shared_ptr<const Program> program, std::string name);
    // Of PTX that cannot be compiled: it has no kernels, and whatever else is asked for is refused for this reason.
    Library(DriverError failure, std::string name);

    // Throws DriverError where it cannot be compiled.
    const std::shared_ptr<const Program>& program() const {
        if (failure_) throw DriverError(*failure_);
        return program_;
    }
    // None where it cannot be compiled.
    uint32_t kernel_count() const { return static_cast<uint32_t>(kernels_.size()); }
    const std::string& name() const { return name_; }
    CUlibrary handle() const { return handle_; }
    void set_handle(CUlibrary handle) { handle_ = handle; }

    // The module in a context, loaded now if it was not.
    std::shared_ptr<Module> module_in(const std::shared_ptr<Context>& context);
    // The handle of a kernel; the same one each time.
    CUkernel kernel(uint32_t index);
    std::shared_ptr<FunctionSettings> settings(uint32_t index, const Device& device);

    std::shared_ptr<const ManagedVariables> managed_variables();

    // Unloads it from all contexts and invalidates the kernels' handles.
    void unload();

private:
    std::vector<std::shared_ptr<FunctionSettings>> settings_of(const Device& device);
    const std::shared_ptr<const ManagedVariables>& managed_variables_locked();

    const std::shared_ptr<const Program> program_;
    const std::optional<DriverError> failure_;
    const std::string name_;
    CUlibrary handle_ = nullptr;
    std::mutex mutex_;
    std::map<uint64_t, CUmodule> modules_;  // by context identifier
    std::vector<CUkernel> kernels_;
    std::shared_ptr<const ManagedVariables> managed_;
    std::map<uint32_t, std::vector<std::shared_ptr<FunctionSettings>>> settings_;  // by device ordinal
};

// Index of the kernel with this name. Throws DriverError(CUDA_ERROR_NOT_FOUND) that lists the kernels there are.
uint32_t find_kernel(const Program& program, const std::string& owner, const std::string& name);
// Index of the variable with this name that programs can see. Throws likewise.
uint32_t find_variable(const Program& program, const std::string& owner, const std::string& name);
// Where it lies and how large it is; both destinations may be null.
void report_variable(const Module& module, uint32_t index, CUdeviceptr* pointer, size_t* bytes);

// Loads a program into a context and gives it a handle.
CUmodule load_module(const std::shared_ptr<Context>& context, std::shared_ptr<const Program> program, std::string name);
// Invalidates the handle and those of its functions and frees the variables. False if there is no such module.
bool unload_module(CUmodule handle);

// Offset and size of a kernel's parameter in its packed parameters; `size` may be null. Throws
// DriverError(CUDA_ERROR_INVALID_VALUE) past the last one.
void parameter_information(const KernelInformation& kernel, size_t index, size_t* offset, size_t* size);

// As CU_FUNC_ATTRIBUTE_NUM_REGS and occupancy count them: the translation's estimate, but no more than lets a block of
// the largest size run.
uint32_t registers_per_thread(const KernelInformation& kernel);

// The attribute of a kernel, as cuFuncGetAttribute reports it.
int function_attribute(const KernelInformation& kernel, const FunctionSettings& settings, const Device& device,
                       CUfunction_attribute attribute);
void set_function_attribute(const KernelInformation& kernel, FunctionSettings& settings, const Device& device,
                            CUfunction_attribute attribute, int value);

}  // namespace cuprum::simulator::libcuda
