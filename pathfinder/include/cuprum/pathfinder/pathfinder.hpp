// Finds the parts of the CUDA toolkit and the driver (or Cuprum's simulator of it).
//
// The order is the same for every kind of part:
//   1. wheels: the folders given to add_wheel_directory, VIRTUAL_ENV, the site-packages that this very library lies in
//   2. conda: CONDA_PREFIX
//   3. CUDA_PATH, then CUDA_HOME
//   4. the dynamic loader's own search (LD_LIBRARY_PATH, its cache, the system's folders)
//   5. /usr/local/cuda, then /usr/local/cuda-<version>, newest first
// The driver is not part of a toolkit: it is looked for with the dynamic loader and in the drivers' usual folders.
// The working directory is never looked at, nor a folder that everybody may write to.
//
// All functions are thread-safe. What was found is remembered for the life of the process (see reset_cache); what was
// not found is looked for again at the next call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::pathfinder {

/// A CUDA version. -1 where a number is not known; both are -1 where nothing is known.
struct Version {
    int major = -1;
    int minor = -1;

    bool known() const noexcept { return major >= 0; }
    /// "13.0", "13" where the minor number is not known, "" where nothing is.
    std::string text() const;
    friend bool operator==(const Version&, const Version&) = default;
};

/// A shared library that was found but not opened.
struct LocatedLibrary {
    std::string name;       ///< "nvrtc"
    std::string abs_path;   ///< absolute path as it was found, symbolic links not followed
    std::string found_via;  ///< "wheel", "conda", "CUDA_PATH", "CUDA_HOME", "loader", "/usr/local/cuda", "simulator"...
    Version version;        ///< of the toolkit it belongs to; unknown for the driver
    bool is_simulator = false;                ///< Cuprum's simulator in the driver's place
    std::vector<RejectedCandidate> rejected;  ///< what was looked at before, and why it was refused
};

/// A shared library that is open. It is never closed again: CUDA's libraries do not survive that.
struct LoadedLibrary : LocatedLibrary {
    void* handle = nullptr;           ///< for dlsym
    bool was_already_loaded = false;  ///< by someone else in this process
};

/// A folder to give to the compiler with -I.
struct LocatedHeaderDirectory {
    std::string name;  ///< "cudart" or "cccl"
    std::string abs_path;
    std::string found_via;
    Version version;  ///< CUDA_VERSION of the cuda.h that is there; unknown for "cccl"
    std::vector<RejectedCandidate> rejected;
};

/// One line of a report.
struct ToolkitPart {
    enum class Kind { library, headers };
    Kind kind = Kind::library;
    std::string name;
    bool found = false;
    std::string abs_path;   ///< empty if not found
    std::string found_via;  ///< empty if not found
    Version version;
    std::vector<RejectedCandidate> rejected;
};

/// Names that find_nvidia_dynamic_lib takes: "cuda", "nvrtc", "nvJitLink", "cudart".
const std::vector<std::string>& supported_nvidia_libnames();

/// Names that find_nvidia_header_directory takes: "cudart", "cccl".
const std::vector<std::string>& supported_headers();

/// Finds a library without opening it; only a driver is opened, to see that it is none of the toolkit's stubs and, with
/// CUPRUM_DRIVER=auto, whether it has a device.
/// Throws InvalidArgument for an unknown name or a bad CUPRUM_DRIVER, NotFound with every candidate otherwise.
LocatedLibrary find_nvidia_dynamic_lib(std::string_view name);

/// Finds and opens a library; a candidate that does not open is refused like any other. Throws like
/// find_nvidia_dynamic_lib.
LoadedLibrary load_nvidia_dynamic_lib(std::string_view name);

/// The folder with the headers of `name`, from the toolkit that NVRTC is taken from wherever that toolkit has them.
/// CUDA headers of another version than NVRTC's are refused. Throws InvalidArgument or NotFound.
LocatedHeaderDirectory find_nvidia_header_directory(std::string_view name);

/// The path of a library: find_nvidia_dynamic_lib(name).abs_path.
std::string find_cuda_library(std::string_view name);

/// The folders that a compilation with NVRTC needs, in -I order: the CUDA headers', then CCCL's where it is another one
/// and where it is found. Throws NotFound if there are no CUDA headers.
std::vector<std::string> find_cuda_include_dirs();

/// Every library and header folder that is known by name, found or not. Never throws for a missing part.
std::vector<ToolkitPart> find_toolkit_parts();

/// Adds a folder (a Python environment's site-packages) whose nvidia/ sub-folders are searched before all else. Throws
/// InvalidArgument for a path that is not absolute. Forgets what was found.
void add_wheel_directory(std::string_view site_packages);

/// Forgets what was found, so that the next call looks again. Libraries that are open stay open.
void reset_cache();

}  // namespace cuprum::pathfinder
