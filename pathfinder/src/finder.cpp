#include "cuprum/pathfinder/finder.hpp"

#include <elf.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <utility>

namespace cuprum::pathfinder {

// A library that belongs to the toolkit. `sonames`: newest major version first, the name for linking last.
struct Finder::LibraryKind {
    std::string name;
    std::vector<std::string> sonames;
    std::vector<std::string> wheel_folders;  // under site-packages
    std::string package;                     // on PyPI
};

struct Finder::HeaderKind {
    std::string name;
    std::vector<std::string> markers;        // files that must be there, relative to the folder
    std::vector<std::string> subfolders;     // of a toolkit's include folder, the first that has the markers
    std::vector<std::string> wheel_folders;  // include folders under site-packages
    std::string package;
};

// A folder, and how the search came to it.
struct Finder::Place {
    std::string path;
    std::string found_via;
};

// One search: what was refused so far, and the folders seen, so that none is looked at twice.
struct Finder::Search {
    std::vector<RejectedCandidate> rejected;
    std::set<std::string> seen;

    void reject(std::string path, std::string reason) { rejected.push_back({std::move(path), std::move(reason)}); }
    bool is_new(const std::string& path) { return seen.insert(path).second; }
};

namespace {

constexpr const char* driver_name = "cuda";
constexpr const char* driver_soname = "libcuda.so.1";

bool is_absolute(const std::string& path) {
    return !path.empty() && path.front() == '/';
}

constexpr std::string_view nvrtc_builtins = "libnvrtc-builtins.so.";

std::string parent(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

std::string file_name(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string without_final_slash(std::string path) {
    while (path.size() > 1 && path.back() == '/') {
        path.pop_back();
    }
    return path;
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

// "13.0.88" -> 13.0; stops at the first character that does not fit.
Version parse_version(std::string_view text) {
    Version version;
    std::size_t at = 0;
    for (int* number : {&version.major, &version.minor}) {
        const std::size_t start = at;
        int value = 0;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9' && at - start < 6) {
            value = value * 10 + (text[at] - '0');
            ++at;
        }
        if (at == start) {
            break;
        }
        *number = value;
        if (at >= text.size() || text[at] != '.') {
            break;
        }
        ++at;
    }
    return version;
}

bool same_toolkit(const Version& a, const Version& b) {
    return a.major == b.major && (a.minor < 0 || b.minor < 0 || a.minor == b.minor);
}

std::string describe(FileStatus::Kind kind) {
    switch (kind) {
        case FileStatus::Kind::missing:
            return "does not exist";
        case FileStatus::Kind::dangling_link:
            return "is a symbolic link to something that does not exist";
        case FileStatus::Kind::link_loop:
            return "is a loop of symbolic links";
        case FileStatus::Kind::no_permission:
            return "may not be read by this user";
        case FileStatus::Kind::directory:
            return "is a folder, not a file";
        case FileStatus::Kind::file:
            return "is a file, not a folder";
        case FileStatus::Kind::other:
            return "is neither a file nor a folder";
    }
    return "cannot be used";
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

ErrorInfo pathfinder_error(Status status, std::string operation, std::string detail, std::string advice) {
    ErrorInfo info;
    info.status = status;
    info.domain = ErrorDomain::pathfinder;
    info.operation = std::move(operation);
    info.detail = std::move(detail);
    info.advice = std::move(advice);
    return info;
}

}  // namespace

std::string Version::text() const {
    if (major < 0) {
        return {};
    }
    return std::to_string(major) + (minor < 0 ? "" : "." + std::to_string(minor));
}

const Finder::LibraryKind& Finder::library_kind(std::string_view name) {
    static const std::vector<LibraryKind> kinds = {
        {"nvrtc",
         {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"},
         {"nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"},
         "nvidia-cuda-nvrtc"},
        {"nvJitLink",
         {"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"},
         {"nvidia/cu13/lib", "nvidia/nvjitlink/lib"},
         "nvidia-nvjitlink"},
        {"cudart",
         {"libcudart.so.13", "libcudart.so.12", "libcudart.so"},
         {"nvidia/cu13/lib", "nvidia/cuda_runtime/lib"},
         "nvidia-cuda-runtime"},
    };
    for (const LibraryKind& kind : kinds) {
        if (kind.name == name) {
            return kind;
        }
    }
    throw InvalidArgument("finding a library", std::string(name),
                          "there is no library of that name; known names are " + joined(supported_nvidia_libnames()));
}

const Finder::HeaderKind& Finder::header_kind(std::string_view name) {
    static const std::vector<HeaderKind> kinds = {
        {"cudart",
         {"cuda.h", "cuda_runtime.h"},
         {""},
         {"nvidia/cu13/include", "nvidia/cuda_runtime/include"},
         "nvidia-cuda-runtime"},
        {"cccl",
         {"cub/cub.cuh", "nv/target"},
         {"/cccl", ""},
         {"nvidia/cu13/include", "nvidia/cuda_cccl/include"},
         "nvidia-cuda-cccl"},
    };
    for (const HeaderKind& kind : kinds) {
        if (kind.name == name) {
            return kind;
        }
    }
    throw InvalidArgument("finding headers", std::string(name),
                          "there are no headers of that name; known names are " + joined(supported_headers()));
}

Finder::Finder(const System& system, std::vector<std::string> wheel_folders, std::string install_libdir)
    : system_(system), wheel_folders_(std::move(wheel_folders)), install_libdir_(std::move(install_libdir)) {}

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

// --- refusing -------------------------------------------------------------------------------------------------------

bool Finder::usable_folder(const std::string& folder, Search& search) const {
    const FileStatus status = system_.status(folder);
    if (status.kind != FileStatus::Kind::directory) {
        search.reject(folder, describe(status.kind));
        return false;
    }
    if (status.others_may_write) {
        search.reject(folder, "everybody on this machine may write to this folder, so nothing is loaded from it");
        return false;
    }
    return true;
}

std::string Finder::refuse_library(const std::string& path) const {
    const FileStatus status = system_.status(path);
    if (status.kind != FileStatus::Kind::file) {
        return describe(status.kind);
    }
    if (status.others_may_write) {
        return "everybody on this machine may write to this file";
    }
    const std::string real = system_.canonical(path);
    if (system_.status(parent(real)).others_may_write) {
        return "is a link into " + parent(real) + ", to which everybody on this machine may write";
    }
    if (contains(path, "/stubs/") || contains(real, "/stubs/")) {
        return "is a stub library, which is there to be linked against and runs nothing";
    }
    // The ELF header: the magic number, class and byte order, then e_type and e_machine (two bytes each, at 16 and 18).
    const std::string header = system_.read(path, 20);
    if (header.size() < 20 || header.compare(0, 4,
                                             "\x7f"
                                             "ELF") != 0) {
        return "is not an ELF file";
    }
    if (header[EI_CLASS] != ELFCLASS64) {
        return "is a 32-bit library, and this process is a 64-bit one";
    }
    const int machine = static_cast<unsigned char>(header[18]) | static_cast<unsigned char>(header[19]) << 8;
    if (header[EI_DATA] != ELFDATA2LSB || machine != system_.elf_machine()) {
        return "is for another processor (ELF machine " + std::to_string(machine) + ", this process has " +
               std::to_string(system_.elf_machine()) + ")";
    }
    if ((static_cast<unsigned char>(header[16]) | static_cast<unsigned char>(header[17]) << 8) != ET_DYN) {
        return "is no shared library";
    }
    return {};
}

std::string Finder::refuse_driver(const std::string& path) const {
    std::string reason = refuse_library(path);
    if (reason.empty() && contains(system_.canonical(path), "/cuprum/simulator/")) {
        reason = "is Cuprum's simulator, which only CUPRUM_DRIVER=sim or auto chooses";
    }
    if (reason.empty()) {
        reason = system_.probe_driver(path, false).reason;
    }
    return reason;
}

std::optional<std::string> Finder::library_in_folder(const std::vector<std::string>& sonames, const std::string& folder,
                                                     Search& search, const Accept& accept) const {
    if (!search.is_new(folder) || !usable_folder(folder, search)) {
        return std::nullopt;
    }
    bool any = false;
    for (const std::string& soname : sonames) {
        std::string path = folder + "/" + soname;
        if (system_.status(path).kind == FileStatus::Kind::missing) {
            continue;
        }
        any = true;
        const std::string reason = accept(path);
        if (reason.empty()) {
            return path;
        }
        search.reject(path, reason);
    }
    if (!any) {
        search.reject(folder, "has no " + joined(sonames));
    }
    return std::nullopt;
}

// --- where to look --------------------------------------------------------------------------------------------------

std::vector<std::string> Finder::site_packages(Search& search) const {
    std::vector<std::string> folders = wheel_folders_;
    if (const auto environment = system_.environment("VIRTUAL_ENV")) {
        const std::string root = without_final_slash(*environment);
        if (!is_absolute(root)) {
            search.reject(root, "VIRTUAL_ENV is not an absolute path");
        } else if (const FileStatus status = system_.status(root); status.kind != FileStatus::Kind::directory) {
            search.reject(root, "VIRTUAL_ENV: " + describe(status.kind));
        } else {
            for (const std::string& name : system_.list(root + "/lib")) {
                if (name.starts_with("python3")) {
                    folders.push_back(root + "/lib/" + name + "/site-packages");
                }
            }
        }
    }
    // The wheel that this library may itself be in lies beside the wheels of CUDA.
    for (std::string folder = system_.own_folder(); folder.size() > 1; folder = parent(folder)) {
        const std::string name = file_name(folder);
        if (name == "site-packages" || name == "dist-packages") {
            folders.push_back(folder);
            break;
        }
    }
    std::vector<std::string> unique;
    for (std::string& folder : folders) {
        if (std::find(unique.begin(), unique.end(), folder) == unique.end()) {
            unique.push_back(std::move(folder));
        }
    }
    return unique;
}

// Roots of toolkits that environment variables name.
std::vector<Finder::Place> Finder::toolkit_roots(Search& search) const {
    std::vector<Place> roots;
    for (const auto& [variable, found_via] : {std::pair("CONDA_PREFIX", "conda"), std::pair("CUDA_PATH", "CUDA_PATH"),
                                              std::pair("CUDA_HOME", "CUDA_HOME")}) {
        const auto value = system_.environment(variable);
        if (!value) {
            continue;
        }
        const std::string root = without_final_slash(*value);
        if (!is_absolute(root)) {
            search.reject(root, std::string(variable) + " is not an absolute path");
        } else if (const FileStatus status = system_.status(root); status.kind != FileStatus::Kind::directory) {
            search.reject(root, std::string(variable) + ": " + describe(status.kind));
        } else {
            roots.push_back({root, found_via});
        }
    }
    return roots;
}

// /usr/local/cuda, and after it /usr/local/cuda-13.0 and its like, newest first.
std::vector<std::string> Finder::installed_toolkits() const {
    std::vector<std::pair<Version, std::string>> versions;
    for (const std::string& name : system_.list("/usr/local")) {
        if (name.starts_with("cuda-")) {
            versions.emplace_back(parse_version(std::string_view(name).substr(5)), "/usr/local/" + name);
        }
    }
    std::stable_sort(versions.begin(), versions.end(), [](const auto& a, const auto& b) {
        return std::pair(a.first.major, a.first.minor) > std::pair(b.first.major, b.first.minor);
    });
    std::vector<std::string> roots = {"/usr/local/cuda"};
    for (const auto& [version, root] : versions) {
        if (version.known()) {
            roots.push_back(root);
        }
    }
    return roots;
}

std::vector<std::string> Finder::loader_folders(Search& search) const {
    std::vector<std::string> folders;
    const auto value = system_.environment("LD_LIBRARY_PATH");
    if (!value) {
        return folders;
    }
    std::size_t start = 0;
    while (start <= value->size()) {
        const std::size_t end = std::min(value->find_first_of(":;", start), value->size());
        const std::string folder = without_final_slash(value->substr(start, end - start));
        if (!is_absolute(folder)) {
            search.reject("LD_LIBRARY_PATH entry \"" + folder + "\"",
                          "is not an absolute path, and the working directory is never searched");
        } else {
            folders.push_back(folder);
        }
        start = end + 1;
    }
    return folders;
}

std::optional<LocatedLibrary> Finder::search_toolkits(const LibraryKind& kind, Search& search,
                                                      const Accept& accept) const {
    const auto take = [&](const std::string& path, const std::string& found_via) {
        LocatedLibrary library;
        library.name = kind.name;
        library.abs_path = path;
        library.found_via = found_via;
        library.version = library_version(path);
        library.rejected = search.rejected;
        return library;
    };
    for (const std::string& site : site_packages(search)) {
        for (const std::string& folder : kind.wheel_folders) {
            if (const auto path = library_in_folder(kind.sonames, site + "/" + folder, search, accept)) {
                return take(*path, "wheel");
            }
        }
    }
    const std::vector<std::string> subfolders = {"/lib64", "/lib", "/targets/" + system_.cuda_target() + "/lib"};
    for (const Place& root : toolkit_roots(search)) {
        for (const std::string& subfolder : subfolders) {
            if (const auto path = library_in_folder(kind.sonames, root.path + subfolder, search, accept)) {
                return take(*path, root.found_via);
            }
        }
    }
    for (const std::string& folder : loader_folders(search)) {
        if (const auto path = library_in_folder(kind.sonames, folder, search, accept)) {
            return take(*path, "loader");
        }
    }
    bool in_cache = false;
    for (const std::string& soname : kind.sonames) {
        for (const std::string& path : system_.loader_paths(soname)) {
            in_cache = true;
            // A folder that was looked at before has been judged already.
            if (search.seen.count(parent(path)) != 0 || !usable_folder(parent(path), search)) {
                continue;
            }
            const std::string reason = accept(path);
            if (reason.empty()) {
                return take(path, "loader");
            }
            search.reject(path, reason);
        }
    }
    if (!in_cache) {
        search.reject("the dynamic loader's cache and folders", "have no " + joined(kind.sonames));
    }
    for (const std::string& root : installed_toolkits()) {
        for (const std::string& subfolder : subfolders) {
            if (const auto path = library_in_folder(kind.sonames, root + subfolder, search, accept)) {
                return take(*path, "/usr/local/cuda");
            }
        }
    }
    return std::nullopt;
}

// --- the driver and the simulator -----------------------------------------------------------------------------------

std::optional<LocatedLibrary> Finder::search_driver(Search& search, const Accept& accept) const {
    const auto take = [&](const std::string& path, const std::string& found_via) {
        LocatedLibrary library;
        library.name = driver_name;
        library.abs_path = path;
        library.found_via = found_via;
        library.rejected = search.rejected;
        return library;
    };
    const std::vector<std::string> sonames = {driver_soname};
    for (const std::string& folder : loader_folders(search)) {
        if (const auto path = library_in_folder(sonames, folder, search, accept)) {
            return take(*path, "loader");
        }
    }
    const std::vector<std::string> loader_paths = system_.loader_paths(driver_soname);
    if (loader_paths.empty()) {
        search.reject("the dynamic loader's cache and folders", std::string("have no ") + driver_soname);
    }
    for (const std::string& path : loader_paths) {
        if (search.seen.count(parent(path)) != 0 || !usable_folder(parent(path), search)) {
            continue;
        }
        const std::string reason = accept(path);
        if (reason.empty()) {
            return take(path, "loader");
        }
        search.reject(path, reason);
        search.is_new(parent(path));
    }
    const std::string multiarch = "/usr/lib/" + system_.multiarch();
    for (const std::string& folder :
         {multiarch, multiarch + "/nvidia/current", std::string("/usr/lib/wsl/lib"),
          std::string("/usr/local/nvidia/lib64"), std::string("/usr/local/nvidia/lib"),
          std::string("/usr/lib64-nvidia"), std::string("/usr/lib64"), std::string("/usr/lib64/nvidia"),
          std::string("/usr/lib/nvidia"), multiarch + "/tegra"}) {
        if (const auto path = library_in_folder(sonames, folder, search, accept)) {
            return take(*path, "driver folder");
        }
    }
    return std::nullopt;
}

std::optional<LocatedLibrary> Finder::search_simulator(Search& search, const Accept& accept) const {
    const auto take = [&](const std::string& path, const std::string& found_via) {
        LocatedLibrary library;
        library.name = driver_name;
        library.abs_path = path;
        library.found_via = found_via;
        library.is_simulator = true;
        library.rejected = search.rejected;
        return library;
    };
    const std::vector<std::string> sonames = {driver_soname};
    if (const auto value = system_.environment("CUPRUM_SIMULATOR_PATH")) {
        const std::string path = without_final_slash(*value);
        if (!is_absolute(path)) {
            search.reject(path, "CUPRUM_SIMULATOR_PATH is not an absolute path");
        } else if (system_.status(path).kind == FileStatus::Kind::directory) {
            if (const auto library = library_in_folder(sonames, path, search, accept)) {
                return take(*library, "CUPRUM_SIMULATOR_PATH");
            }
        } else if (std::string reason = accept(path); !reason.empty()) {
            search.reject(path, "CUPRUM_SIMULATOR_PATH: " + reason);
        } else {
            return take(path, "CUPRUM_SIMULATOR_PATH");
        }
        // Whoever names a simulator wants that one and no other.
        return std::nullopt;
    }
    std::vector<std::string> folders;
    if (const std::string own = system_.own_folder(); is_absolute(own)) {
        folders = {own + "/cuprum/simulator", parent(own) + "/lib/cuprum/simulator", own + "/simulator"};
    }
    if (is_absolute(install_libdir_)) {
        folders.push_back(install_libdir_ + "/cuprum/simulator");
    }
    for (const std::string& folder : folders) {
        if (const auto path = library_in_folder(sonames, folder, search, accept)) {
            return take(*path, "simulator");
        }
    }
    return std::nullopt;
}

LocatedLibrary Finder::search_any_driver(Search& search, const Accept& accept) const {
    const DriverChoice choice = driver_choice();
    const Accept accept_driver = [&](const std::string& path) {
        std::string reason = refuse_driver(path);
        return reason.empty() ? accept(path) : reason;
    };
    const Accept accept_driver_with_device = [&](const std::string& path) {
        std::string reason = accept_driver(path);
        if (reason.empty()) {
            const DriverProbe probe = system_.probe_driver(path, true);
            reason = probe.has_device ? "" : probe.reason;
        }
        return reason;
    };
    if (choice == DriverChoice::gpu) {
        if (auto library = search_driver(search, accept_driver)) {
            return *library;
        }
        throw NotFound(pathfinder_error(Status::library_not_found, "finding the CUDA driver (libcuda.so.1)",
                                        "there is no usable CUDA driver on this machine",
                                        "install NVIDIA's driver, or run without a GPU on Cuprum's simulator: set "
                                        "CUPRUM_DRIVER=sim, or CUPRUM_DRIVER=auto to take the GPU where there is one "
                                        "and the simulator elsewhere"),
                       search.rejected);
    }
    if (choice == DriverChoice::automatic) {
        if (auto library = search_driver(search, accept_driver_with_device)) {
            return *library;
        }
    }
    if (auto library = search_simulator(search, accept)) {
        return *library;
    }
    throw NotFound(pathfinder_error(Status::library_not_found, "finding Cuprum's simulator (libcuda.so.1)",
                                    choice == DriverChoice::automatic
                                        ? "CUPRUM_DRIVER=auto, and there is neither a driver with a device nor the "
                                          "simulator"
                                        : "CUPRUM_DRIVER=sim, and the simulator is not where it should be",
                                    "set CUPRUM_SIMULATOR_PATH to the simulator's libcuda.so.1 or to its folder"),
                   search.rejected);
}

LocatedLibrary Finder::search_library(std::string_view name, const Accept& accept) const {
    Search search;
    if (name == driver_name) {
        return search_any_driver(search, accept);
    }
    const LibraryKind& kind = library_kind(name);
    if (auto library = search_toolkits(kind, search, accept)) {
        return *library;
    }
    throw NotFound(pathfinder_error(Status::library_not_found, "finding " + kind.name + " (" + kind.sonames[0] + ")",
                                    "it is in none of the places where CUDA's libraries are looked for",
                                    "install it with: pip install " + kind.package +
                                        "; or set CUDA_PATH to the root of a CUDA toolkit"),
                   search.rejected);
}

LocatedLibrary Finder::find_library(std::string_view name) const {
    return search_library(name, [this](const std::string& path) { return refuse_library(path); });
}

// NVRTC opens its built-ins by their bare name when it first compiles, and the wheels' NVRTC has no run path to find
// them by. One that is open already is taken. Where there is none, or it does not open, NVRTC's own error says so.
void Finder::open_nvrtc_builtins(const std::string& nvrtc_path) const {
    const std::string folder = parent(system_.canonical(nvrtc_path));
    for (const std::string& file : system_.list(folder)) {
        const std::string path = folder + "/" + file;
        if (file.starts_with(nvrtc_builtins) && refuse_library(path).empty()) {
            static_cast<void>(system_.open(path));
        }
    }
}

LoadedLibrary Finder::load_library(std::string_view name) const {
    OpenedLibrary opened;
    LoadedLibrary result;
    static_cast<LocatedLibrary&>(result) = search_library(name, [&](const std::string& path) {
        std::string reason = refuse_library(path);
        if (reason.empty()) {
            if (name == "nvrtc") {
                open_nvrtc_builtins(path);
            }
            opened = system_.open(path);
            if (opened.handle == nullptr) {
                reason = "does not open: " + opened.error;
            }
        }
        return reason;
    });
    // A driver that was opened and then refused for its lack of a device is not the one that was opened last.
    result.handle = opened.handle;
    result.was_already_loaded = opened.was_already_loaded;
    return result;
}

// --- versions -------------------------------------------------------------------------------------------------------

Version Finder::header_version(const std::string& folder) const {
    constexpr std::size_t enough = 64u << 10;  // CUDA_VERSION is defined within the first 20 kB of every cuda.h
    const std::string text = system_.read(folder + "/cuda.h", enough);
    constexpr std::string_view marker = "#define CUDA_VERSION ";
    const std::size_t at = text.find(marker);
    if (at == std::string::npos) {
        return {};
    }
    int number = 0;
    std::from_chars(text.data() + at + marker.size(), text.data() + text.size(), number);
    return number > 0 ? Version{number / 1000, number % 1000 / 10} : Version{};
}

// The real file's name where it has it (libnvrtc.so.13.0.88); else the major number from there and the minor one from
// what lies beside it: NVRTC's built-ins carry it in their name, and the toolkit's cuda.h in its text.
Version Finder::library_version(const std::string& path) const {
    const std::string real = system_.canonical(path);
    Version version;
    for (const std::string& name : {file_name(real), file_name(path)}) {
        const std::size_t at = name.find(".so.");
        const Version found =
            at == std::string::npos ? Version{} : parse_version(std::string_view(name).substr(at + 4));
        if (found.known() && (!version.known() || version.minor < 0)) {
            version = found;
        }
    }
    if (version.known() && version.minor >= 0) {
        return version;
    }
    for (const std::string& folder : {parent(real), parent(path)}) {
        for (const std::string& name : system_.list(folder)) {
            if (name.starts_with(nvrtc_builtins)) {
                const Version found = parse_version(std::string_view(name).substr(nvrtc_builtins.size()));
                if (found.minor >= 0 && (!version.known() || found.major == version.major)) {
                    return found;
                }
            }
        }
        const Version found = header_version(parent(folder) + "/include");
        if (found.known() && (!version.known() || found.major == version.major)) {
            return found;
        }
    }
    return version;
}

// --- headers --------------------------------------------------------------------------------------------------------

// Include folders in the order of the search: those of NVRTC's own toolkit, then the order of every search.
std::vector<Finder::Place> Finder::header_places(const HeaderKind& kind, const LocatedLibrary* nvrtc,
                                                 Search& search) const {
    std::vector<Place> places;
    if (nvrtc != nullptr) {
        for (const std::string& path : {nvrtc->abs_path, system_.canonical(nvrtc->abs_path)}) {
            const std::string root = parent(parent(path));
            // A wheel per part: site-packages/nvidia/cuda_nvrtc/lib beside site-packages/nvidia/cuda_runtime/include.
            if (file_name(parent(root)) == "nvidia") {
                for (const std::string& folder : kind.wheel_folders) {
                    places.push_back({parent(parent(root)) + "/" + folder, nvrtc->found_via});
                }
            }
            places.push_back({root + "/include", nvrtc->found_via});
            if (file_name(parent(path)) == system_.multiarch()) {
                places.push_back({parent(root) + "/include", nvrtc->found_via});  // /usr/lib/<machine> and /usr/include
            }
            places.push_back({root + "/targets/" + system_.cuda_target() + "/include", nvrtc->found_via});
        }
    }
    for (const std::string& site : site_packages(search)) {
        for (const std::string& folder : kind.wheel_folders) {
            places.push_back({site + "/" + folder, "wheel"});
        }
    }
    const std::string target_include = "/targets/" + system_.cuda_target() + "/include";
    for (const Place& root : toolkit_roots(search)) {
        places.push_back({root.path + "/include", root.found_via});
        places.push_back({root.path + target_include, root.found_via});
    }
    places.push_back({"/usr/include", "system"});  // the headers beside the libraries that the dynamic loader knows
    for (const std::string& root : installed_toolkits()) {
        places.push_back({root + "/include", "/usr/local/cuda"});
        places.push_back({root + target_include, "/usr/local/cuda"});
    }
    return places;
}

LocatedHeaderDirectory Finder::find_headers(std::string_view name, const LocatedLibrary* nvrtc) const {
    const HeaderKind& kind = header_kind(name);
    Search search;
    bool wrong_version = false;
    for (const Place& place : header_places(kind, nvrtc, search)) {
        if (!search.is_new(place.path)) {
            continue;
        }
        if (const FileStatus status = system_.status(place.path); status.kind != FileStatus::Kind::directory) {
            search.reject(place.path, describe(status.kind));
            continue;
        }
        if (!usable_folder(place.path, search)) {
            continue;
        }
        for (const std::string& subfolder : kind.subfolders) {
            const std::string folder = place.path + subfolder;
            const auto missing = std::find_if(kind.markers.begin(), kind.markers.end(), [&](const std::string& marker) {
                return system_.status(folder + "/" + marker).kind != FileStatus::Kind::file;
            });
            if (missing != kind.markers.end()) {
                search.reject(folder, "has no " + *missing);
                continue;
            }
            const Version version = kind.name == "cudart" ? header_version(folder) : Version{};
            if (nvrtc != nullptr && nvrtc->version.known() && version.known() &&
                !same_toolkit(version, nvrtc->version)) {
                search.reject(folder, "its cuda.h is of CUDA " + version.text() + ", but NVRTC (" + nvrtc->abs_path +
                                          ") is of CUDA " + nvrtc->version.text() +
                                          ": all parts of a compilation must be of one toolkit");
                wrong_version = true;
                continue;
            }
            return {kind.name, folder, place.found_via, version, search.rejected};
        }
    }
    const std::string package =
        nvrtc != nullptr && nvrtc->version.minor >= 0 && kind.name == "cudart"
            ? "'" + kind.package + (nvrtc->version.major == 12 ? "-cu12" : "") + "==" + nvrtc->version.text() + ".*'"
            : kind.package;
    throw NotFound(
        pathfinder_error(
            Status::header_not_found, "finding the headers of " + kind.name + " (" + joined(kind.markers) + ")",
            wrong_version
                ? "there are such headers, but none of CUDA " + nvrtc->version.text() + ", to which NVRTC belongs"
                : "they are in none of the places where CUDA's headers are looked for",
            "install them with: pip install " + package + "; or set CUDA_PATH to the root of a CUDA toolkit"),
        search.rejected);
}

}  // namespace cuprum::pathfinder
