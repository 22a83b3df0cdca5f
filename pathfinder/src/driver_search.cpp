// The driver's libraries, which are part of no toolkit, and Cuprum's simulator in the place of the driver.
#include <utility>

#include "catalogue.hpp"
#include "paths.hpp"
#include "search.hpp"

namespace cuprum::pathfinder {

DriverChoice Finder::driver_choice() const {
    const std::string value = system_.environment("CUPRUM_DRIVER").value_or("gpu");
    if (value == "gpu") {
        return DriverChoice::gpu;
    }
    if (value == "sim") {
        return DriverChoice::simulator;
    }
    if (value == "auto") {
        return DriverChoice::automatic;
    }
    throw InvalidArgument("choosing the driver", "CUPRUM_DRIVER=" + value, "there is no such choice",
                          "set CUPRUM_DRIVER to gpu (the default), sim (the simulator) or auto (the GPU if there is "
                          "one, else the simulator)");
}

std::optional<LocatedPart> Finder::search_driver(const Part& part, Search& search, const Accept& accept) const {
    const Platform platform = system_.platform();
    const Paths paths(platform);
    std::vector<Root> refused;
    const std::vector<std::string> folders = loader_folders(refused);
    for (const Root& root : refused) {
        search.reject(root.path, root.refusal);
    }
    Root root{Root::Layout::folder, "", "loader"};
    for (const std::string& folder : folders) {
        if (auto found = in_folder(part, folder, root, nullptr, accept, search)) {
            return found;
        }
    }
    if (paths.is_windows()) {
        return std::nullopt;
    }
    if (auto found = in_loader(part, root, nullptr, accept, search)) {
        found->root.clear();
        return found;
    }
    root.found_via = "driver folder";
    const std::string machine = "/usr/lib/" + multiarch(platform);
    for (const std::string& folder :
         {machine, machine + "/nvidia/current", std::string("/usr/lib/wsl/lib"), std::string("/usr/local/nvidia/lib64"),
          std::string("/usr/local/nvidia/lib"), std::string("/usr/lib64-nvidia"), std::string("/usr/lib64"),
          std::string("/usr/lib64/nvidia"), std::string("/usr/lib/nvidia"), machine + "/tegra"}) {
        if (auto found = in_folder(part, folder, root, nullptr, accept, search)) {
            return found;
        }
    }
    return std::nullopt;
}

std::optional<LocatedPart> Finder::search_simulator(const Part& part, Search& search, const Accept& accept) const {
    std::optional<LocatedPart> found;
    if (const auto value = system_.environment("CUPRUM_SIMULATOR_PATH")) {
        // A simulator that is named is the only one that will do.
        found = search_named_simulator(part, *value, search, accept);
    } else {
        found = search_own_simulator(part, search, accept);
    }
    if (found) {
        found->is_simulator = true;
    }
    return found;
}

std::optional<LocatedPart> Finder::search_named_simulator(const Part& part, const std::string& value, Search& search,
                                                          const Accept& accept) const {
    const Paths paths(system_.platform());
    const Root root{Root::Layout::folder, "", "CUPRUM_SIMULATOR_PATH"};
    const std::string path = paths.clean(value);
    if (!paths.is_absolute(path)) {
        search.reject(path, "CUPRUM_SIMULATOR_PATH is not an absolute path");
        return std::nullopt;
    }
    if (system_.status(path).kind == FileStatus::Kind::directory) {
        return in_folder(part, path, root, nullptr, accept, search);
    }
    std::optional<LocatedPart> found = consider(part, path, root, nullptr, accept, search);
    if (!found) {
        search.rejected.back().reason.insert(0, "CUPRUM_SIMULATOR_PATH: ");
    }
    return found;
}

// Beside this library, in the layouts of an installed tree, of a wheel or jar, and of an unpacked NuGet package. Then,
// for a program that has this library linked in, in the folders of its run path, which the installed CMake and
// pkg-config files set, and in those that the build has compiled in.
std::optional<LocatedPart> Finder::search_own_simulator(const Part& part, Search& search, const Accept& accept) const {
    const Paths paths(system_.platform());
    const Root root{Root::Layout::folder, "", "simulator"};
    std::vector<std::string> folders;
    if (const std::string own = system_.own_folder(); paths.is_absolute(own)) {
        const std::string above = paths.parent(own);
        folders = {paths.join(own, "cuprum/simulator"), paths.join(above, "lib/cuprum/simulator"),
                   paths.join(own, "simulator"), paths.join(above, "simulator")};
        if (const std::string_view natives = "/runtimes/linux-x64/native"; own.ends_with(natives)) {
            folders.push_back(paths.join(own.substr(0, own.size() - natives.size()), "simulator/linux-x64"));
        }
    }
    std::vector<std::string> library_folders = system_.run_path();
    library_folders.insert(library_folders.end(), library_folders_.begin(), library_folders_.end());
    for (const std::string& folder : library_folders) {
        if (paths.is_absolute(folder)) {
            folders.push_back(paths.join(paths.clean(folder), "cuprum/simulator"));
        }
    }
    for (const std::string& folder : folders) {
        if (auto found = in_folder(part, folder, root, nullptr, accept, search)) {
            return found;
        }
    }
    return std::nullopt;
}

std::optional<LocatedPart> Finder::find_simulator(bool use_variable) const {
    const Part& part = require_part(PartKind::dynamic_library, "cuda");
    Search search;
    return use_variable ? search_simulator(part, search, {}) : search_own_simulator(part, search, {});
}

// Among the simulator's companions, beside it.
std::optional<LocatedPart> Finder::search_simulated_nvml(const Part& part, const std::string& simulator, Search& search,
                                                         const Accept& accept) const {
    const Paths paths(system_.platform());
    const Root root{Root::Layout::folder, "", "simulator"};
    const std::string folder = paths.join(paths.parent(simulator), "companions");
    std::optional<LocatedPart> found = in_folder(part, folder, root, nullptr, accept, search);
    if (!found) {
        throw NotFound(pathfinder_error(Status::library_not_found, "finding nvml (libnvidia-ml.so.1)",
                                        "the driver in use is Cuprum's simulator, and its NVML is not beside it",
                                        "reinstall Cuprum, with the simulator's folder companions; or take the GPU's "
                                        "driver: CUPRUM_DRIVER=gpu"),
                       std::move(search.rejected));
    }
    found->is_simulator = true;
    return found;
}

LocatedPart Finder::search_driver_library(const Part& part, const Accept& accept) const {
    Search search;
    const auto take = [&](std::optional<LocatedPart> found) {
        found->rejected = std::move(search.rejected);
        return std::move(*found);
    };
    const std::string what = std::string(part.name) + " (" + joined(files_of(part, system_.platform())) + ")";
    if (std::string_view(part.name) == "nvml" && driver_choice() != DriverChoice::gpu) {
        // The devices that NVML sees are those of the driver in use.
        const LocatedPart driver = search_driver_library(require_part(PartKind::dynamic_library, "cuda"), {});
        if (driver.is_simulator) {
            return take(search_simulated_nvml(part, driver.abs_path, search, accept));
        }
    }
    if (std::string_view(part.name) != "cuda") {
        if (auto found = search_driver(part, search, accept)) {
            return take(std::move(found));
        }
        throw NotFound(
            pathfinder_error(Status::library_not_found, "finding " + what,
                             "this library of NVIDIA's driver is not on this machine", "install NVIDIA's driver"),
            std::move(search.rejected));
    }
    const DriverChoice choice = driver_choice();
    const auto accept_driver = [&](const std::string& path) {
        std::string reason = refuse_driver(path, search);
        if (reason.empty() && choice == DriverChoice::automatic) {
            const DriverProbe probe = system_.probe_driver(path, true);
            reason = probe.has_device ? "" : probe.reason;
        }
        return reason.empty() && accept ? accept(path) : reason;
    };
    if (choice != DriverChoice::simulator) {
        if (auto found = search_driver(part, search, accept_driver)) {
            return take(std::move(found));
        }
    }
    if (choice == DriverChoice::gpu) {
        throw NotFound(pathfinder_error(Status::library_not_found, "finding the CUDA driver (" + what + ")",
                                        "there is no usable CUDA driver on this machine",
                                        "install NVIDIA's driver, or run without a GPU on Cuprum's simulator: set "
                                        "CUPRUM_DRIVER=sim, or CUPRUM_DRIVER=auto to take the GPU where there is one "
                                        "and the simulator elsewhere"),
                       std::move(search.rejected));
    }
    if (auto found = search_simulator(part, search, accept)) {
        return take(std::move(found));
    }
    throw NotFound(pathfinder_error(Status::library_not_found, "finding Cuprum's simulator (libcuda.so.1)",
                                    choice == DriverChoice::automatic
                                        ? "CUPRUM_DRIVER=auto, and there is neither a driver with a device nor the "
                                          "simulator"
                                        : "CUPRUM_DRIVER=sim, and the simulator is not where it should be",
                                    "set CUPRUM_SIMULATOR_PATH to the simulator's libcuda.so.1 or to its folder"),
                   std::move(search.rejected));
}

}  // namespace cuprum::pathfinder
