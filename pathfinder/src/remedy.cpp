#include "remedy.hpp"

#include <algorithm>
#include <vector>

#include "catalogue.hpp"
#include "paths.hpp"
#include "search.hpp"

namespace cuprum::pathfinder {

namespace {

// The start of a pip command for the environment that a site-packages folder belongs to; empty if pip does not install
// there.
std::string pip_of(const System& system, const std::string& site) {
    const Paths paths(system.platform());
    if (paths.file_name(site) != "site-packages") {
        return {};  // Debian's dist-packages, which are apt's
    }
    for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
        // Its own pip is the first on PATH.
        if (const auto active = system.environment(variable); active && site.starts_with(paths.clean(*active) + "/")) {
            return "pip install ";
        }
    }
    const std::string python = paths.parent(paths.parent(paths.parent(site))) + "/bin/python";
    return exists(system, python) ? shell_word(python) + " -m pip install " : std::string();
}

// Whether an NVIDIA device is on the PCI bus; none if the system does not tell.
std::optional<bool> has_nvidia_device(const System& system) {
    const std::string bus = "/sys/bus/pci/devices";
    const std::vector<std::string> devices = system.list(bus);
    if (devices.empty()) {
        return std::nullopt;
    }
    return std::any_of(devices.begin(), devices.end(), [&](const std::string& device) {
        return system.read(bus + "/" + device + "/vendor", 16).starts_with("0x10de");
    });
}

}  // namespace

std::string shell_word(std::string_view text) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,=@%";
    if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) {
        return std::string(text);
    }
    std::string word = "'";
    for (const char c : text) {
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return word + "'";
}

std::string one_of(std::initializer_list<std::string> remedies) {
    std::string text;
    for (const std::string& remedy : remedies) {
        if (!remedy.empty()) {
            text += (text.empty() ? "" : "\nor: ") + remedy;
        }
    }
    return text;
}

std::string pip_install(const Finder& finder, const std::string& packages) {
    if (finder.system().platform() == Platform::windows_x86_64) {
        return "pip install " + packages;
    }
    for (const std::string& site : finder.site_packages()) {
        if (const std::string pip = pip_of(finder.system(), site); !pip.empty()) {
            return pip + packages;
        }
    }
    return "python3 -m venv ~/cuda && . ~/cuda/bin/activate && pip install " + packages;
}

std::optional<std::string> toolkit_packages(const VersionConstraint& constraint) {
    for (const int major : {13, 12}) {
        if (!constraint.allows({major, -1})) {
            continue;
        }
        Version wanted{major, -1};
        int count = 0;
        for (int minor = 0; minor < 10; ++minor) {
            if (constraint.allows({major, minor})) {
                wanted.minor = minor;
                ++count;
            }
        }
        if (count == 0) {
            continue;
        }
        if (count > 1) {
            wanted.minor = -1;
        }
        return toolkit_packages(wanted);
    }
    return std::nullopt;
}

std::string install_driver(const System& system) {
    if (exists(system, "/usr/lib/wsl/lib")) {
        return "wsl.exe --update  # after NVIDIA's driver has been installed in Windows; then: wsl.exe --shutdown";
    }
    if (has_nvidia_device(system) == false) {
        return {};
    }
    if (exists(system, "/.dockerenv") || exists(system, "/run/.containerenv")) {
        return "docker run --gpus all ...  # start the container with the driver in it (NVIDIA Container Toolkit)";
    }
    if (exists(system, "/usr/bin/ubuntu-drivers")) {
        return "sudo ubuntu-drivers install && sudo reboot";
    }
    if (system.read("/etc/os-release", 4096).find("ID=ubuntu") != std::string::npos) {
        return "sudo apt-get install ubuntu-drivers-common && sudo ubuntu-drivers install && sudo reboot";
    }
    if (exists(system, "/usr/bin/apt-get")) {
        return "sudo apt-get install nvidia-driver && sudo reboot  # in Debian's component non-free";
    }
    return "install NVIDIA's driver, then restart the machine";
}

std::string clean_library_path(const System& system) {
    const Paths paths(system.platform());
    const std::string value = system.environment("LD_LIBRARY_PATH").value_or("");
    std::string kept;
    std::size_t start = 0;
    while (start <= value.size()) {
        const std::size_t end = std::min(value.find_first_of(":;", start), value.size());
        const std::string folder = value.substr(start, end - start);
        if (paths.is_absolute(folder) && paths.file_name(paths.clean(folder)) != "stubs") {
            kept += (kept.empty() ? "" : ":") + folder;
        }
        start = end + 1;
    }
    return kept.empty() ? "unset LD_LIBRARY_PATH" : "export LD_LIBRARY_PATH=" + shell_word(kept);
}

}  // namespace cuprum::pathfinder
