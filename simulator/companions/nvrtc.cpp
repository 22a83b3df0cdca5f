// libnvrtc, before the real one: what is compiled for a real architecture (sm_80) is compiled to PTX, and the cubin is
// the simulator's own object. Everything else is forwarded.
#include <nvrtc.h>

#include <memory>
#include <mutex>
#include <unordered_map>

#include "companions/architecture.hpp"
#include "companions/real_library.hpp"
#include "image/simulator_object.hpp"
#include "ptx/linker.hpp"

// Deprecated functions are exported like all others.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC visibility push(default)

using namespace cuprum::simulator;

namespace {

companions::RealLibrary& real() {
    static auto* const library = new companions::RealLibrary(companions::nvrtc_kind(CUPRUM_COMPANION_MAJOR));
    return *library;
}

template <typename... Arguments>
nvrtcResult forward(const char* name, Arguments... arguments) {
    return companions::forward(real(), NVRTC_ERROR_INTERNAL_ERROR, name, arguments...);
}

// The cubins of the programs that were compiled for a real architecture.
class Cubins {
public:
    using Cubin = std::shared_ptr<const std::string>;

    void set(nvrtcProgram program, Cubin cubin) {
        const std::lock_guard lock(mutex_);
        if (cubin) {
            cubins_[program] = std::move(cubin);
        } else {
            cubins_.erase(program);
        }
    }
    Cubin get(nvrtcProgram program) {
        const std::lock_guard lock(mutex_);
        const auto found = cubins_.find(program);
        return found == cubins_.end() ? nullptr : found->second;
    }

private:
    std::mutex mutex_;
    std::unordered_map<nvrtcProgram, Cubin> cubins_;
};

Cubins& cubins() {
    static auto* const all = new Cubins;
    return *all;
}

nvrtcResult compile_to_object(nvrtcProgram program, const companions::CompileRequest& request) {
    std::vector<const char*> options;
    for (const std::string& option : request.options)
        options.push_back(option.c_str());
    nvrtcResult result = forward("nvrtcCompileProgram", program, static_cast<int>(options.size()),
                                 static_cast<const char* const*>(options.data()));
    if (result != NVRTC_SUCCESS) return result;
    size_t size = 0;
    result = forward("nvrtcGetPTXSize", program, &size);
    if (result != NVRTC_SUCCESS) return result;
    std::string ptx(size, '\0');
    result = forward("nvrtcGetPTX", program, ptx.data());
    if (result != NVRTC_SUCCESS) return result;
    ptx.resize(ptx.find_last_not_of('\0') + 1);
    if (request.max_registers != 0) {
        const ptx::LinkInput input{"the program", ptx};
        ptx::LinkResult limited = ptx::link({&input, 1}, request.max_registers);
        if (!limited.errors.empty()) return NVRTC_ERROR_INTERNAL_ERROR;
        ptx = std::move(limited.text);
    }
    cubins().set(program, std::make_shared<const std::string>(image::make_simulator_object(request.architecture, ptx)));
    return NVRTC_SUCCESS;
}

}  // namespace

extern "C" {

// What tells a companion from the real library, and lets a program name the real one.
void cuprum_simulator_companion(const char* real_library);

void cuprum_simulator_companion(const char* real_library) {
    real().use(real_library);
}

const char* nvrtcGetErrorString(nvrtcResult result) {
    if (result == NVRTC_ERROR_INTERNAL_ERROR) {
        // Kept for good: the caller expects a text that lives as long as the process.
        static const auto* const problem = new std::string("NVRTC_ERROR_INTERNAL_ERROR: " + real().problem());
        if (!real().problem().empty()) return problem->c_str();
    }
    return companions::forward(real(), "NVRTC_ERROR_INTERNAL_ERROR", "nvrtcGetErrorString", result);
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options) {
    try {
        cubins().set(program, nullptr);
        if (count > 0 && options != nullptr) {
            if (const auto request = companions::machine_code_request({options, static_cast<size_t>(count)})) {
                return compile_to_object(program, *request);
            }
        }
        return forward("nvrtcCompileProgram", program, count, options);
    } catch (const std::bad_alloc&) {
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* size) {
    const Cubins::Cubin cubin = cubins().get(program);
    if (!cubin) return forward("nvrtcGetCUBINSize", program, size);
    if (size == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    *size = cubin->size();
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* bytes) {
    const Cubins::Cubin cubin = cubins().get(program);
    if (!cubin) return forward("nvrtcGetCUBIN", program, bytes);
    if (bytes == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    cubin->copy(bytes, cubin->size());
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
    if (program != nullptr) cubins().set(*program, nullptr);
    return forward("nvrtcDestroyProgram", program);
}

nvrtcResult nvrtcVersion(int* major, int* minor) {
    return forward("nvrtcVersion", major, minor);
}

nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
    return forward("nvrtcGetNumSupportedArchs", count);
}

nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
    return forward("nvrtcGetSupportedArchs", architectures);
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int headers,
                               const char* const* header_sources, const char* const* header_names) {
    return forward("nvrtcCreateProgram", program, source, name, headers, header_sources, header_names);
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* size) {
    return forward("nvrtcGetPTXSize", program, size);
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* text) {
    return forward("nvrtcGetPTX", program, text);
}

nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t* size) {
    return forward("nvrtcGetLTOIRSize", program, size);
}

nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char* bytes) {
    return forward("nvrtcGetLTOIR", program, bytes);
}

nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram program, size_t* size) {
    return forward("nvrtcGetOptiXIRSize", program, size);
}

nvrtcResult nvrtcGetOptiXIR(nvrtcProgram program, char* bytes) {
    return forward("nvrtcGetOptiXIR", program, bytes);
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* size) {
    return forward("nvrtcGetProgramLogSize", program, size);
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
    return forward("nvrtcGetProgramLog", program, log);
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
    return forward("nvrtcAddNameExpression", program, expression);
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name) {
    return forward("nvrtcGetLoweredName", program, expression, name);
}

nvrtcResult nvrtcGetPCHHeapSize(size_t* size) {
    return forward("nvrtcGetPCHHeapSize", size);
}

nvrtcResult nvrtcSetPCHHeapSize(size_t size) {
    return forward("nvrtcSetPCHHeapSize", size);
}

nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram program) {
    return forward("nvrtcGetPCHCreateStatus", program);
}

nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram program, size_t* size) {
    return forward("nvrtcGetPCHHeapSizeRequired", program, size);
}

nvrtcResult nvrtcSetFlowCallback(nvrtcProgram program, int (*callback)(void*, void*), void* payload) {
    return forward("nvrtcSetFlowCallback", program, callback, payload);
}

#if CUPRUM_COMPANION_MAJOR == 12
// The name that LTO-IR had before; gone from the header of CUDA 13.
nvrtcResult nvrtcGetNVVMSize(nvrtcProgram program, size_t* size);
nvrtcResult nvrtcGetNVVM(nvrtcProgram program, char* bytes);

nvrtcResult nvrtcGetNVVMSize(nvrtcProgram program, size_t* size) {
    return forward("nvrtcGetNVVMSize", program, size);
}

nvrtcResult nvrtcGetNVVM(nvrtcProgram program, char* bytes) {
    return forward("nvrtcGetNVVM", program, bytes);
}
#endif

}  // extern "C"
