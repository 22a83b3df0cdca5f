#include "cuprum/bindings/driver.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <type_traits>
#include <typeinfo>

#include "stub.hpp"

// The list has the deprecated functions too.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define FUNCTION_LIST "cuprum/bindings/driver_functions.def"

namespace cuprum::bindings::detail {

template <>
CUresult missing_result<CUresult>(ResolutionFailure::Kind kind) {
    return kind == ResolutionFailure::Kind::library_missing ? CUDA_ERROR_SHARED_OBJECT_INIT_FAILED
                                                            : CUDA_ERROR_NOT_FOUND;
}

}  // namespace cuprum::bindings::detail

namespace cuprum::bindings::driver {

namespace {

enum class Index : std::size_t;

struct List {
    static Library& library() noexcept { return driver::library(); }
    static const Function& function(Index index) noexcept;
};

#include "function_table.inc"

const Function& List::function(Index index) noexcept {
    return function_list[static_cast<std::size_t>(index)];
}

int find_version(void* handle, const pathfinder::LoadedLibrary&) {
    auto get_version = reinterpret_cast<CUresult (*)(int*)>(dlsym(handle, "cuDriverGetVersion"));
    int version = 0;
    return get_version != nullptr && get_version(&version) == CUDA_SUCCESS ? version : 0;
}

// cuGetProcAddress came with CUDA 11.3 and got its fifth parameter with 12.0; before that there is only dlsym, which
// finds the right signature too, because a new signature always got a new exported name.
AnyFunction find_symbol(void* handle, const Function& function, int, std::string& reason) {
    using GetProcAddress12 = CUresult (*)(const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult* found);
    using GetProcAddress11 = CUresult (*)(const char*, void**, int, cuuint64_t);
    constexpr cuuint64_t flags = CU_GET_PROC_ADDRESS_DEFAULT;

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
    address = dlsym(handle, function.symbol);
    if (address == nullptr) {
        reason = "it exports no symbol " + std::string(function.symbol);
    }
    return reinterpret_cast<AnyFunction>(address);
}

constinit Library the_library("CUDA driver", "cuda", ErrorDomain::driver, &find_symbol, &find_version, function_list);

}  // namespace

#define CUPRUM_FUNCTION(identifier, name, query, symbol, version, per_thread, result, parameters, arguments, signature) \
    result identifier parameters {                                                               \
        return function_table.identifier.load(std::memory_order_relaxed) arguments;              \
    }
#include FUNCTION_LIST
#undef CUPRUM_FUNCTION

Library& library() noexcept {
    return the_library;
}

bool is_simulator() {
    return library().load().is_simulator;
}

}  // namespace cuprum::bindings::driver
