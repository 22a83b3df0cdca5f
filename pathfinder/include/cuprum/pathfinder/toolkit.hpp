// One toolkit: all of its parts from one place, compatible with each other and with the driver.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cuprum/pathfinder/part.hpp"
#include "cuprum/pathfinder/version.hpp"

namespace cuprum::pathfinder {

class Finder;
class Session;
struct ToolkitChoice;

/// A problem, or something worth knowing, and what to do about it.
struct Finding {
    enum class Severity { note, warning, error };
    Severity severity = Severity::error;
    std::string subject;  ///< "driver", "toolkit", "nvrtc", "CUDA_PATH" ...
    std::string problem;
    /// How to fix it, if possible as a shell command; alternatives are on lines of their own that begin with "or: ".
    /// May be empty for a note.
    std::string remedy;
};

/// Which toolkit is wanted. The text of CUPRUM_TOOLKIT is the `version` of the one that is used by default.
struct ToolkitOptions {
    std::string version;                      ///< see VersionConstraint: ">=12.4,<14"; empty for any
    std::vector<std::string> from_elsewhere;  ///< names of parts that may come from another toolkit
};

/// A toolkit of this machine, chosen once. Copies are the same toolkit. All members are thread-safe; what they return
/// lives as long as the last copy.
class Toolkit {
public:
    /// The first one in the order of the search that has NVRTC and the wanted version. Throws InvalidArgument for a
    /// malformed constraint or an unknown part, NotFound with every toolkit that was refused.
    static Toolkit find(const ToolkitOptions& options = {});
    /// The one that the functions of pathfinder.hpp, and with them bindings and core, take parts from. Throws NotFound
    /// if there is none.
    static Toolkit in_use();

    /// From now on this one is in use. To be called before anything is compiled: throws InvalidState if NVRTC of
    /// another toolkit is open already, and NotFound if this one has none.
    void use() const;

    const std::string& root() const;
    const std::string& found_via() const;
    Version version() const;

    /// A part of this toolkit; parts of other toolkits are refused but for those named in `from_elsewhere`. Add-ons and
    /// the driver belong to no toolkit. Throws InvalidArgument for an unknown name, NotFound with every candidate.
    const LocatedPart& locate(PartKind kind, std::string_view name) const;
    /// Opens a library of this toolkit and, before it, those that it needs. Throws like locate.
    const LoadedLibrary& load(std::string_view name) const;
    /// The folders that a compilation with its NVRTC needs, in -I order: the CUDA headers', then CCCL's and the
    /// one that has crt/, where these are others and where they are found. Throws NotFound if there are no CUDA
    /// headers.
    const std::vector<std::string>& include_dirs() const;

    /// What does not fit together: parts that Program needs and that are missing or of another version, and a driver
    /// that is too old. Opens the driver, if there is one.
    std::vector<Finding> check() const;

private:
    explicit Toolkit(std::shared_ptr<Session> session);
    std::shared_ptr<Session> session_;
};

/// The same for the machine that the finder searches.
std::vector<Finding> check_toolkit(const Finder& finder, const ToolkitChoice& toolkit);

/// Whether a driver serves programs of a toolkit, by CUDA's rules of compatibility: an older toolkit always, one of the
/// same major version but for the PTX that it makes, a newer major version not. `driver_version` is
/// cuDriverGetVersion's. Empty if it does.
std::vector<Finding> check_driver_version(const Version& toolkit, int driver_version);

}  // namespace cuprum::pathfinder
