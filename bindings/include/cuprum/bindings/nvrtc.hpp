// NVRTC's functions, 1:1, found at their first call, with nvrtc.h's own signatures and status. Without NVRTC, or
// without the function in the NVRTC found, a call returns NVRTC_ERROR_INTERNAL_ERROR and last_resolution_failure() says
// what is missing. nvrtcGetErrorString then gives a text of our own.
#pragma once

#include <string_view>

#include "cuprum/bindings/nvrtc_functions.hpp"
#include "cuprum/bindings/table.hpp"

namespace cuprum::bindings::nvrtc {

/// NVRTC as a library: its list, whether it is loaded, its version and path, address_of, reset.
Library& library() noexcept;

/// Whether NVRTC is loaded already.
inline bool loaded() noexcept {
    return library().loaded();
}

/// The version of NVRTC, 1000 * major + 10 * minor; loads it. Throws like Library::load.
inline int version() {
    return library().version();
}

/// The address that a call goes to: see Library::address_of.
inline AnyFunction address_of(std::string_view name) {
    return library().address_of(name);
}

}  // namespace cuprum::bindings::nvrtc
