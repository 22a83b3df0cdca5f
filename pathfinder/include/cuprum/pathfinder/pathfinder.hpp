// Finds the parts of the CUDA toolkit, its add-ons and the driver (or Cuprum's simulator of it).
//
// The order is the same for every kind of part:
//   1. wheels: the folders given to add_wheel_directory, VIRTUAL_ENV, the site-packages that this very library lies in
//   2. conda: CONDA_PREFIX
//   3. a variable of the library itself, such as NCCL_HOME
//   4. CUDA_PATH, then CUDA_HOME
//   5. the dynamic loader's own search (LD_LIBRARY_PATH, its cache, the system's folders), and the toolkits that these
//      folders are part of; then the distribution's packages below /usr
//   6. /usr/local/cuda, then /usr/local/cuda-<version>, newest first
//   7. the toolkit that a libcudart which the process has open is part of
// The driver is not part of a toolkit: it is looked for with the dynamic loader and in the drivers' usual folders.
// Never searched: the working directory, and folders that everybody may write to.
//
// These functions take all parts of the toolkit from one toolkit, the one in use (Toolkit::in_use): the first that has
// NVRTC, unless CUPRUM_TOOLKIT or Toolkit::use say otherwise. Its own folders come before the others, in which only
// parts of the same version are accepted.
//
// All functions are thread-safe. What was found is remembered for the life of the process (see reset_cache), and what
// is returned by reference lives as long; what was not found is looked for again at the next call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cuprum/pathfinder/error.hpp"
#include "cuprum/pathfinder/part.hpp"

namespace cuprum::pathfinder {

/// A part by kind and name. Only a driver is opened, to make sure that it is not one of the toolkit's stubs and, with
/// CUPRUM_DRIVER=auto, whether it has a device. Throws InvalidArgument for an unknown name (with the nearest ones) or a
/// bad CUPRUM_DRIVER or CUPRUM_TOOLKIT, Unsupported for a part that this platform does not have, NotFound with every
/// candidate otherwise.
const LocatedPart& locate(PartKind kind, std::string_view name);

inline const LocatedPart& locate_nvidia_dynamic_lib(std::string_view name) {
    return locate(PartKind::dynamic_library, name);
}
inline const LocatedPart& locate_nvidia_header_directory(std::string_view name) {
    return locate(PartKind::headers, name);
}
inline const LocatedPart& locate_bitcode_lib(std::string_view name) {
    return locate(PartKind::bitcode_library, name);
}
inline const LocatedPart& locate_static_lib(std::string_view name) {
    return locate(PartKind::static_library, name);
}

/// The path alone. Throw like locate.
inline const std::string& find_cuda_library(std::string_view name) {
    return locate_nvidia_dynamic_lib(name).abs_path;
}
inline const std::string& find_nvidia_header_directory(std::string_view name) {
    return locate_nvidia_header_directory(name).abs_path;
}
inline const std::string& find_bitcode_lib(std::string_view name) {
    return locate_bitcode_lib(name).abs_path;
}
inline const std::string& find_static_lib(std::string_view name) {
    return locate_static_lib(name).abs_path;
}
inline const std::string& find_nvidia_binary_utility(std::string_view name) {
    return locate(PartKind::binary_utility, name).abs_path;
}

/// Finds and opens a library and, before it, those that it needs; a candidate that does not open is refused like any
/// other. Throws like locate.
const LoadedLibrary& load_nvidia_dynamic_lib(std::string_view name);

/// Every such part on this machine, from any toolkit, in the order of the search. Searches anew at each call. Throws
/// InvalidArgument for an unknown name.
std::vector<LocatedPart> locate_all(PartKind kind, std::string_view name);

/// The folders that a compilation with NVRTC needs, in -I order: the CUDA headers', then CCCL's and the one that has
/// crt/, where these are others and where they are found. Throws NotFound if there are no CUDA headers.
const std::vector<std::string>& find_cuda_include_dirs();

/// The parts that locate knows on this platform. Throws InvalidArgument for an unknown kind.
const std::vector<SupportedPart>& supported_parts(PartKind kind);

/// A part that is known by name, found or not.
struct PartReport {
    bool found = false;
    LocatedPart part;  ///< if not found: kind, name and `rejected`
};

/// Every part that exists on this platform. Does not throw for missing ones.
std::vector<PartReport> find_all_parts();

/// Adds a folder (a Python environment's site-packages) whose nvidia/ sub-folders are searched before all else. Throws
/// InvalidArgument for a path that is not absolute. Forgets what was found.
void add_wheel_directory(std::string_view site_packages);

/// Forgets what was found and which toolkit is in use, so that the next call looks again. Libraries that are open stay
/// open.
void reset_cache();

}  // namespace cuprum::pathfinder
