// Where the search looks, in which order.
#include <algorithm>

#include "catalogue.hpp"
#include "paths.hpp"
#include "search.hpp"

namespace cuprum::pathfinder {

namespace {

// Libraries that every toolkit has; where the dynamic loader knows one of them, it knows a toolkit.
constexpr const char* anchors[] = {"libcudart.so.13", "libcudart.so.12", "libnvrtc.so.13", "libnvrtc.so.12"};
constexpr const char* cudart_sonames[] = {"libcudart.so.13", "libcudart.so.12"};

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Those of `names` that are `prefix` and a version, the newest first.
std::vector<std::string> newest_first(const std::vector<std::string>& names, std::string_view prefix) {
    std::vector<std::pair<Version, std::string>> versions;
    for (const std::string& name : names) {
        if (name.starts_with(prefix)) {
            const Version version = parse_version(std::string_view(name).substr(prefix.size()));
            if (version.known()) {
                versions.emplace_back(version, name);
            }
        }
    }
    std::stable_sort(versions.begin(), versions.end(), [](const auto& a, const auto& b) {
        return std::pair(a.first.major, a.first.minor) > std::pair(b.first.major, b.first.minor);
    });
    std::vector<std::string> sorted;
    sorted.reserve(versions.size());
    for (auto& [version, name] : versions) {
        sorted.push_back(std::move(name));
    }
    return sorted;
}

}  // namespace

Root Finder::variable_root(const std::string& variable) const {
    const Paths paths(system_.platform());
    const auto value = system_.environment(variable);
    if (!value) {
        return {};
    }
    Root root{Root::Layout::toolkit, paths.clean(*value), variable};
    if (!paths.is_absolute(root.path)) {
        root.refusal = variable + " is not an absolute path";
    } else if (const FileStatus status = system_.status(root.path); status.kind != FileStatus::Kind::directory) {
        root.refusal = variable + ": " + describe(status.kind);
    }
    return root;
}

std::vector<std::string> Finder::site_packages() const {
    std::vector<Root> refused;
    return site_packages(refused);
}

std::vector<std::string> Finder::site_packages(std::vector<Root>& refused) const {
    const Paths paths(system_.platform());
    std::vector<std::string> folders = wheel_folders_;
    // Of conda's environments too: pip installs into them.
    for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
        Root environment = variable_root(variable);
        if (!environment.refusal.empty() || environment.path.empty()) {
            if (!environment.refusal.empty() && std::string_view(variable) == "VIRTUAL_ENV") {
                refused.push_back(std::move(environment));
            }
            continue;
        }
        if (paths.is_windows()) {
            folders.push_back(paths.join(environment.path, "Lib/site-packages"));
            continue;
        }
        for (const std::string& name : system_.list(environment.path + "/lib")) {
            if (name.starts_with("python3")) {
                folders.push_back(environment.path + "/lib/" + name + "/site-packages");
            }
        }
    }
    // The wheel that this library may itself be in lies beside the wheels of CUDA.
    for (std::string folder = system_.own_folder(); folder.size() > 1; folder = paths.parent(folder)) {
        const std::string name = paths.file_name(folder);
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

void Finder::add_wheel_roots(const std::string& site, std::vector<Root>& roots) const {
    const Paths paths(system_.platform());
    const std::string nvidia = paths.join(site, "nvidia");
    for (const std::string& name : newest_first(system_.list(nvidia), "cu")) {
        if (is_number(std::string_view(name).substr(2))) {
            roots.push_back({Root::Layout::cuda_wheels, paths.join(nvidia, name), "wheel"});
        }
    }
    roots.push_back({Root::Layout::part_wheels, site, "wheel"});
}

// The folders that the dynamic loader is told to look in: LD_LIBRARY_PATH, and on Windows the system's own and PATH.
std::vector<std::string> Finder::loader_folders(std::vector<Root>& refused) const {
    const Paths paths(system_.platform());
    std::vector<std::string> folders;
    if (paths.is_windows()) {
        if (const auto windows = system_.environment("SystemRoot")) {
            folders.push_back(paths.join(paths.clean(*windows), "System32"));
        }
    }
    const std::string variable = paths.is_windows() ? "PATH" : "LD_LIBRARY_PATH";
    const auto value = system_.environment(variable);
    if (!value) {
        return folders;
    }
    std::size_t start = 0;
    while (start <= value->size()) {
        const std::size_t end = std::min(value->find_first_of(paths.is_windows() ? ";" : ":;", start), value->size());
        const std::string folder = paths.clean(std::string_view(*value).substr(start, end - start));
        if (!paths.is_absolute(folder)) {
            refused.push_back({Root::Layout::folder, variable + " entry \"" + folder + "\"", "loader", "",
                               "is not an absolute path, and the working directory is never searched"});
        } else {
            folders.push_back(folder);
        }
        start = end + 1;
    }
    return folders;
}

// The toolkit that a folder of libraries is part of, by the folder's name.
std::optional<Root> Finder::root_of(const std::string& library_folder) const {
    const Paths paths(system_.platform());
    const std::string name = paths.file_name(library_folder);
    const std::string above = paths.parent(library_folder);
    const std::string name_above = paths.file_name(above);
    Root root{Root::Layout::toolkit, above, "", library_folder};
    if (paths.is_windows()) {
        if (name == "x64" && name_above == "bin") {
            root.path = paths.parent(above);
            return root;
        }
        return name == "bin" ? std::optional(root) : std::nullopt;
    }
    const std::string parent_of_above = paths.parent(above);
    if (name == multiarch(system_.platform()) && name_above == "lib") {
        root.layout = Root::Layout::system;
        root.path = parent_of_above.empty() ? "/usr" : parent_of_above;
        return root;
    }
    if (name != "lib" && name != "lib64") {
        return std::nullopt;
    }
    if (paths.file_name(parent_of_above) == "targets") {
        root.path = paths.parent(parent_of_above);
    } else if (paths.file_name(parent_of_above) == "nvidia") {
        const bool is_whole = name_above.starts_with("cu") && is_number(std::string_view(name_above).substr(2));
        root.layout = is_whole ? Root::Layout::cuda_wheels : Root::Layout::part_wheels;
        root.path = is_whole ? above : paths.parent(parent_of_above);
    } else if (above.empty() || above == "/usr") {
        root.layout = Root::Layout::system;
        root.path = "/usr";
    }
    return root;
}

void Finder::add_loader_roots(std::vector<Root>& roots) const {
    const Paths paths(system_.platform());
    std::vector<Root> refused;
    const std::vector<std::string> folders = loader_folders(refused);
    for (Root& root : refused) {
        roots.push_back(std::move(root));
    }
    for (const std::string& folder : folders) {
        Root root = root_of(folder).value_or(Root{Root::Layout::folder, folder, "", folder});
        root.found_via = "loader";
        roots.push_back(std::move(root));
    }
    if (paths.is_windows()) {
        return;
    }
    roots.push_back({Root::Layout::loader, "", "loader"});
    for (const char* anchor : anchors) {
        for (const std::string& path : system_.loader_paths(anchor)) {
            std::optional<Root> root = root_of(paths.parent(system_.canonical(path)));
            if (root && std::none_of(roots.begin(), roots.end(), [&](const Root& known) {
                    return known.path == root->path && known.layout == root->layout;
                })) {
                root->found_via = "loader";
                roots.push_back(std::move(*root));
            }
        }
    }
    roots.push_back({Root::Layout::system, "/usr", "system"});
}

void Finder::add_installed_toolkits(std::vector<Root>& roots) const {
    const Paths paths(system_.platform());
    if (paths.is_windows()) {
        if (const auto program_files = system_.environment("ProgramFiles")) {
            const std::string folder = paths.join(paths.clean(*program_files), "NVIDIA GPU Computing Toolkit/CUDA");
            for (const std::string& name : newest_first(system_.list(folder), "v")) {
                roots.push_back({Root::Layout::toolkit, paths.join(folder, name), "Program Files"});
            }
        }
        return;
    }
    roots.push_back({Root::Layout::toolkit, "/usr/local/cuda", "/usr/local/cuda"});
    for (const std::string& name : newest_first(system_.list("/usr/local"), "cuda-")) {
        roots.push_back({Root::Layout::toolkit, "/usr/local/" + name, "/usr/local/cuda"});
    }
}

void Finder::add_environment_roots(std::vector<Root>& roots) const {
    const Paths paths(system_.platform());
    for (const std::string& site : site_packages(roots)) {
        add_wheel_roots(site, roots);
    }
    for (const auto& [variable, found_via] : {std::pair("CONDA_PREFIX", "conda"), std::pair("CUDA_PATH", "CUDA_PATH"),
                                              std::pair("CUDA_HOME", "CUDA_HOME")}) {
        Root root = variable_root(variable);
        if (!root.path.empty()) {
            root.found_via = found_via;
            if (paths.is_windows() && root.found_via == "conda") {
                root.path = paths.join(root.path, "Library");
            }
            roots.push_back(std::move(root));
        }
    }
}

void Finder::add_loaded_roots(std::vector<Root>& roots) const {
    const Paths paths(system_.platform());
    if (paths.is_windows()) {
        return;
    }
    for (const char* soname : cudart_sonames) {
        const std::string path = system_.loaded_path(soname);
        if (path.empty()) {
            continue;
        }
        for (const std::string& folder : {paths.parent(path), paths.parent(system_.canonical(path))}) {
            Root root = root_of(folder).value_or(Root{Root::Layout::folder, folder, "", folder});
            root.found_via = "loaded";
            roots.push_back(std::move(root));
        }
    }
}

void Finder::visit_roots(const std::function<bool(const Root&)>& visit) const {
    std::vector<Root> roots;
    std::size_t next = 0;
    for (const auto add : {&Finder::add_environment_roots, &Finder::add_loader_roots, &Finder::add_installed_toolkits,
                           &Finder::add_loaded_roots}) {
        (this->*add)(roots);
        for (; next < roots.size(); ++next) {
            if (visit(roots[next])) {
                return;
            }
        }
    }
}

std::vector<Root> Finder::roots() const {
    std::vector<Root> roots;
    visit_roots([&](const Root& root) {
        roots.push_back(root);
        return false;
    });
    return roots;
}

// The folders of a root that may hold the part, the likeliest first.
std::vector<std::string> Finder::folders_in(const Root& root, const Part& part) const {
    const Platform platform = system_.platform();
    const Paths paths(platform);
    std::vector<std::string> folders;
    const auto add = [&](const std::vector<std::string>& relative) {
        for (const std::string& folder : relative) {
            folders.push_back(paths.join(root.path, folder));
        }
    };
    const bool is_library = part.kind == PartKind::dynamic_library || part.kind == PartKind::static_library;
    if (is_library && !root.library_folder.empty()) {
        folders.push_back(root.library_folder);
    }
    switch (root.layout) {
        case Root::Layout::cuda_wheels:
            if (part.origin == PartOrigin::toolkit) {
                add(cuda_wheel_folders_of(part, platform));
            }
            break;
        case Root::Layout::part_wheels:
            add(wheel_folders_of(part, platform));
            break;
        case Root::Layout::toolkit:
            add(toolkit_folders_of(part, platform));
            break;
        case Root::Layout::system: {
            const std::string machine = multiarch(platform);
            switch (part.kind) {
                case PartKind::dynamic_library:
                case PartKind::static_library:
                    add({"lib/" + machine});
                    break;
                case PartKind::headers:
                    add({"include", "include/" + machine});
                    break;
                case PartKind::bitcode_library:
                    add({"lib/nvidia-cuda-toolkit/libdevice", "lib/cuda/nvvm/libdevice"});
                    break;
                case PartKind::binary_utility:
                    add({"bin", "lib/nvidia-cuda-toolkit/bin"});
                    break;
            }
            add(toolkit_folders_of(part, platform));
            break;
        }
        case Root::Layout::folder:
        case Root::Layout::loader:
            break;
    }
    return folders;
}

}  // namespace cuprum::pathfinder
