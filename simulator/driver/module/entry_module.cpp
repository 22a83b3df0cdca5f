// Modules and their functions.
#include "driver/graph/capture.hpp"
#include "driver/module/image.hpp"
#include "driver/process/entry.hpp"
#include "driver/process/newer_api.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

std::string next_module_name(const std::string& kind) {
    static std::atomic<uint64_t> number{1};
    return kind + " " + std::to_string(number++);
}

// For attributes: the function with no context needed but its own.
std::shared_ptr<Function> function_of(CUfunction handle) {
    return find_function(handle, ContextStack::current());
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count, CUjit_option* options,
                                    void** values) {
    return entry("cuModuleLoadDataEx", [&] {
        require_pointer(module, "module");
        const std::shared_ptr<Context> context = current_context();
        refuse_unsafe_call("a module cannot be loaded");
        JitOptions jit(count, options, values);
        *module = load_module(context, load_image(image, std::nullopt, context->device().model(), jit),
                              next_module_name("module"));
    });
}

CUresult CUDAAPI cuModuleLoadData(CUmodule* module, const void* image) {
    return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}

CUresult CUDAAPI cuModuleLoadFatBinary(CUmodule* module, const void* image) {
    return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}

CUresult CUDAAPI cuModuleLoad(CUmodule* module, const char* path) {
    return entry("cuModuleLoad", [&] {
        require_pointer(module, "module");
        const std::shared_ptr<Context> context = current_context();
        refuse_unsafe_call("a module cannot be loaded");
        JitOptions jit(0, nullptr, nullptr);
        *module = load_module(context, load_image_file(path, context->device().model(), jit),
                              std::string("module '") + path + "'");
    });
}

CUresult CUDAAPI cuModuleUnload(CUmodule handle) {
    return entry("cuModuleUnload", [&] {
        const std::shared_ptr<Module> module = handles().modules.find(handle);
        if (!module) {
            throw DriverError(CUDA_ERROR_INVALID_HANDLE,
                              describe_bad_handle(HandleKind::module, reinterpret_cast<uint64_t>(handle)));
        }
        if (module->library() != nullptr) {
            throw DriverError(CUDA_ERROR_NOT_PERMITTED,
                              "the module belongs to a library, which cuLibraryUnload unloads");
        }
        module->context()->disown(handle);
        unload_module(handle);
        require_usable(*module->context());
    });
}

CUresult CUDAAPI cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
    return entry("cuModuleGetLoadingMode", [&] {
        require_pointer(mode, "mode");
        *mode = module_loading_mode();
    });
}

CUresult CUDAAPI cuModuleGetFunction(CUfunction* function, CUmodule handle, const char* name) {
    return entry("cuModuleGetFunction", [&] {
        require_pointer(function, "hfunc");
        require_pointer(name, "name");
        const std::shared_ptr<Module> module = find_module(handle);
        *function = nullptr;  // as a GPU's driver leaves it where there is no such function
        *function = module->function(find_kernel(*module->program(), module->name(), name));
    });
}

CUresult CUDAAPI cuModuleGetFunctionCount(unsigned int* count, CUmodule handle) {
    return entry("cuModuleGetFunctionCount", [&] {
        require_pointer(count, "count");
        *count = static_cast<unsigned int>(find_module(handle)->program()->kernels().size());
    });
}

CUresult CUDAAPI cuModuleEnumerateFunctions(CUfunction* functions, unsigned int count, CUmodule handle) {
    return entry("cuModuleEnumerateFunctions", [&] {
        require_pointer(functions, "functions");
        const std::shared_ptr<Module> module = find_module(handle);
        const auto available = static_cast<unsigned int>(module->program()->kernels().size());
        for (unsigned int index = 0; index < std::min(count, available); ++index) {
            functions[index] = module->function(index);
        }
    });
}

CUresult CUDAAPI cuModuleGetGlobal_v2(CUdeviceptr* pointer, size_t* bytes, CUmodule handle, const char* name) {
    return entry("cuModuleGetGlobal", [&] {
        require_pointer(name, "name");
        const std::shared_ptr<Module> module = find_module(handle);
        const uint32_t index = find_variable(*module->program(), module->name(), name);
        report_variable(*module, index, pointer, bytes);
    });
}

CUresult CUDAAPI cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction handle) {
    return entry("cuFuncGetAttribute", [&] {
        require_pointer(value, "pi");
        const std::shared_ptr<Function> function = function_of(handle);
        const std::shared_ptr<Module> module = function->module();
        *value = function_attribute(module->kernel(function->index()), function->settings(),
                                    module->context()->device(), attribute);
    });
}

CUresult CUDAAPI cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value) {
    return entry("cuFuncSetAttribute", [&] {
        const std::shared_ptr<Function> function = function_of(handle);
        const std::shared_ptr<Module> module = function->module();
        set_function_attribute(module->kernel(function->index()), function->settings(), module->context()->device(),
                               attribute, value);
    });
}

CUresult CUDAAPI cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache config) {
    return entry("cuFuncSetCacheConfig", [&] {
        if (config < CU_FUNC_CACHE_PREFER_NONE || config > CU_FUNC_CACHE_PREFER_EQUAL) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown cache configuration %d", config));
        }
        function_of(handle)->settings().cache_config = config;
    });
}

CUresult CUDAAPI cuFuncSetSharedMemConfig(CUfunction handle, CUsharedconfig config) {
    return entry("cuFuncSetSharedMemConfig", [&] {
        if (config < CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE || config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown shared memory configuration %d", config));
        }
        function_of(handle);
    });
}

CUresult CUDAAPI cuFuncGetModule(CUmodule* module, CUfunction handle) {
    return entry("cuFuncGetModule", [&] {
        require_pointer(handle, "hfunc");
        require_pointer(module, "hmod");
        *module = function_of(handle)->module()->handle();
    });
}

CUresult CUDAAPI cuFuncGetName(const char** name, CUfunction handle) {
    return entry("cuFuncGetName", [&] {
        require_pointer(handle, "hfunc");
        require_pointer(name, "name");
        const std::shared_ptr<Function> function = function_of(handle);
        *name = function->module()->kernel(function->index()).name.c_str();
    });
}

CUresult CUDAAPI cuFuncGetParamInfo(CUfunction handle, size_t index, size_t* offset, size_t* size) {
    return entry("cuFuncGetParamInfo", [&] {
        require_pointer(offset, "paramOffset");
        const std::shared_ptr<Function> function = function_of(handle);
        const std::shared_ptr<Module> module = function->module();
        parameter_information(module->kernel(function->index()), index, offset, size);
    });
}

CUresult CUDAAPI cuFuncGetParamCount(CUfunction handle, size_t* count) {
    return entry("cuFuncGetParamCount", [&] {
        require_pointer(count, "paramCount");
        const std::shared_ptr<Function> function = function_of(handle);
        const std::shared_ptr<Module> module = function->module();
        *count = module->kernel(function->index()).parameters.size();
    });
}

CUresult CUDAAPI cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction handle) {
    return entry("cuFuncIsLoaded", [&] {
        require_pointer(state, "state");
        *state = function_of(handle)->settings().loaded ? CU_FUNCTION_LOADING_STATE_LOADED
                                                        : CU_FUNCTION_LOADING_STATE_UNLOADED;
    });
}

CUresult CUDAAPI cuFuncLoad(CUfunction handle) {
    return entry("cuFuncLoad", [&] { function_of(handle)->settings().loaded = true; });
}

}  // extern "C"
