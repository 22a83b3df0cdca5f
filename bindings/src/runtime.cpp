#include "cuprum/bindings/runtime.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "stub.hpp"

// The list has the deprecated functions too.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define LIBRARY_NAMESPACE runtime
#define FUNCTION_LIST "cuprum/bindings/runtime_functions.def"
#define TYPE_LIST "cuprum/bindings/runtime_types.def"

namespace cuprum::bindings::runtime {

namespace {

enum class Index : std::size_t;

struct List {
    static Library& library() noexcept { return runtime::library(); }
    static const Function& function(Index index) noexcept;
    static const void* slot(Index index) noexcept;
    static cudaError_t missing_status(ResolutionFailure::Kind kind) {
        return kind == ResolutionFailure::Kind::library_missing ? cudaErrorSharedObjectInitFailed
                                                                : cudaErrorSymbolNotFound;
    }
};

#include "function_table.inc"

int find_version(void* handle, const pathfinder::LoadedLibrary&) {
    auto get_version = reinterpret_cast<cudaError_t (*)(int*)>(dlsym(handle, "cudaRuntimeGetVersion"));
    int version = 0;
    return get_version != nullptr && get_version(&version) == cudaSuccess ? version : 0;
}

constinit Library the_library({.name = "runtime",
                               .title = "CUDA runtime",
                               .pathfinder_name = "cudart",
                               .status = "cudaError",
                               .domain = ErrorDomain::runtime,
                               .find_symbol = &detail::find_exported,
                               .find_version = &find_version,
                               .functions = function_list,
                               .types = type_list});

}  // namespace

#include "function_definitions.inc"

Library& library() noexcept {
    return the_library;
}

}  // namespace cuprum::bindings::runtime
