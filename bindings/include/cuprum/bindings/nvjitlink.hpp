// nvJitLink's functions, 1:1, found at their first call, with nvJitLink.h's own signatures and status. Without
// nvJitLink, or without the function in the one found, a call returns NVJITLINK_ERROR_INTERNAL and
// last_resolution_failure() says what is missing.
#pragma once

#include <string_view>

#include "cuprum/bindings/nvjitlink_functions.hpp"
#include "cuprum/bindings/table.hpp"

namespace cuprum::bindings::nvjitlink {

/// nvJitLink as a library: its list, whether it is loaded, its version and path, address_of, reset.
Library& library() noexcept;

/// Whether nvJitLink is loaded already.
inline bool loaded() noexcept {
    return library().loaded();
}

/// The version of nvJitLink, 1000 * major + 10 * minor; loads it. Throws like Library::load.
inline int version() {
    return library().version();
}

/// The address that a call goes to: see Library::address_of.
inline AnyFunction address_of(std::string_view name) {
    return library().address_of(name);
}

}  // namespace cuprum::bindings::nvjitlink
