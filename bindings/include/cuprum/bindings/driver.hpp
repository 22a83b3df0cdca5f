// The CUDA driver's functions, 1:1, found at their first call: `cuprum::bindings::driver::cuMemAlloc(...)` has cuda.h's
// own signature and returns its own status. Nothing is linked; without a driver a call returns
// CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, and CUDA_ERROR_NOT_FOUND from a driver that lacks the function. In both
// cases last_resolution_failure() says what is missing. CUPRUM_DRIVER decides which driver it is, a GPU's or the
// simulator.
//
// Each address is requested with the CUDA version that introduced the signature which was compiled, so that a newer
// driver never returns a function with another one. For the per-thread default stream see options.hpp.
#pragma once

#include <string_view>

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#error \
    "CUDA_API_PER_THREAD_DEFAULT_STREAM renames the functions; call cuprum::bindings::use_per_thread_default_stream()"
#endif

#include "cuprum/bindings/driver_functions.hpp"
#include "cuprum/bindings/table.hpp"

namespace cuprum::bindings::driver {

/// The driver as a library: its list, whether it is loaded, its version and path, address_of, reset.
Library& library() noexcept;

/// Whether the driver is loaded already.
inline bool loaded() noexcept {
    return library().loaded();
}

/// The version of the driver, 1000 * major + 10 * minor; loads it. Throws like Library::load.
inline int version() {
    return library().version();
}

/// The address that a call goes to: see Library::address_of.
inline AnyFunction address_of(std::string_view name) {
    return library().address_of(name);
}

/// Whether the driver that is loaded is Cuprum's simulator; loads it. Throws like Library::load.
bool is_simulator();

/// Whether calls go, or would go, to the simulator; false where there is no driver. Opens nothing unless CUPRUM_DRIVER
/// leaves the choice open, and never throws.
bool simulator_is_chosen() noexcept;

}  // namespace cuprum::bindings::driver
