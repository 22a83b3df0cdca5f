#include "cuprum/pathfinder/doctor.hpp"

#include <algorithm>
#include <utility>

#include "paths.hpp"
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

constexpr const char* use_simulator = "export CUPRUM_DRIVER=sim  (Cuprum's simulator needs no GPU)";

bool exists(const System& system, const char* path) {
    return system.status(path).kind != FileStatus::Kind::missing;
}

std::string install_driver(const System& system) {
    if (exists(system, "/.dockerenv") || exists(system, "/run/.containerenv")) {
        return "start the container with the driver in it: docker run --gpus all ... (NVIDIA Container Toolkit)";
    }
    if (exists(system, "/usr/bin/ubuntu-drivers")) {
        return "sudo ubuntu-drivers install, then restart the machine";
    }
    if (exists(system, "/usr/bin/apt-get")) {
        return "sudo apt-get install nvidia-driver, then restart the machine";
    }
    return "install NVIDIA's driver, then restart the machine";
}

// The candidates that were refused for another reason than that there is nothing.
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

void diagnose_init(const Finder& finder, const std::string& path, const DriverProbe& probe,
                   std::vector<Finding>& findings) {
    std::string remedy = install_driver(finder.system());
    switch (probe.init_result) {
        case 0:
        case no_device:
            remedy = exists(finder.system(), "/dev/nvidiactl")
                         ? "see whether nvidia-smi lists a GPU, and whether CUDA_VISIBLE_DEVICES hides it"
                         : "sudo modprobe nvidia; in a container: docker run --gpus all ...";
            break;
        case system_not_ready:
            remedy = "sudo systemctl start nvidia-fabricmanager";
            break;
        case system_driver_mismatch:
            remedy = "restart the machine: the driver's library is newer than the kernel module that runs";
            break;
        case unknown_error:
            remedy = "sudo modprobe nvidia_uvm, or restart the machine";
            break;
        default:
            break;
    }
    findings.push_back(
        {Severity::error, "driver", path + ": " + probe.reason, remedy + "; or without a GPU: " + use_simulator});
}

void diagnose_driver(const Finder& finder, std::vector<Finding>& findings) {
    LocatedPart driver;
    try {
        driver = finder.find(PartKind::dynamic_library, "cuda");
    } catch (const NotFound& error) {
        const bool wants_gpu = finder.driver_choice() == DriverChoice::gpu;
        findings.push_back(
            {Severity::error, "driver", error.detail() + refused_candidates(error.candidates()),
             wants_gpu ? install_driver(finder.system()) + "; or without a GPU: " + use_simulator : error.advice()});
        return;
    } catch (const InvalidArgument& error) {
        findings.push_back({Severity::error, "CUPRUM_DRIVER", error.object() + ": " + error.detail(), error.advice()});
        return;
    }
    if (driver.is_simulator) {
        const DriverProbe started = finder.system().probe_driver(driver.abs_path, true);
        if (!started.has_device) {
            findings.push_back({Severity::error, "simulator", driver.abs_path + ": " + started.reason,
                                "unset CUPRUM_SIM, or correct it (its options: docs/simulator.md)"});
            return;
        }
        findings.push_back({Severity::note, "driver", "Cuprum's simulator stands in for the GPU: " + driver.abs_path,
                            "export CUPRUM_DRIVER=gpu to use a GPU"});
        return;
    }
    const DriverProbe probe = finder.system().probe_driver(driver.abs_path, true);
    if (!probe.has_device) {
        diagnose_init(finder, driver.abs_path, probe, findings);
    }
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
        findings.push_back({Severity::error, "toolkit", std::move(problem), install_command(constraint)});
        return;
    } catch (const InvalidArgument& error) {
        findings.push_back({Severity::error, "CUPRUM_TOOLKIT", error.detail(), error.advice()});
        return;
    }
    std::vector<Finding> unfit = check_toolkit(finder, *toolkit);
    std::move(unfit.begin(), unfit.end(), std::back_inserter(findings));
    for (const ToolkitChoice& other : finder.toolkits()) {
        if (other.path != toolkit->path && other.version.known() && !(other.version == toolkit->version)) {
            findings.push_back({Severity::note, "toolkit",
                                other.path + " is of CUDA " + other.version.text() + " and is not in use; " +
                                    toolkit->path + " (CUDA " + toolkit->version.text() + ") is",
                                "export CUPRUM_TOOLKIT=" + other.version.text() + " to use the other"});
        }
    }
}

void diagnose_variables(const Finder& finder, std::vector<Finding>& findings) {
    const System& system = finder.system();
    const Paths paths(system.platform());
    const auto cuda_path = system.environment("CUDA_PATH");
    const auto cuda_home = system.environment("CUDA_HOME");
    if (cuda_path && cuda_home &&
        system.canonical(paths.clean(*cuda_path)) != system.canonical(paths.clean(*cuda_home))) {
        findings.push_back({Severity::warning, "CUDA_PATH",
                            "CUDA_PATH=" + *cuda_path + " and CUDA_HOME=" + *cuda_home +
                                " name different toolkits; CUDA_PATH is the one that counts",
                            "export CUDA_HOME=\"$CUDA_PATH\""});
    }
    for (const Root& root : finder.roots()) {
        if (root.refusal.empty()) {
            continue;
        }
        const bool is_entry = root.layout == Root::Layout::folder;
        const std::string& says = is_entry ? root.path : root.refusal;  // both begin with the variable's name
        const std::string variable = says.substr(0, says.find_first_of(" :"));
        findings.push_back({Severity::warning, variable, root.path + ": " + root.refusal,
                            is_entry ? "remove the entry from " + variable : "unset " + variable});
    }
    if (const auto library_path = system.environment("LD_LIBRARY_PATH");
        library_path && library_path->find("/stubs") != std::string::npos) {
        findings.push_back({Severity::warning, "LD_LIBRARY_PATH",
                            "it names a folder of stub libraries, which are there to be linked against and run "
                            "nothing: " +
                                *library_path,
                            "remove that entry from LD_LIBRARY_PATH"});
    }
}

}  // namespace

std::vector<Finding> diagnose(const Finder& finder) {
    std::vector<Finding> findings;
    diagnose_driver(finder, findings);
    diagnose_toolkit(finder, findings);
    diagnose_variables(finder, findings);
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
    return findings;
}

std::vector<Finding> diagnose() {
    return diagnose(make_finder());
}

}  // namespace cuprum::pathfinder
