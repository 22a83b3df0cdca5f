#include "cuprum/bindings/nvjitlink.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "stub.hpp"

// The list has the deprecated functions too.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define LIBRARY_NAMESPACE nvjitlink
#define FUNCTION_LIST "cuprum/bindings/nvjitlink_functions.def"
#define TYPE_LIST "cuprum/bindings/nvjitlink_types.def"

namespace cuprum::bindings::nvjitlink {

namespace {

enum class Index : std::size_t;

struct List {
    static Library& library() noexcept { return nvjitlink::library(); }
    static const Function& function(Index index) noexcept;
    static const void* slot(Index index) noexcept;
    static nvJitLinkResult missing_status(ResolutionFailure::Kind) { return NVJITLINK_ERROR_INTERNAL; }
};

#include "function_table.inc"

int find_version(void* handle, const pathfinder::LoadedLibrary&) {
    auto get_version =
        reinterpret_cast<nvJitLinkResult (*)(unsigned int*, unsigned int*)>(dlsym(handle, "nvJitLinkVersion"));
    unsigned int major = 0;
    unsigned int minor = 0;
    return get_version != nullptr && get_version(&major, &minor) == NVJITLINK_SUCCESS
               ? static_cast<int>(1000 * major + 10 * minor)
               : 0;
}

constinit Library the_library({.name = "nvjitlink",
                               .title = "nvJitLink",
                               .pathfinder_name = "nvJitLink",
                               .status = "nvJitLinkResult",
                               .domain = ErrorDomain::nvjitlink,
                               .find_symbol = &detail::find_exported,
                               .find_version = &find_version,
                               .functions = function_list,
                               .types = type_list});

}  // namespace

#include "function_definitions.inc"

Library& library() noexcept {
    return the_library;
}

}  // namespace cuprum::bindings::nvjitlink
