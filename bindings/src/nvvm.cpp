#include "cuprum/bindings/nvvm.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "stub.hpp"

#define LIBRARY_NAMESPACE nvvm
#define FUNCTION_LIST "cuprum/bindings/nvvm_functions.def"
#define TYPE_LIST "cuprum/bindings/nvvm_types.def"

namespace cuprum::bindings::nvvm {

namespace {

enum class Index : std::size_t;

struct List {
    static Library& library() noexcept { return nvvm::library(); }
    static const Function& function(Index index) noexcept;
    static const void* slot(Index index) noexcept;
    // It has no status for what is missing: without it no program can be made.
    static nvvmResult missing_status(ResolutionFailure::Kind) { return NVVM_ERROR_PROGRAM_CREATION_FAILURE; }
};

#include "function_table.inc"

// Its own version is that of the interface, 2.0 since CUDA 11: the toolkit's says which functions it has.
int find_version(void*, const pathfinder::LoadedLibrary& library) {
    return library.version.minor >= 0 ? 1000 * library.version.major + 10 * library.version.minor : 0;
}

constinit Library the_library({.name = "nvvm",
                               .title = "libNVVM",
                               .pathfinder_name = "nvvm",
                               .status = "nvvmResult",
                               .domain = ErrorDomain::nvvm,
                               .find_symbol = &detail::find_exported,
                               .find_version = &find_version,
                               .functions = function_list,
                               .types = type_list});

}  // namespace

#include "function_definitions.inc"

Library& library() noexcept {
    return the_library;
}

}  // namespace cuprum::bindings::nvvm
