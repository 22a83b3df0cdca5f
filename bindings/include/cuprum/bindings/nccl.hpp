// NCCL's functions, 1:1, found at their first call, with nccl.h's own signatures and status. Without NCCL, or without
// the function in the one found, a call returns ncclSystemError, which NCCL itself returns too:
// last_resolution_failure() says what is missing. nccl.h itself is not needed: it is no part of a toolkit, and the
// lists' declarations stand in for it (nccl_header.hpp). NCCL's versions are its own, not CUDA's.
#pragma once

#include <string_view>

#if defined(NCCL_H_) && defined(NCCL_VERSION_CODE)
#if NCCL_VERSION_CODE < 23200
#error "this program has included an nccl.h older than 2.32: leave it out, cuprum/bindings/nccl.hpp declares NCCL"
#endif
#endif

#include "cuprum/bindings/nccl_functions.hpp"
#include "cuprum/bindings/table.hpp"

namespace cuprum::bindings::nccl {

/// NCCL as a library: its list, whether it is loaded, its version and path, address_of, reset.
Library& library() noexcept;

/// Whether NCCL is loaded already.
inline bool loaded() noexcept {
    return library().loaded();
}

/// NCCL's version, 1000 * major + 10 * minor. Loads it. Throws like Library::load.
inline int version() {
    return library().version();
}

/// The address that a call goes to: see Library::address_of.
inline AnyFunction address_of(std::string_view name) {
    return library().address_of(name);
}

}  // namespace cuprum::bindings::nccl
