#include "cuprum/bindings/nvml.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "stub.hpp"

// The list has the deprecated functions too.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define LIBRARY_NAMESPACE nvml
#define FUNCTION_LIST "cuprum/bindings/nvml_functions.def"
#define TYPE_LIST "cuprum/bindings/nvml_types.def"

namespace cuprum::bindings::nvml {

namespace {

enum class Index : std::size_t;

struct List {
    static Library& library() noexcept { return nvml::library(); }
    static const Function& function(Index index) noexcept;
    static const void* slot(Index index) noexcept;
    static nvmlReturn_t missing_status(ResolutionFailure::Kind kind) {
        return kind == ResolutionFailure::Kind::library_missing ? NVML_ERROR_LIBRARY_NOT_FOUND
                                                                : NVML_ERROR_FUNCTION_NOT_FOUND;
    }
};

#include "function_table.inc"

// NVML's own version is the driver's: the version of CUDA that the driver supports says which functions it has.
// NVML has to be initialised for it; without GPUs that is quick.
int find_version(void* handle, const pathfinder::LoadedLibrary&) {
    const auto initialize = reinterpret_cast<nvmlReturn_t (*)(unsigned int)>(dlsym(handle, "nvmlInitWithFlags"));
    const auto shut_down = reinterpret_cast<nvmlReturn_t (*)()>(dlsym(handle, "nvmlShutdown"));
    const auto get_version = reinterpret_cast<nvmlReturn_t (*)(int*)>(dlsym(handle, "nvmlSystemGetCudaDriverVersion"));
    if (initialize == nullptr || shut_down == nullptr || get_version == nullptr) return 0;
    if (initialize(NVML_INIT_FLAG_NO_GPUS | NVML_INIT_FLAG_NO_ATTACH) != NVML_SUCCESS) return 0;
    int version = 0;
    if (get_version(&version) != NVML_SUCCESS) version = 0;
    shut_down();
    return version;
}

constinit Library the_library({.name = "nvml",
                               .title = "NVML",
                               .pathfinder_name = "nvml",
                               .status = "nvmlReturn_enum",
                               .domain = ErrorDomain::nvml,
                               .find_symbol = &detail::find_exported,
                               .find_version = &find_version,
                               .functions = function_list,
                               .types = type_list});

}  // namespace

#include "function_definitions.inc"

Library& library() noexcept {
    return the_library;
}

}  // namespace cuprum::bindings::nvml
