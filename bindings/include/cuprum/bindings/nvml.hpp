// NVML's functions, 1:1, found at their first call, with nvml.h's own signatures and status. Without NVML, a call
// returns NVML_ERROR_LIBRARY_NOT_FOUND, and without the function in the one found, NVML_ERROR_FUNCTION_NOT_FOUND;
// last_resolution_failure() says what is missing. nvml.h itself is not needed: few toolkits have it, and the lists'
// declarations stand in for it (nvml_header.hpp).
#pragma once

#include <string_view>

#include "cuprum/bindings/nvml_functions.hpp"
#include "cuprum/bindings/table.hpp"

namespace cuprum::bindings::nvml {

/// NVML as a library, which is part of NVIDIA's driver: its list, whether it is loaded, its version and path,
/// address_of, reset.
Library& library() noexcept;

/// Whether NVML is loaded already.
inline bool loaded() noexcept {
    return library().loaded();
}

/// The CUDA version that the driver supports, as NVML says, 1000 * major + 10 * minor. Loads NVML, and needs no
/// nvmlInit. Throws like Library::load.
inline int version() {
    return library().version();
}

/// The address that a call goes to: see Library::address_of.
inline AnyFunction address_of(std::string_view name) {
    return library().address_of(name);
}

}  // namespace cuprum::bindings::nvml
