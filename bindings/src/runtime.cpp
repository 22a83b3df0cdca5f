#include "cuprum/bindings/runtime.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <string>
#include <string_view>
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

struct ChangedSymbol {
    std::string_view symbol;
    int version;  // from which on it has another signature, 1000 * major + 10 * minor
};
constexpr ChangedSymbol changed_symbols[] = {
#define CUPRUM_CHANGED_SYMBOL(symbol, version) {symbol, version},
#include "cuprum/bindings/runtime_changed_symbols.def"
#undef CUPRUM_CHANGED_SYMBOL
};

// libcudart exports one signature under one name, and CUDA 13 took names that stood for others in CUDA 12: what lies
// under the name is called only where it is what was compiled. cudaGetDeviceProperties of CUDA 12, for one, fills a
// structure that is laid out otherwise.
AnyFunction find_symbol(void* handle, const Function& function, int library_version, std::string& reason) {
    if (library_version != 0 && library_version < function.version) {
        reason = "it is older";
        return nullptr;
    }
    for (const ChangedSymbol& changed : changed_symbols) {
        if (changed.symbol == function.symbol && CUDA_VERSION < changed.version && library_version >= changed.version) {
            reason = "its " + std::string(changed.symbol) + " takes other arguments";
            return nullptr;
        }
    }
    return detail::find_exported(handle, function, library_version, reason);
}

constinit Library the_library({.name = "runtime",
                               .title = "CUDA runtime",
                               .pathfinder_name = "cudart",
                               .status = "cudaError",
                               .domain = ErrorDomain::runtime,
                               .find_symbol = &find_symbol,
                               .find_version = &find_version,
                               .functions = function_list,
                               .types = type_list});

}  // namespace

#include "function_definitions.inc"

Library& library() noexcept {
    return the_library;
}

}  // namespace cuprum::bindings::runtime
