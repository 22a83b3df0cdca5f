// Libraries and their kernels: code that belongs to no context.
#include <algorithm>

#include "driver/module/image.hpp"
#include "driver/process/entry.hpp"
#include "driver/process/newer_api.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

void require_library_options(unsigned int count, const CUlibraryOption* options) {
    if (count > 0) require_pointer(options, "libraryOptions");
    for (unsigned int index = 0; index < count; ++index) {
        if (options[index] < 0 || options[index] >= CU_LIBRARY_NUM_OPTIONS) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown library option %d", options[index]));
        }
    }
}

// `content`: the program, or why there is none.
template <class Content>
CUlibrary add_library(Content content, const std::string& name) {
    auto library = std::make_shared<Library>(std::move(content), name);
    const CUlibrary handle = handles().libraries.insert(library);
    library->set_handle(handle);
    return handle;
}

// All devices are of one model, so a library is checked against the first.
const DeviceModel& common_model() {
    return driver().device(0).model();
}

// Text of any kind is compiled when the library is first used, as a GPU's driver does it (seen with 580.159, with lazy
// loading and with eager): only then is bad PTX refused. What this simulator lacks is refused at once.
CUlibrary load_library(const void* code, const std::string& name, JitOptions& jit) {
    try {
        return add_library(load_image_or_wrapper(code, common_model(), jit), name);
    } catch (const DriverError& error) {
        if (code == nullptr || error.code() == CUDA_ERROR_NOT_SUPPORTED || !is_text(code)) throw;
        return add_library(error, name);
    }
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* jit_options, void** jit_values,
                                   unsigned int jit_count, CUlibraryOption* options, void**, unsigned int count) {
    return entry("cuLibraryLoadData", [&] {
        require_pointer(library, "library");
        require_library_options(count, options);
        JitOptions jit(jit_count, jit_options, jit_values);
        static std::atomic<uint64_t> number{1};
        *library = load_library(code, format("library %llu", static_cast<unsigned long long>(number++)), jit);
    });
}

CUresult CUDAAPI cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option* jit_options,
                                       void** jit_values, unsigned int jit_count, CUlibraryOption* options, void**,
                                       unsigned int count) {
    return entry("cuLibraryLoadFromFile", [&] {
        require_pointer(library, "library");
        require_library_options(count, options);
        JitOptions jit(jit_count, jit_options, jit_values);
        *library = add_library(load_image_file(path, common_model(), jit), std::string("library '") + path + "'");
    });
}

CUresult CUDAAPI cuLibraryUnload(CUlibrary handle) {
    return entry("cuLibraryUnload", [&] {
        const std::shared_ptr<Library> library = find_library(handle);
        handles().libraries.remove(handle);
        library->unload();
    });
}

CUresult CUDAAPI cuLibraryGetKernel(CUkernel* kernel, CUlibrary handle, const char* name) {
    return entry("cuLibraryGetKernel", [&] {
        require_pointer(kernel, "pKernel");
        require_pointer(name, "name");
        const std::shared_ptr<Library> library = find_library(handle);
        *kernel = library->kernel(find_kernel(*library->program(), library->name(), name));
    });
}

CUresult CUDAAPI cuLibraryGetKernelCount(unsigned int* count, CUlibrary handle) {
    return entry("cuLibraryGetKernelCount", [&] {
        require_pointer(count, "count");
        *count = find_library(handle)->kernel_count();
    });
}

CUresult CUDAAPI cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int count, CUlibrary handle) {
    return entry("cuLibraryEnumerateKernels", [&] {
        require_pointer(kernels, "kernels");
        const std::shared_ptr<Library> library = find_library(handle);
        for (unsigned int index = 0; index < std::min(count, library->kernel_count()); ++index) {
            kernels[index] = library->kernel(index);
        }
    });
}

CUresult CUDAAPI cuLibraryGetModule(CUmodule* module, CUlibrary handle) {
    return entry("cuLibraryGetModule", [&] {
        require_pointer(module, "pMod");
        *module = find_library(handle)->module_in(current_context())->handle();
    });
}

CUresult CUDAAPI cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary handle, const char* name) {
    return entry("cuLibraryGetGlobal", [&] {
        require_pointer(name, "name");
        if (*name == '\0') throw DriverError(CUDA_ERROR_INVALID_VALUE, "name is empty");
        const std::shared_ptr<Library> library = find_library(handle);
        const std::shared_ptr<Module> module = library->module_in(current_context());
        const uint32_t index = find_variable(*library->program(), library->name(), name);
        report_variable(*module, index, pointer, bytes);
    });
}

CUresult CUDAAPI cuLibraryGetManaged(CUdeviceptr* pointer, size_t* bytes, CUlibrary handle, const char* name) {
    return entry("cuLibraryGetManaged", [&] {
        require_pointer(name, "name");
        const std::shared_ptr<Library> library = find_library(handle);
        const uint32_t index = find_variable(*library->program(), library->name(), name);
        const ModuleVariable& variable = library->program()->variables()[index];
        if (!variable.managed) {
            throw DriverError(CUDA_ERROR_NOT_FOUND,
                              "variable '" + variable.name + "' of " + library->name() + " is not managed");
        }
        if (pointer != nullptr) *pointer = library->managed_variables()->addresses()[index];
        if (bytes != nullptr) *bytes = variable.size;
    });
}

CUresult CUDAAPI cuLibraryGetUnifiedFunction(void** function, CUlibrary handle, const char* name) {
    return entry("cuLibraryGetUnifiedFunction", [&] {
        require_pointer(function, "fptr");
        require_pointer(name, "symbol");
        // Such functions are for devices that run the host's code too. A GPU's driver (580) says the same.
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          find_library(handle)->name() + " has no unified function '" + std::string(name) + "'");
    });
}

CUresult CUDAAPI cuKernelGetFunction(CUfunction* function, CUkernel handle) {
    return entry("cuKernelGetFunction", [&] {
        require_pointer(function, "pFunc");
        const std::shared_ptr<Kernel> kernel = find_kernel_object(handle);
        *function = kernel->library()->module_in(current_context())->function(kernel->index());
    });
}

CUresult CUDAAPI cuKernelGetLibrary(CUlibrary* library, CUkernel handle) {
    return entry("cuKernelGetLibrary", [&] {
        require_pointer(library, "pLib");
        *library = find_kernel_object(handle)->library()->handle();
    });
}

CUresult CUDAAPI cuKernelGetName(const char** name, CUkernel handle) {
    return entry("cuKernelGetName", [&] {
        require_pointer(handle, "kernel");
        require_pointer(name, "name");
        const std::shared_ptr<Kernel> kernel = find_kernel_object(handle);
        *name = kernel->library()->program()->kernels()[kernel->index()].name.c_str();
    });
}

CUresult CUDAAPI cuKernelGetParamInfo(CUkernel handle, size_t index, size_t* offset, size_t* size) {
    return entry("cuKernelGetParamInfo", [&] {
        require_pointer(handle, "kernel");
        require_pointer(offset, "paramOffset");
        current_context();  // a GPU's driver insists on one, though the answer does not depend on it
        const std::shared_ptr<Kernel> kernel = find_kernel_object(handle);
        const std::shared_ptr<Library> library = kernel->library();
        parameter_information(library->program()->kernels()[kernel->index()], index, offset, size);
    });
}

CUresult CUDAAPI cuKernelGetParamCount(CUkernel handle, size_t* count) {
    return entry("cuKernelGetParamCount", [&] {
        require_pointer(handle, "kernel");
        require_pointer(count, "paramCount");
        current_context();  // as cuKernelGetParamInfo
        const std::shared_ptr<Kernel> kernel = find_kernel_object(handle);
        *count = kernel->library()->program()->kernels()[kernel->index()].parameters.size();
    });
}

CUresult CUDAAPI cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel handle, CUdevice dev) {
    return entry("cuKernelGetAttribute", [&] {
        require_pointer(value, "pi");
        const std::shared_ptr<Kernel> kernel = find_kernel_object(handle);
        const std::shared_ptr<Library> library = kernel->library();
        const Device& device = driver().device(dev);
        *value = function_attribute(library->program()->kernels()[kernel->index()],
                                    *library->settings(kernel->index(), device), device, attribute);
    });
}

CUresult CUDAAPI cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel handle, CUdevice dev) {
    return entry("cuKernelSetAttribute", [&] {
        const std::shared_ptr<Kernel> kernel = find_kernel_object(handle);
        const std::shared_ptr<Library> library = kernel->library();
        const Device& device = driver().device(dev);
        set_function_attribute(library->program()->kernels()[kernel->index()],
                               *library->settings(kernel->index(), device), device, attribute, value);
    });
}

CUresult CUDAAPI cuKernelSetCacheConfig(CUkernel handle, CUfunc_cache config, CUdevice dev) {
    return entry("cuKernelSetCacheConfig", [&] {
        if (config < CU_FUNC_CACHE_PREFER_NONE || config > CU_FUNC_CACHE_PREFER_EQUAL) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown cache configuration %d", config));
        }
        const std::shared_ptr<Kernel> kernel = find_kernel_object(handle);
        kernel->library()->settings(kernel->index(), driver().device(dev))->cache_config = config;
    });
}

}  // extern "C"
