#include "runtime/registration.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "image/fat_binary.hpp"
#include "runtime/functions.hpp"
#include "runtime/thread_state.hpp"

namespace cuprum::simulator::runtime {
namespace {

cudaError_t load(CUlibrary* library, const void* code) {
    return call<cuLibraryLoadData>(library, code, nullptr, nullptr, 0U, nullptr, nullptr, 0U);
}

// One registered fat binary.
class Binary {
public:
    explicit Binary(const void* wrapper) : wrapper_(*static_cast<const image::FatBinaryWrapper*>(wrapper)) {}

    cudaError_t library(CUlibrary* library) {
        const std::lock_guard lock(mutex_);
        if (!loaded_) {
            loaded_ = true;
            load_result_ = load(&library_, &wrapper_);
        }
        *library = library_;
        return load_result_;
    }

    void unload() {
        const std::lock_guard lock(mutex_);
        if (library_ != nullptr) driver::call<cuLibraryUnload>(library_);
        library_ = nullptr;
    }

    struct ManagedVariable {
        void** host_pointer;
        std::string name;
    };
    std::vector<ManagedVariable> managed_variables;  // under the registry's mutex

private:
    const image::FatBinaryWrapper wrapper_;
    std::mutex mutex_;
    bool loaded_ = false;
    cudaError_t load_result_ = cudaSuccess;
    CUlibrary library_ = nullptr;
};

struct Kernel {
    Binary* binary;
    std::string name;
    std::atomic<CUkernel> handle = nullptr;
};

struct Variable {
    Binary* binary;
    std::string name;
    bool managed;
};

// Never destroyed: the program's own destructors unregister, and call kernels' getters, when the process ends.
struct Registry {
    std::shared_mutex mutex;
    std::unordered_map<const void*, std::unique_ptr<Kernel>> kernels;
    std::unordered_map<const void*, Variable> variables;
};
Registry& registry() {
    static auto* const the_registry = new Registry;
    return *the_registry;
}

Kernel* find_kernel(const void* host_function) {
    Registry& all = registry();
    const std::shared_lock lock(all.mutex);
    const auto found = all.kernels.find(host_function);
    return found == all.kernels.end() ? nullptr : found->second.get();
}

cudaError_t handle_of(Kernel& kernel, CUkernel* handle) {
    *handle = kernel.handle.load(std::memory_order_acquire);
    if (*handle != nullptr) return cudaSuccess;
    CUlibrary library = nullptr;
    cudaError_t result = kernel.binary->library(&library);
    if (result != cudaSuccess) return result;
    result = driver::call<cuLibraryGetKernel>(handle, library, kernel.name.c_str());
    if (result == cudaErrorSymbolNotFound) return cudaErrorInvalidDeviceFunction;
    if (result == cudaSuccess) kernel.handle.store(*handle, std::memory_order_release);
    return result;
}

template <typename Map>
void remove_those_of(Map& map, const Binary* binary) {
    std::erase_if(map, [&](const auto& item) {
        if constexpr (requires { item.second->binary; }) {
            return item.second->binary == binary;
        } else {
            return item.second.binary == binary;
        }
    });
}

}  // namespace

cudaError_t registered_kernel(const void* host_function, CUkernel* kernel) {
    if (kernel == nullptr) return cudaErrorInvalidValue;
    Kernel* const found = find_kernel(host_function);
    return found == nullptr ? cudaErrorInvalidDeviceFunction : handle_of(*found, kernel);
}

cudaError_t launchable(const void* function, CUfunction* handle) {
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    if (Kernel* const found = find_kernel(function); found != nullptr) {
        CUkernel kernel = nullptr;
        const cudaError_t result = handle_of(*found, &kernel);
        *handle = reinterpret_cast<CUfunction>(kernel);
        return result;
    }
    *handle = static_cast<CUfunction>(const_cast<void*>(function));
    return cudaSuccess;
}

cudaError_t function_in_context(const void* function, CUfunction* handle) {
    const cudaError_t result = launchable(function, handle);
    if (result != cudaSuccess) return result;
    const auto given = reinterpret_cast<CUkernel>(*handle);
    const cudaError_t is_kernel = call<cuKernelGetFunction>(handle, given);
    if (is_kernel == cudaSuccess || find_kernel(function) != nullptr) return is_kernel;
    *handle = reinterpret_cast<CUfunction>(given);  // a cudaFunction_t, or nothing at all, which the driver will say
    return cudaSuccess;
}

void* host_function_of(CUfunction function) {
    Registry& all = registry();
    const std::shared_lock lock(all.mutex);
    for (const auto& [host_function, kernel] : all.kernels) {
        CUfunction candidate = nullptr;
        CUkernel const handle = kernel->handle;
        if (handle != nullptr && call<cuKernelGetFunction>(&candidate, handle) == cudaSuccess &&
            candidate == function) {
            return const_cast<void*>(host_function);
        }
    }
    return function;
}

cudaError_t symbol_in_context(const void* symbol, void** address, size_t* bytes) {
    Variable variable{};
    {
        Registry& all = registry();
        const std::shared_lock lock(all.mutex);
        const auto found = all.variables.find(symbol);
        if (found == all.variables.end()) return cudaErrorInvalidSymbol;
        variable = found->second;
    }
    CUlibrary library = nullptr;
    const cudaError_t result = variable.binary->library(&library);
    if (result != cudaSuccess) return result;
    const cudaError_t got = variable.managed ? call<cuLibraryGetManaged>(address, bytes, library, variable.name.c_str())
                                             : call<cuLibraryGetGlobal>(address, bytes, library, variable.name.c_str());
    return got == cudaErrorSymbolNotFound ? cudaErrorInvalidSymbol : got;
}

void** register_fat_binary(const void* wrapper) {
    return reinterpret_cast<void**>(new Binary(wrapper));
}

void unregister_fat_binary(void** handle) {
    auto* const binary = reinterpret_cast<Binary*>(handle);
    Registry& all = registry();
    // At the end of the process the driver is left alone: it may have been torn down, and takes everything with it.
    if (binary == nullptr || driver::process_ends()) return;
    {
        const std::unique_lock lock(all.mutex);
        remove_those_of(all.kernels, binary);
        remove_those_of(all.variables, binary);
    }
    binary->unload();
    delete binary;
}

void register_function(void** handle, const void* host_function, const char* name) {
    Registry& all = registry();
    const std::unique_lock lock(all.mutex);
    auto kernel = std::make_unique<Kernel>();
    kernel->binary = reinterpret_cast<Binary*>(handle);
    kernel->name = name;
    all.kernels.insert_or_assign(host_function, std::move(kernel));
}

void register_variable(void** handle, const void* host_variable, const char* name) {
    Registry& all = registry();
    const std::unique_lock lock(all.mutex);
    all.variables.insert_or_assign(host_variable, Variable{reinterpret_cast<Binary*>(handle), name, false});
}

void register_managed_variable(void** handle, void** host_pointer, const char* name) {
    auto* const binary = reinterpret_cast<Binary*>(handle);
    Registry& all = registry();
    const std::unique_lock lock(all.mutex);
    binary->managed_variables.push_back({host_pointer, name});
    all.variables.insert_or_assign(host_pointer, Variable{binary, name, true});
}

cudaError_t initialize_managed_variables(void** handle) {
    auto* const binary = reinterpret_cast<Binary*>(handle);
    Registry& all = registry();
    std::vector<Binary::ManagedVariable> variables;
    {
        const std::shared_lock lock(all.mutex);
        variables = binary->managed_variables;
    }
    CUlibrary library = nullptr;
    cudaError_t result = binary->library(&library);
    for (const Binary::ManagedVariable& variable : variables) {
        if (result != cudaSuccess) break;
        void* address = nullptr;
        size_t bytes = 0;
        result = call<cuLibraryGetManaged>(&address, &bytes, library, variable.name.c_str());
        if (result != cudaSuccess) break;
        *variable.host_pointer = address;
        const std::unique_lock lock(all.mutex);
        all.variables.insert_or_assign(address, Variable{binary, variable.name, true});
    }
    return result;
}

}  // namespace cuprum::simulator::runtime
