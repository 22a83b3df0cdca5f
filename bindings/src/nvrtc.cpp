#include "cuprum/bindings/nvrtc.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "stub.hpp"

// The list has the deprecated functions too.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define LIBRARY_NAMESPACE nvrtc
#define FUNCTION_LIST "cuprum/bindings/nvrtc_functions.def"
#define TYPE_LIST "cuprum/bindings/nvrtc_types.def"

namespace cuprum::bindings::nvrtc {

namespace {

enum class Index : std::size_t;

struct List {
    static Library& library() noexcept { return nvrtc::library(); }
    static const Function& function(Index index) noexcept;
    static const void* slot(Index index) noexcept;
    static nvrtcResult missing_status(ResolutionFailure::Kind) { return NVRTC_ERROR_INTERNAL_ERROR; }
};

#include "function_table.inc"

int find_version(void* handle, const pathfinder::LoadedLibrary&) {
    auto get_version = reinterpret_cast<nvrtcResult (*)(int*, int*)>(dlsym(handle, "nvrtcVersion"));
    int major = 0;
    int minor = 0;
    return get_version != nullptr && get_version(&major, &minor) == NVRTC_SUCCESS ? 1000 * major + 10 * minor : 0;
}

constinit Library the_library({.name = "nvrtc",
                               .title = "NVRTC",
                               .pathfinder_name = "nvrtc",
                               .status = "nvrtcResult",
                               .domain = ErrorDomain::nvrtc,
                               .find_symbol = &detail::find_exported,
                               .find_version = &find_version,
                               .functions = function_list,
                               .types = type_list});

}  // namespace

#include "function_definitions.inc"

Library& library() noexcept {
    return the_library;
}

}  // namespace cuprum::bindings::nvrtc
