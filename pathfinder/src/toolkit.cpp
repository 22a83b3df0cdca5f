#include "cuprum/pathfinder/toolkit.hpp"

#include <algorithm>
#include <utility>

#include "cuprum/pathfinder/pathfinder.hpp"
#include "paths.hpp"
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

using Severity = Finding::Severity;

// The parts that a Program is compiled with, and what it is worth that one is missing.
struct NeededPart {
    PartKind kind;
    const char* name;
    Severity missing;
    const char* loss;
};
constexpr NeededPart needed_parts[] = {
    {PartKind::dynamic_library, "nvrtc", Severity::error, "without it nothing is compiled at run time"},
    {PartKind::headers, "cudart", Severity::error, "without them only programs that include nothing compile"},
    {PartKind::headers, "cccl", Severity::warning, "without them programs that include CUB, Thrust or libcu++ fail"},
    {PartKind::headers, "crt", Severity::warning, "without them programs that include CUB or CUDA's runtime fail"},
    {PartKind::dynamic_library, "nvJitLink", Severity::warning, "without it nothing is linked at run time"},
};

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
                findings.push_back(
                    {Severity::warning, needed.name, candidate.path + " " + candidate.reason,
                     "pip install " + package_of(*find_part(needed.kind, needed.name), toolkit.version)});
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
                            std::move(problem),
                            "pip install " + package_of(*find_part(needed.kind, needed.name), toolkit.version)});
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
    findings.push_back(
        {Severity::error, "nvrtc",
         nvrtc.abs_path + (names.empty() ? " lacks its second library, libnvrtc-builtins, without which it compiles "
                                           "nothing"
                                         : " is of CUDA " + nvrtc.version.text() + ", but beside it is " + names[0]),
         "pip install --force-reinstall " +
             package_of(*find_part(PartKind::dynamic_library, "nvrtc"), toolkit.version)});
}

}  // namespace

std::string install_command(const Version& version) {
    std::string command = "pip install";
    for (const NeededPart& needed : needed_parts)
        command += ' ' + package_of(*find_part(needed.kind, needed.name), version);
    return command;
}

std::string install_command(const VersionConstraint& constraint) {
    Version wanted{constraint.allows({13, -1}) || !constraint.allows({12, -1}) ? 13 : 12, -1};
    int allowed = -1;
    int count = 0;
    for (int minor = 0; minor < 10; ++minor) {
        if (!constraint.allows({wanted.major, minor})) continue;
        allowed = minor;
        ++count;
    }
    if (count == 1) wanted.minor = allowed;
    return install_command(wanted);
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
        return {{Severity::note, "driver",
                 "it serves CUDA " + driver.text() + " and the toolkit is of CUDA " + toolkit.text() +
                     ": machine code (cubin) runs by minor-version compatibility, PTX of this toolkit does not",
                 "update the driver, or compile to a cubin, or choose an older toolkit: export CUPRUM_TOOLKIT='<=" +
                     driver.text() + "'"}};
    }
    std::string branch;
    for (const auto& [major, oldest] : oldest_branches) {
        if (major == toolkit.major) {
            branch = std::string(" (branch ") + oldest + " or newer)";
        }
    }
    // The packages of toolkits before CUDA 12 are not known.
    const std::string other =
        driver.major < 12 ? ""
                          : ", or install a toolkit that it serves: " + install_command(Version{driver.major, -1}) +
                                ", then export CUPRUM_TOOLKIT='<=" + std::to_string(driver.major) + "'";
    return {{Severity::error, "driver",
             "it serves CUDA " + driver.text() + " and the toolkit is of CUDA " + toolkit.text() +
                 ": a driver serves no newer major version",
             "update the driver" + branch + other}};
}

std::vector<Finding> check_toolkit(const Finder& finder, const ToolkitChoice& toolkit) {
    std::vector<Finding> findings;
    for (const NeededPart& needed : needed_parts) {
        check_part(finder, toolkit, needed, findings);
    }
    check_builtins(finder, toolkit, findings);
    try {
        const LocatedPart driver = finder.find(PartKind::dynamic_library, "cuda");
        const std::vector<Finding> unfit =
            check_driver_version(toolkit.version, finder.system().probe_driver(driver.abs_path, false).version);
        findings.insert(findings.end(), unfit.begin(), unfit.end());
    } catch (const Error&) {
        // No driver: a toolkit compiles without one.
    }
    return findings;
}

}  // namespace cuprum::pathfinder
