// The CUDA runtime's functions, 1:1, found at their first call, with cuda_runtime_api.h's own signatures (less their
// default arguments) and status. Without libcudart a call returns cudaErrorSharedObjectInitFailed, and
// cudaErrorSymbolNotFound from one that lacks the function or this signature of it; last_resolution_failure() says what
// is missing. NVIDIA's libcudart does not start on Cuprum's simulator: there the simulator's own takes its place.
#pragma once

#include <string_view>

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#error \
    "CUDA_API_PER_THREAD_DEFAULT_STREAM renames the functions; call cuprum::bindings::use_per_thread_default_stream()"
#endif

#include "cuprum/bindings/runtime_functions.hpp"
#include "cuprum/bindings/table.hpp"

namespace cuprum::bindings::runtime {

/// The CUDA runtime as a library: its list, whether it is loaded, its version and path, address_of, reset.
Library& library() noexcept;

/// Whether the CUDA runtime is loaded already.
inline bool loaded() noexcept {
    return library().loaded();
}

/// The version of the CUDA runtime, 1000 * major + 10 * minor; loads it. Throws like Library::load.
inline int version() {
    return library().version();
}

/// The address that a call goes to: see Library::address_of.
inline AnyFunction address_of(std::string_view name) {
    return library().address_of(name);
}

}  // namespace cuprum::bindings::runtime
