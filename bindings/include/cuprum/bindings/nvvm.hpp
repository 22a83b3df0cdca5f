// libNVVM's functions, 1:1, found at their first call, with nvvm.h's own signatures and status. Without libNVVM, or
// without the function in the one found, a call returns NVVM_ERROR_PROGRAM_CREATION_FAILURE and
// last_resolution_failure() says what is missing. nvvm.h itself is not needed: many toolkits keep it in a folder of its
// own, and the lists' declarations stand in for it (nvvm_header.hpp).
#pragma once

#include <string_view>

#include "cuprum/bindings/nvvm_functions.hpp"
#include "cuprum/bindings/table.hpp"

namespace cuprum::bindings::nvvm {

/// libNVVM as a library: its list, whether it is loaded, its version and path, address_of, reset.
Library& library() noexcept;

/// Whether libNVVM is loaded already.
inline bool loaded() noexcept {
    return library().loaded();
}

/// The version of the CUDA toolkit that libNVVM is part of, 1000 * major + 10 * minor, as pathfinder knows it; 0 if it
/// does not. (nvvmVersion gives that of its interface.) Loads it. Throws like Library::load.
inline int version() {
    return library().version();
}

/// The address that a call goes to: see Library::address_of.
inline AnyFunction address_of(std::string_view name) {
    return library().address_of(name);
}

}  // namespace cuprum::bindings::nvvm
