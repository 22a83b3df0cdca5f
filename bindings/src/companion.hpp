// The simulator's companions: what stands in a library's place, or before it, where the driver is the simulator. Not
// installed.
#pragma once

#include "cuprum/pathfinder/pathfinder.hpp"

namespace cuprum::bindings::detail {

/// The handle to look symbols up in: the companion's, which forwards to `library` and answers with code that the
/// simulator runs, or takes its place (libcudart); the library's own where there is no companion, or the driver is not
/// the simulator. Never throws.
void* handle_for_driver(const pathfinder::LoadedLibrary& library) noexcept;

}  // namespace cuprum::bindings::detail
