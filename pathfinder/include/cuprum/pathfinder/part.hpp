// The parts of a toolkit, and where one was found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuprum/pathfinder/error.hpp"
#include "cuprum/pathfinder/version.hpp"

namespace cuprum::pathfinder {

/// The numbers are the C ABI's and never change their meaning.
enum class PartKind : std::int32_t {
    dynamic_library = 0,
    headers = 1,
    bitcode_library = 2,
    static_library = 3,
    binary_utility = 4,
};

/// "dynamic library", "headers", "bitcode library", "static library", "binary utility".
const char* to_string(PartKind kind) noexcept;

/// Where a part belongs. The toolkit's parts all come from one toolkit; add-ons have versions of their own. The numbers
/// are the C ABI's.
enum class PartOrigin : std::int32_t { toolkit = 0, add_on = 1, driver = 2 };

/// A part that pathfinder knows by name.
struct SupportedPart {
    std::string name;  ///< "nvrtc"
    std::string file;  ///< its first file's name: "libnvrtc.so.13"; of headers one that is always there, "nvrtc.h"
    PartOrigin origin = PartOrigin::toolkit;
};

/// A part that was found. Nothing has been opened.
struct LocatedPart {
    PartKind kind = PartKind::dynamic_library;
    std::string name;      ///< "nvrtc"
    std::string abs_path;  ///< absolute path as it was found, symbolic links not followed; of headers, the -I folder
    /// "wheel", "conda", "CUDA_PATH", "CUDA_HOME", "NCCL_HOME", "loader", "system", "/usr/local/cuda", "loaded",
    /// "driver folder", "simulator", "CUPRUM_SIMULATOR_PATH"
    std::string found_via;
    std::string root;                         ///< of the toolkit it belongs to; empty for the driver
    Version version;                          ///< of the toolkit it belongs to; unknown for the driver and for add-ons
    bool is_simulator = false;                ///< Cuprum's simulator in the driver's place
    std::vector<RejectedCandidate> rejected;  ///< what was looked at before, and why it was refused
};

/// A shared library that is open. It is never closed again: CUDA's libraries do not survive that.
struct LoadedLibrary : LocatedPart {
    void* handle = nullptr;           ///< for dlsym
    bool was_already_loaded = false;  ///< by someone else in this process
};

}  // namespace cuprum::pathfinder
