// The machine as the search sees it. The search uses nothing else, so that any layout can be a table in a test.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace cuprum::pathfinder {

/// Whose layouts and file names the search uses.
enum class Platform { linux_x86_64, linux_aarch64, windows_x86_64 };

/// What is at a path, links followed.
struct FileStatus {
    enum class Kind { missing, file, directory, other, dangling_link, link_loop, no_permission };
    Kind kind = Kind::missing;
    bool others_may_write = false;  ///< everybody on the machine may write to it
    bool is_sticky = false;         ///< a folder in which only its owner may replace a file, as in /tmp
    bool is_executable = false;     ///< a file that this user may run
};

/// A library that was opened, or why it was not.
struct OpenedLibrary {
    void* handle = nullptr;  ///< null if it does not open
    bool was_already_loaded = false;
    std::string error;
};

/// What a driver library reports about itself.
struct DriverProbe {
    bool is_stub = false;     ///< one of the toolkit's stub libraries, which are only for linking
    bool has_device = false;  ///< cuInit succeeded and there is at least one device; only if asked for
    std::string reason;       ///< why not
    int version = 0;          ///< newest CUDA version it serves, 1000 * major + 10 * minor; 0 if it does not say
    int init_result = 0;      ///< the CUresult of cuInit; 0 if not asked for
};

/// All calls are thread-safe, and throw only std::bad_alloc.
class System {
public:
    virtual ~System() = default;

    /// Empty for a variable that is not set or is empty.
    virtual std::optional<std::string> environment(const std::string& name) const = 0;
    virtual FileStatus status(const std::string& path) const = 0;
    /// Names in a folder, sorted; none if it cannot be read.
    virtual std::vector<std::string> list(const std::string& folder) const = 0;
    /// The first bytes of a file; fewer if it is shorter, none if it cannot be read.
    virtual std::string read(const std::string& path, std::size_t max_bytes) const = 0;
    /// The path with all links resolved; the path itself where that fails.
    virtual std::string canonical(const std::string& path) const = 0;
    /// Files of that name that the dynamic loader would consider after LD_LIBRARY_PATH, in its order: its cache's and
    /// the system's folders'.
    virtual std::vector<std::string> loader_paths(const std::string& soname) const = 0;
    /// The folder of the shared library or program that this code is linked into, links resolved.
    virtual std::string own_folder() const = 0;
    /// The folders in which the dynamic loader looks for what this library, or the program that it is part of, links:
    /// its run path (DT_RUNPATH) first. None on Windows.
    virtual std::vector<std::string> run_path() const = 0;
    virtual Platform platform() const = 0;

    /// The path of the library of that SONAME that this process has open, empty if it has none.
    virtual std::string loaded_path(const std::string& soname) const = 0;
    /// `prefers_own_symbols`: the library's own definitions come before others of the same name in the process.
    virtual OpenedLibrary open(const std::string& path, bool prefers_own_symbols) const = 0;
    /// Opens a driver library and queries it. `want_device`: also initialise it and count devices.
    virtual DriverProbe probe_driver(const std::string& path, bool want_device) const = 0;
};

/// The machine that this process runs on.
const System& real_system();

}  // namespace cuprum::pathfinder
