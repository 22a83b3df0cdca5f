// The search itself, over the System that it is given. It remembers nothing; pathfinder.hpp and toolkit.hpp do.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cuprum/pathfinder/part.hpp"
#include "cuprum/pathfinder/system.hpp"
#include "cuprum/pathfinder/version.hpp"

namespace cuprum::pathfinder {

struct Part;
class Paths;

/// Which driver CUPRUM_DRIVER asks for.
enum class DriverChoice { gpu, simulator, automatic };

/// A place that may hold a toolkit, and how the search found it.
struct Root {
    enum class Layout {
        cuda_wheels,  ///< site-packages/nvidia/cu13 and its like: all parts of one CUDA version together
        part_wheels,  ///< site-packages, with a folder per part below nvidia/: CUDA 12 and add-ons
        toolkit,      ///< lib64, include, bin ...: what NVIDIA's installers and conda make
        system,       ///< /usr, where distributions put their own packages
        folder,       ///< one folder of libraries, not part of a known toolkit
        loader,       ///< not a folder: what the dynamic loader's cache says
    };
    Layout layout = Layout::toolkit;
    std::string path;
    std::string found_via;
    std::string library_folder = {};  ///< the folder that led here, which libraries are looked for in first
    std::string refusal = {};         ///< why nothing is looked for here; empty if it is
};

/// One toolkit: where its parts are searched, and the versions that they must have.
struct ToolkitChoice {
    std::string path;
    std::string found_via;
    Version version;
    bool has_nvrtc = false;
    std::vector<Root> roots;                  ///< where it lies; more than one where links lead to another folder
    std::vector<std::string> from_elsewhere;  ///< names of parts that may be of another toolkit
};

class Finder {
public:
    /// `system` must outlive the finder. `wheel_folders`: site-packages folders that are searched before the others.
    /// `library_folders`: where Cuprum's own libraries may lie, for a program that holds it and cannot tell from its
    /// place.
    explicit Finder(const System& system, std::vector<std::string> wheel_folders = {},
                    std::vector<std::string> library_folders = {});

    const System& system() const noexcept { return system_; }

    /// Throws InvalidArgument that lists the values for any value but gpu, sim and auto; gpu where it is not set.
    DriverChoice driver_choice() const;

    /// Finds a part without opening it (only a driver is opened, to see that it is no stub and, with
    /// CUPRUM_DRIVER=auto, whether it has a device). With a toolkit, its own folders come first, and what is of another
    /// toolkit is refused. Throws InvalidArgument for an unknown name, NotFound with every candidate.
    LocatedPart find(PartKind kind, std::string_view name, const ToolkitChoice* toolkit = nullptr) const;

    /// Every such part on this machine, from any toolkit, in the order of the search; one for each place that has
    /// it. Throws InvalidArgument for an unknown name.
    std::vector<LocatedPart> find_all(PartKind kind, std::string_view name) const;

    /// Finds and opens a library, those that it depends on before it; a candidate that does not open is refused like
    /// any other. `load_dependency` opens one of those and throws NotFound if there is none; by default it is this same
    /// function.
    using LoadDependency = std::function<void(std::string_view name)>;
    LoadedLibrary load(std::string_view name, const ToolkitChoice* toolkit = nullptr,
                       const LoadDependency& load_dependency = {}) const;

    /// All toolkits of this machine, in the order of the search.
    std::vector<ToolkitChoice> toolkits() const;
    /// The first one with NVRTC whose version is allowed, else the first one that is allowed.
    std::optional<ToolkitChoice> choose_toolkit(const VersionConstraint& constraint) const;
    /// The places that are searched, in order, those that are refused included.
    std::vector<Root> roots() const;
    /// The root that an environment variable names; with a refusal if it names nothing usable, with an empty path if it
    /// is not set.
    Root variable_root(const std::string& variable) const;
    /// Whether a toolkit, or a part of one, lies in a root.
    bool has_toolkit(const Root& root) const { return toolkit_at(root).has_value(); }

    /// The site-packages folders that are searched, in order.
    std::vector<std::string> site_packages() const;

    /// The simulator that CUPRUM_DRIVER=sim takes: with `use_variable`, of CUPRUM_SIMULATOR_PATH where that is set.
    std::optional<LocatedPart> find_simulator(bool use_variable) const;

private:
    struct Search;
    /// Why a library that looks right cannot be used after all; empty if it can.
    using Accept = std::function<std::string(const std::string& path)>;

    // roots.cpp
    std::vector<std::string> site_packages(std::vector<Root>& refused) const;
    void add_wheel_roots(const std::string& site, std::vector<Root>& roots) const;
    // The places in their order, until `visit` returns true; those that come later are not even looked for.
    void visit_roots(const std::function<bool(const Root&)>& visit) const;
    void add_environment_roots(std::vector<Root>& roots) const;
    void add_loader_roots(std::vector<Root>& roots) const;
    void add_installed_toolkits(std::vector<Root>& roots) const;
    void add_loaded_roots(std::vector<Root>& roots) const;
    std::vector<std::string> loader_folders(std::vector<Root>& refused) const;
    std::optional<Root> root_of(const std::string& library_folder) const;
    std::vector<std::string> folders_in(const Root& root, const Part& part) const;

    // refusal.cpp
    std::string distrust(const std::string& folder, Search& search) const;
    bool usable_folder(const std::string& folder, Search& search) const;
    std::string refuse_file(const std::string& path, Search& search) const;
    std::string refuse_library(const std::string& path, Search& search) const;
    std::string refuse(const Part& part, const std::string& path, Search& search) const;
    std::string refuse_driver(const std::string& path, Search& search) const;
    std::string mismatch(const Part& part, const LocatedPart& found, const ToolkitChoice* toolkit) const;

    // part_version.cpp
    Version header_version(const std::string& folder) const;
    Version root_version(const Root& root) const;
    Version wheel_version(const Part& part, const Root& root) const;
    Version library_version(const Part& part, const std::string& path, const Root& root) const;
    Version part_version(const Part& part, const std::string& path, const Root& root) const;

    // finder.cpp
    std::optional<LocatedPart> consider(const Part& part, const std::string& path, const Root& root,
                                        const ToolkitChoice* toolkit, const Accept& accept, Search& search) const;
    std::optional<LocatedPart> in_folder(const Part& part, const std::string& folder, const Root& root,
                                         const ToolkitChoice* toolkit, const Accept& accept, Search& search) const;
    std::optional<LocatedPart> in_loader(const Part& part, const Root& root, const ToolkitChoice* toolkit,
                                         const Accept& accept, Search& search) const;
    std::optional<LocatedPart> in_root(const Part& part, const Root& root, const ToolkitChoice* toolkit,
                                       const Accept& accept, Search& search) const;
    std::optional<LocatedPart> in_toolkit(const Part& part, const Root& root) const;
    std::optional<ToolkitChoice> toolkit_at(const Root& root) const;
    LocatedPart search(const Part& part, const ToolkitChoice* toolkit, const Accept& accept) const;
    void open_nvrtc_builtins(const std::string& nvrtc_path, Search& search) const;
    [[noreturn]] void throw_not_found(const Part& part, const ToolkitChoice* toolkit, Search& search) const;

    // driver_search.cpp
    LocatedPart search_driver_library(const Part& part, const Accept& accept) const;
    std::optional<LocatedPart> search_driver(const Part& part, Search& search, const Accept& accept) const;
    std::optional<LocatedPart> search_simulated_nvml(const Part& part, const std::string& simulator, Search& search,
                                                     const Accept& accept) const;
    std::optional<LocatedPart> search_simulator(const Part& part, Search& search, const Accept& accept) const;
    std::optional<LocatedPart> search_named_simulator(const Part& part, const std::string& value, Search& search,
                                                      const Accept& accept) const;
    std::optional<LocatedPart> search_own_simulator(const Part& part, Search& search, const Accept& accept) const;

    const System& system_;
    std::vector<std::string> wheel_folders_;
    std::vector<std::string> library_folders_;
};

/// The parts of a kind that exist on a platform, in the order in which they are listed.
std::vector<SupportedPart> supported_parts(PartKind kind, Platform platform);

/// Makes the functions of pathfinder.hpp search another machine, and forgets what was found; null restores the real
/// one. For tests: `system` must live until it is replaced, and it alone opens libraries.
void replace_system(const System* system);

}  // namespace cuprum::pathfinder
