#include "cuprum/bindings/driver.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "stub.hpp"

// The list has the deprecated functions too.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define LIBRARY_NAMESPACE driver
#define FUNCTION_LIST "cuprum/bindings/driver_functions.def"
#define TYPE_LIST "cuprum/bindings/driver_types.def"

namespace cuprum::bindings::driver {

namespace {

enum class Index : std::size_t;

struct List {
    static Library& library() noexcept { return driver::library(); }
    static const Function& function(Index index) noexcept;
    static const void* slot(Index index) noexcept;
    static CUresult missing_status(ResolutionFailure::Kind kind) {
        return kind == ResolutionFailure::Kind::library_missing ? CUDA_ERROR_SHARED_OBJECT_INIT_FAILED
                                                                : CUDA_ERROR_NOT_FOUND;
    }
};

#include "function_table.inc"

int find_version(void* handle, const pathfinder::LoadedLibrary&) {
    auto get_version = reinterpret_cast<CUresult (*)(int*)>(dlsym(handle, "cuDriverGetVersion"));
    int version = 0;
    return get_version != nullptr && get_version(&version) == CUDA_SUCCESS ? version : 0;
}

// cuGetProcAddress came with CUDA 11.3 and got its fifth parameter with 12.0; before that there is only dlsym, which
// finds the right signature too, because a new signature always got a new exported name.
AnyFunction find_symbol(void* handle, const Function& function, int version, std::string& reason) {
    using GetProcAddress12 = CUresult (*)(const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult* found);
    using GetProcAddress11 = CUresult (*)(const char*, void**, int, cuuint64_t);
    const cuuint64_t flags = *function.per_thread != '\0' && per_thread_default_stream()
                                 ? CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM
                                 : CU_GET_PROC_ADDRESS_DEFAULT;

    void* address = nullptr;
    if (auto get = reinterpret_cast<GetProcAddress12>(dlsym(handle, "cuGetProcAddress_v2"))) {
        CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
        const CUresult result = get(function.query, &address, function.version, flags, &found);
        if (result == CUDA_SUCCESS && found == CU_GET_PROC_ADDRESS_SUCCESS && address != nullptr) {
            return reinterpret_cast<AnyFunction>(address);
        }
        reason = found == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                     ? "cuGetProcAddress says that it knows the name, but no signature as old as that"
                     : "cuGetProcAddress does not find it (CUresult " + std::to_string(static_cast<int>(result)) + ")";
        return nullptr;
    }
    if (auto get = reinterpret_cast<GetProcAddress11>(dlsym(handle, "cuGetProcAddress"))) {
        const CUresult result = get(function.query, &address, function.version, flags);
        if (result == CUDA_SUCCESS && address != nullptr) {
            return reinterpret_cast<AnyFunction>(address);
        }
        reason = "cuGetProcAddress does not find it (CUresult " + std::to_string(static_cast<int>(result)) + ")";
        return nullptr;
    }
    return detail::find_exported(handle, function, version, reason);
}

constinit Library the_library({.name = "driver",
                               .title = "CUDA driver",
                               .pathfinder_name = "cuda",
                               .status = "cudaError_enum",
                               .domain = ErrorDomain::driver,
                               .find_symbol = &find_symbol,
                               .find_version = &find_version,
                               .functions = function_list,
                               .types = type_list});

}  // namespace

#include "function_definitions.inc"

Library& library() noexcept {
    return the_library;
}

bool is_simulator() {
    return library().load().is_simulator;
}

bool simulator_is_chosen() noexcept {
    const char* const choice = std::getenv("CUPRUM_DRIVER");
    if (choice == nullptr || std::string_view(choice) == "gpu") return false;
    try {
        return pathfinder::locate_nvidia_dynamic_lib("cuda").is_simulator;
    } catch (...) {
        return false;
    }
}

}  // namespace cuprum::bindings::driver
