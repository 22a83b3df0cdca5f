#include "cuprum/pathfinder/toolkit.hpp"

#include <algorithm>
#include <utility>

#include "cuprum/pathfinder/pathfinder.hpp"
#include "paths.hpp"
#include "remedy.hpp"
#include "search.hpp"
#include "session.hpp"

namespace cuprum::pathfinder {

Toolkit::Toolkit(std::shared_ptr<Session> session) : session_(std::move(session)) {}

Toolkit Toolkit::find(const ToolkitOptions& options) {
    const VersionConstraint constraint(options.version);
    for (const std::string& name : options.from_elsewhere) {
        const auto parts = catalogue();
        if (std::none_of(parts.begin(), parts.end(), [&](const Part& part) { return part.name == name; })) {
            require_part(PartKind::dynamic_library, name);  // throws, with the nearest names
        }
    }
    const Finder finder = make_finder();
    std::optional<ToolkitChoice> choice = finder.choose_toolkit(constraint);
    if (!choice) {
        throw_no_toolkit(finder, constraint);
    }
    choice->from_elsewhere = options.from_elsewhere;
    return Toolkit(make_session(*choice));
}

Toolkit Toolkit::in_use() {
    std::shared_ptr<Session> session = session_in_use();
    if (session->toolkit() == nullptr) {
        throw_no_toolkit(session->finder(), {});
    }
    return Toolkit(std::move(session));
}

void Toolkit::use() const {
    use_session(session_);
}

const std::string& Toolkit::root() const {
    return session_->toolkit()->path;
}

const std::string& Toolkit::found_via() const {
    return session_->toolkit()->found_via;
}

Version Toolkit::version() const {
    return session_->toolkit()->version;
}

const LocatedPart& Toolkit::locate(PartKind kind, std::string_view name) const {
    return session_->locate(require_part(kind, name));
}

const LoadedLibrary& Toolkit::load(std::string_view name) const {
    return session_->load(require_part(PartKind::dynamic_library, name));
}

const std::vector<std::string>& Toolkit::include_dirs() const {
    return session_->include_dirs();
}

std::vector<Finding> Toolkit::check() const {
    return check_toolkit(session_->finder(), *session_->toolkit());
}

namespace {

// The parts that a Program is compiled with, and what it is worth that one is missing.
struct NeededPart {
    PartKind kind;
    const char* name;
    Finding::Severity missing;
    const char* loss;
};
constexpr NeededPart needed_parts[] = {
    {PartKind::dynamic_library, "nvrtc", Finding::Severity::error, "without it nothing is compiled at run time"},
    {PartKind::headers, "cudart", Finding::Severity::error, "without them only programs that include nothing compile"},
    {PartKind::headers, "cccl", Finding::Severity::warning,
     "without them programs that include CUB, Thrust or libcu++ fail"},
    {PartKind::headers, "crt", Finding::Severity::warning,
     "without them programs that include CUB or CUDA's runtime fail"},
    {PartKind::dynamic_library, "nvJitLink", Finding::Severity::warning, "without it nothing is linked at run time"},
};

std::string install(const Finder& finder, const NeededPart& needed, const ToolkitChoice& toolkit) {
    return pip_install(finder, package_of(*find_part(needed.kind, needed.name), toolkit.version));
}

void check_part(const Finder& finder, const ToolkitChoice& toolkit, const NeededPart& needed,
                std::vector<Finding>& findings) {
    try {
        const LocatedPart part = finder.find(needed.kind, needed.name, &toolkit);
        // In the toolkit's own folders the search came by what is of another version.
        for (const RejectedCandidate& candidate : part.rejected) {
            const bool is_within = std::any_of(toolkit.roots.begin(), toolkit.roots.end(), [&](const Root& root) {
                return candidate.path.starts_with(root.path + "/");
            });
            if (is_within && candidate.reason.starts_with("is of CUDA")) {
                findings.push_back({Finding::Severity::warning, needed.name, candidate.path + " " + candidate.reason,
                                    install(finder, needed, toolkit)});
            }
        }
    } catch (const NotFound& error) {
        std::string problem = error.detail() + "; " + needed.loss;
        for (const RejectedCandidate& candidate : error.candidates()) {
            if (candidate.reason.starts_with("is of CUDA")) {
                problem += "\n" + candidate.path + " " + candidate.reason;
            }
        }
        findings.push_back({needed.missing, std::string(needed.name) + " (" + to_string(needed.kind) + ")",
                            std::move(problem), install(finder, needed, toolkit)});
    }
}

void check_builtins(const Finder& finder, const ToolkitChoice& toolkit, std::vector<Finding>& findings) {
    const System& system = finder.system();
    const Paths paths(system.platform());
    if (paths.is_windows()) {
        return;
    }
    LocatedPart nvrtc;
    try {
        nvrtc = finder.find(PartKind::dynamic_library, "nvrtc", &toolkit);
    } catch (const NotFound&) {
        return;  // said already
    }
    std::vector<std::string> names;
    for (const std::string& path : {nvrtc.abs_path, system.canonical(nvrtc.abs_path)}) {
        for (const std::string& name : system.list(paths.parent(path))) {
            if (name.starts_with(nvrtc_builtins)) {
                names.push_back(name);
                if (same_toolkit(parse_version(std::string_view(name).substr(nvrtc_builtins.size())), nvrtc.version)) {
                    return;
                }
            }
        }
    }
    const std::string package = package_of(*find_part(PartKind::dynamic_library, "nvrtc"), toolkit.version);
    // A toolkit that pip has not installed stays as it is: the wheels, which are found before it, take its place.
    const std::string remedy = nvrtc.found_via == "wheel" ? pip_install(finder, "--force-reinstall " + package)
                                                          : pip_install(finder, toolkit_packages(toolkit.version));
    findings.push_back(
        {Finding::Severity::error, "nvrtc",
         nvrtc.abs_path + (names.empty() ? " lacks its second library, libnvrtc-builtins, without which it compiles "
                                           "nothing"
                                         : " is of CUDA " + nvrtc.version.text() + ", but beside it is " + names[0]),
         remedy});
}

}  // namespace

std::string toolkit_packages(const Version& version) {
    std::string packages;
    for (const NeededPart& needed : needed_parts) {
        packages += (packages.empty() ? "" : " ") + package_of(*find_part(needed.kind, needed.name), version);
    }
    return packages;
}

std::vector<Finding> check_driver_version(const Version& toolkit, int driver_version) {
    // The oldest driver branches that serve a major version: NVIDIA's table of minor-version compatibility.
    constexpr std::pair<int, const char*> oldest_branches[] = {{11, "450"}, {12, "525"}, {13, "580"}};
    const Version driver{driver_version / 1000, driver_version % 1000 / 10};
    if (driver_version <= 0 || !toolkit.known() || toolkit.major < driver.major) {
        return {};
    }
    if (toolkit.major == driver.major) {
        if (toolkit.minor <= driver.minor) {
            return {};
        }
        return {{Finding::Severity::note, "driver",
                 "it serves CUDA " + driver.text() + " and the toolkit is of CUDA " + toolkit.text() +
                     ": machine code (cubin) runs by minor-version compatibility, PTX of this toolkit does not",
                 "export CUPRUM_TOOLKIT='<=" + driver.text() +
                     "'  # where there is such a toolkit; else update the driver, or compile to a cubin"}};
    }
    std::string branch;
    for (const auto& [major, oldest] : oldest_branches) {
        if (major == toolkit.major) {
            branch = std::string(" (branch ") + oldest + " or newer)";
        }
    }
    return {{Finding::Severity::error, "driver",
             "it serves CUDA " + driver.text() + " and the toolkit is of CUDA " + toolkit.text() +
                 ": a driver serves no newer major version",
             "update the driver" + branch}};
}

namespace {

// Takes a toolkit of the driver's own major version into use: one that is there, else one that pip installs.
std::string toolkit_for_driver(const Finder& finder, int major) {
    for (const ToolkitChoice& toolkit : finder.toolkits()) {
        if (toolkit.has_nvrtc && toolkit.version.major == major) {
            return "export CUPRUM_TOOLKIT=" + toolkit.version.text() + "  # " + toolkit.path;
        }
    }
    // The packages of toolkits before CUDA 12 are not known.
    return major < 12 ? ""
                      : pip_install(finder, toolkit_packages(Version{major, -1})) +
                            " && export CUPRUM_TOOLKIT=" + std::to_string(major);
}

}  // namespace

std::vector<Finding> check_toolkit(const Finder& finder, const ToolkitChoice& toolkit) {
    std::vector<Finding> findings;
    for (const NeededPart& needed : needed_parts) {
        check_part(finder, toolkit, needed, findings);
    }
    check_builtins(finder, toolkit, findings);
    try {
        const LocatedPart driver = finder.find(PartKind::dynamic_library, "cuda");
        const int version = finder.system().probe_driver(driver.abs_path, false).version;
        for (Finding& unfit : check_driver_version(toolkit.version, version)) {
            // The simulator loads PTX of newer toolkits as well.
            if (driver.is_simulator && unfit.severity == Finding::Severity::note) continue;
            if (unfit.severity == Finding::Severity::error) {
                unfit.remedy = one_of({toolkit_for_driver(finder, version / 1000), unfit.remedy});
            }
            findings.push_back(std::move(unfit));
        }
    } catch (const Error&) {
        // No driver: a toolkit compiles without one.
    }
    return findings;
}

}  // namespace cuprum::pathfinder
