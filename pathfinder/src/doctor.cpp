#include "cuprum/pathfinder/doctor.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "catalogue.hpp"
#include "paths.hpp"
#include "remedy.hpp"
#include "search.hpp"
#include "session.hpp"

namespace cuprum::pathfinder {

namespace {

using Severity = Finding::Severity;

// CUresults whose cause lies in the installation. The driver's interface fixes the numbers.
constexpr int no_device = 100;
constexpr int system_not_ready = 802;
constexpr int system_driver_mismatch = 803;
constexpr int unknown_error = 999;

// The candidates that were refused for a reason other than not being there.
std::string refused_candidates(const std::vector<RejectedCandidate>& candidates) {
    std::string text;
    for (const RejectedCandidate& candidate : candidates) {
        if (candidate.reason != "does not exist" && !candidate.reason.starts_with("has no ") &&
            !candidate.reason.starts_with("have no ")) {
            text += "\n" + candidate.path + " " + candidate.reason;
        }
    }
    return text;
}

// What makes the GPU's driver start, where it is there and does not.
std::string start_driver(const System& system, int result) {
    switch (result) {
        case 0:
        case no_device:
            if (const auto hidden = system.environment("CUDA_VISIBLE_DEVICES")) {
                return "unset CUDA_VISIBLE_DEVICES  # it is " + shell_word(*hidden) + " and hides the other GPUs";
            }
            if (!exists(system, "/dev/nvidiactl")) {
                return "sudo modprobe nvidia  # in a container: docker run --gpus all ...";
            }
            return "nvidia-smi  # lists no GPU either: restart the machine, or see its messages with: sudo dmesg";
        case system_not_ready:
            return "sudo systemctl start nvidia-fabricmanager";
        case system_driver_mismatch:
            return "sudo reboot  # restart the machine: the driver's library is newer than the kernel module that runs";
        case unknown_error:
            return "sudo modprobe nvidia_uvm  # if that does not help, restart the machine";
        default:
            return install_driver(system);
    }
}

// The simulator is there; its options may still be wrong.
void diagnose_simulator(const Finder& finder, const LocatedPart& driver, std::vector<Finding>& findings) {
    const DriverProbe probe = finder.system().probe_driver(driver.abs_path, true);
    const auto options = finder.system().environment("CUPRUM_SIM");
    if (!probe.has_device && options) {
        findings.push_back({Severity::error, "CUPRUM_SIM", *options + ": " + probe.reason,
                            "unset CUPRUM_SIM  # docs/simulator.md lists its options"});
        return;
    }
    if (!probe.has_device) {
        findings.push_back({Severity::error, "driver", driver.abs_path + ": " + probe.reason,
                            "reinstall Cuprum: its simulator does not start"});
        return;
    }
    findings.push_back({Severity::note, "driver", "Cuprum's simulator stands in for the GPU: " + driver.abs_path,
                        "export CUPRUM_DRIVER=gpu  # to use a GPU"});
}

// What to do where CUPRUM_DRIVER asks for the simulator, and it is not there.
std::string find_simulator(const Finder& finder) {
    const bool is_named = finder.system().environment("CUPRUM_SIMULATOR_PATH").has_value();
    const std::optional<LocatedPart> own = finder.find_simulator(false);
    if (is_named && own) {
        return "unset CUPRUM_SIMULATOR_PATH  # " + own->abs_path + " is then used";
    }
    return "export CUPRUM_SIMULATOR_PATH=FOLDER  # that of the simulator's libcuda.so.1: lib/cuprum/simulator where "
           "Cuprum is installed, cuprum/simulator in the wheel";
}

void diagnose_missing_driver(const Finder& finder, const NotFound& error, std::vector<Finding>& findings) {
    Finding finding{Severity::error, "driver", error.detail() + refused_candidates(error.candidates()), ""};
    switch (finder.driver_choice()) {
        case DriverChoice::gpu:
            if (const std::string install = install_driver(finder.system()); install.empty()) {
                finding.problem += "\nand no NVIDIA GPU is on its PCI bus";
                finding.remedy = use_simulator;
            } else {
                finding.remedy = one_of({install, use_simulator});
            }
            break;
        case DriverChoice::simulator:
        case DriverChoice::automatic:
            finding.remedy = find_simulator(finder);
            break;
    }
    findings.push_back(std::move(finding));
}

void diagnose_driver(const Finder& finder, std::vector<Finding>& findings) {
    LocatedPart driver;
    try {
        driver = finder.find(PartKind::dynamic_library, "cuda");
    } catch (const NotFound& error) {
        diagnose_missing_driver(finder, error, findings);
        return;
    } catch (const InvalidArgument& error) {
        findings.push_back({Severity::error, "CUPRUM_DRIVER", error.object() + ": " + error.detail(),
                            "export CUPRUM_DRIVER=auto  # the GPU if there is one, else the simulator; gpu (the "
                            "default) and sim take one of the two"});
        return;
    }
    if (driver.is_simulator) {
        diagnose_simulator(finder, driver, findings);
        return;
    }
    const DriverProbe probe = finder.system().probe_driver(driver.abs_path, true);
    if (!probe.has_device) {
        findings.push_back({Severity::error, "driver", driver.abs_path + ": " + probe.reason,
                            one_of({start_driver(finder.system(), probe.init_result), use_simulator})});
    }
}

// The remedy where CUPRUM_TOOLKIT allows none of the toolkits of this machine, or where there is none.
std::string get_toolkit(const Finder& finder, const VersionConstraint& constraint) {
    const std::optional<std::string> packages = toolkit_packages(constraint);
    std::string install = packages ? pip_install(finder, *packages) : "";
    if (constraint.allows_everything()) {
        return install;
    }
    if (const std::optional<ToolkitChoice> other = finder.choose_toolkit({})) {
        const std::string version = other->version.known() ? "CUDA " + other->version.text() : "the toolkit";
        return one_of({"unset CUPRUM_TOOLKIT  # " + version + " in " + other->path + " is then used", install});
    }
    return packages ? install
                    : "unset CUPRUM_TOOLKIT && " + pip_install(finder, *toolkit_packages(VersionConstraint()));
}

void diagnose_toolkit(const Finder& finder, std::vector<Finding>& findings) {
    std::optional<ToolkitChoice> toolkit;
    VersionConstraint constraint;
    try {
        constraint = VersionConstraint(finder.system().environment("CUPRUM_TOOLKIT").value_or(""));
        toolkit = finder.choose_toolkit(constraint);
        if (!toolkit) {
            throw_no_toolkit(finder, constraint);
        }
    } catch (const NotFound& error) {
        std::string problem = error.detail();
        for (const RejectedCandidate& candidate : error.candidates()) {
            if (candidate.reason.find("does not allow") != std::string::npos) {
                problem += "\n" + candidate.path + " " + candidate.reason;
            }
        }
        problem += refused_candidates(error.candidates());
        findings.push_back({Severity::error, "toolkit", std::move(problem), get_toolkit(finder, constraint)});
        return;
    } catch (const InvalidArgument& error) {
        findings.push_back({Severity::error, "CUPRUM_TOOLKIT", error.object() + ": " + error.detail(),
                            "unset CUPRUM_TOOLKIT  # or write for example: export CUPRUM_TOOLKIT='>=12.4,<14'"});
        return;
    }
    std::vector<Finding> unfit = check_toolkit(finder, *toolkit);
    std::move(unfit.begin(), unfit.end(), std::back_inserter(findings));
    for (const ToolkitChoice& other : finder.toolkits()) {
        if (other.path != toolkit->path && other.version.known() && !(other.version == toolkit->version)) {
            findings.push_back({Severity::note, "toolkit",
                                other.path + " is of CUDA " + other.version.text() + " and is not in use; " +
                                    toolkit->path + " (CUDA " + toolkit->version.text() + ") is",
                                "export CUPRUM_TOOLKIT=" + other.version.text() + "  # to use the other"});
        }
    }
}

// The variables that name a folder: of a toolkit, of an environment, of one library.
void diagnose_folders(const Finder& finder, std::vector<Finding>& findings) {
    const System& system = finder.system();
    const auto refuse = [&](const std::string& variable, const std::string& problem) {
        findings.push_back({Severity::warning, variable, problem, "unset " + variable});
    };
    std::set<std::string> names = {"CUDA_PATH", "CUDA_HOME", "CONDA_PREFIX", "VIRTUAL_ENV"};
    for (const Part& part : catalogue()) {
        names.insert(part.root_variables.begin(), part.root_variables.end());
    }
    for (const std::string& name : names) {
        const Root root = finder.variable_root(name);
        if (!root.refusal.empty()) {
            refuse(name, root.path + ": " + root.refusal);
        } else if ((name == "CUDA_PATH" || name == "CUDA_HOME") && !root.path.empty() && !finder.has_toolkit(root)) {
            refuse(name, root.path + " has no CUDA toolkit in it: neither NVRTC, nor the runtime, nor their headers");
        }
    }
    const Paths paths(system.platform());
    const auto cuda_path = system.environment("CUDA_PATH");
    const auto cuda_home = system.environment("CUDA_HOME");
    if (cuda_path && cuda_home && finder.has_toolkit(finder.variable_root("CUDA_PATH")) &&
        finder.has_toolkit(finder.variable_root("CUDA_HOME")) &&
        system.canonical(paths.clean(*cuda_path)) != system.canonical(paths.clean(*cuda_home))) {
        findings.push_back({Severity::warning, "CUDA_PATH",
                            "CUDA_PATH=" + *cuda_path + " and CUDA_HOME=" + *cuda_home +
                                " name different toolkits; CUDA_PATH is the one that counts",
                            "export CUDA_HOME=\"$CUDA_PATH\""});
    }
}

// Where it is asked for, diagnose_driver says that it is not there.
void diagnose_simulator_path(const Finder& finder, std::vector<Finding>& findings) {
    const auto path = finder.system().environment("CUPRUM_SIMULATOR_PATH");
    if (path && finder.system().environment("CUPRUM_DRIVER").value_or("gpu") == "gpu" && !finder.find_simulator(true)) {
        findings.push_back({Severity::warning, "CUPRUM_SIMULATOR_PATH",
                            *path + " is neither the simulator's libcuda.so.1 nor its folder",
                            "unset CUPRUM_SIMULATOR_PATH"});
    }
}

void diagnose_library_path(const Finder& finder, std::vector<Finding>& findings) {
    if (finder.system().platform() == Platform::windows_x86_64) {
        return;  // PATH has much that is not ours
    }
    const std::string variable = "LD_LIBRARY_PATH";
    std::string relative;
    for (const Root& root : finder.roots()) {
        if (root.layout == Root::Layout::folder && !root.refusal.empty()) {
            relative += (relative.empty() ? "" : "\n") + root.path + ": " + root.refusal;
        }
    }
    if (!relative.empty()) {
        findings.push_back({Severity::warning, variable, relative, clean_library_path(finder.system())});
    }
    if (const auto value = finder.system().environment(variable); value && value->find("/stubs") != std::string::npos) {
        findings.push_back(
            {Severity::warning, variable,
             "it names a folder of stub libraries, which are only for linking and run nothing: " + *value,
             clean_library_path(finder.system())});
    }
}

}  // namespace

std::vector<Finding> diagnose(const Finder& finder) {
    std::vector<Finding> findings;
    diagnose_driver(finder, findings);
    diagnose_toolkit(finder, findings);
    diagnose_folders(finder, findings);
    diagnose_simulator_path(finder, findings);
    diagnose_library_path(finder, findings);
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
    return findings;
}

std::vector<Finding> diagnose() {
    return diagnose(make_finder());
}

}  // namespace cuprum::pathfinder
