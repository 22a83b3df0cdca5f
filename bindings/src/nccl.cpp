#include "cuprum/bindings/nccl.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "stub.hpp"

#define LIBRARY_NAMESPACE nccl
#define FUNCTION_LIST "cuprum/bindings/nccl_functions.def"
#define TYPE_LIST "cuprum/bindings/nccl_types.def"

namespace cuprum::bindings::nccl {

namespace {

enum class Index : std::size_t;

struct List {
    static Library& library() noexcept { return nccl::library(); }
    static const Function& function(Index index) noexcept;
    static const void* slot(Index index) noexcept;
    // It has no status for what is missing.
    static ncclResult_t missing_status(ResolutionFailure::Kind) { return ncclSystemError; }
};

#include "function_table.inc"

// 10000 * major + 100 * minor + patch, since 2.9; 1000 * major before.
int find_version(void* handle, const pathfinder::LoadedLibrary&) {
    const auto get_version = reinterpret_cast<ncclResult_t (*)(int*)>(dlsym(handle, "ncclGetVersion"));
    int code = 0;
    if (get_version == nullptr || get_version(&code) != ncclSuccess) return 0;
    return code >= 10000 ? code / 10000 * 1000 + code / 100 % 100 * 10 : code / 1000 * 1000 + code / 100 % 10 * 10;
}

constinit Library the_library({.name = "nccl",
                               .title = "NCCL",
                               .pathfinder_name = "nccl",
                               .status = "ncclResult_t",
                               .domain = ErrorDomain::nccl,
                               .find_symbol = &detail::find_exported,
                               .find_version = &find_version,
                               .functions = function_list,
                               .types = type_list,
                               .numbered_as = "NCCL"});

}  // namespace

#include "function_definitions.inc"

Library& library() noexcept {
    return the_library;
}

}  // namespace cuprum::bindings::nccl
