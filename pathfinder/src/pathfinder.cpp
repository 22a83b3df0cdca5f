#include "cuprum/pathfinder/pathfinder.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "cuprum/pathfinder/finder.hpp"

namespace cuprum::pathfinder {

namespace {

// What this process has found. Never destroyed: objects that outlive main may still ask.
struct Cache {
    std::recursive_mutex mutex;
    const System* system = &real_system();
    std::vector<std::string> wheel_folders;
    std::map<std::string, LocatedLibrary, std::less<>> located;
    std::map<std::string, LoadedLibrary, std::less<>> loaded;
    std::map<std::string, LocatedHeaderDirectory, std::less<>> headers;

    Finder finder() const { return Finder(*system, wheel_folders, CUPRUM_INSTALL_LIBDIR); }

    void forget() {
        located.clear();
        loaded.clear();
        headers.clear();
    }
};

Cache& cache() {
    static Cache* const the_cache = new Cache;
    return *the_cache;
}

}  // namespace

const std::vector<std::string>& supported_nvidia_libnames() {
    static const std::vector<std::string> names = {"cuda", "nvrtc", "nvJitLink", "cudart"};
    return names;
}

const std::vector<std::string>& supported_headers() {
    static const std::vector<std::string> names = {"cudart", "cccl"};
    return names;
}

LocatedLibrary find_nvidia_dynamic_lib(std::string_view name) {
    Cache& known = cache();
    const std::lock_guard lock(known.mutex);
    if (const auto found = known.loaded.find(name); found != known.loaded.end()) {
        return found->second;
    }
    auto found = known.located.find(name);
    if (found == known.located.end()) {
        found = known.located.emplace(name, known.finder().find_library(name)).first;
    }
    return found->second;
}

LoadedLibrary load_nvidia_dynamic_lib(std::string_view name) {
    Cache& known = cache();
    const std::lock_guard lock(known.mutex);
    auto found = known.loaded.find(name);
    if (found == known.loaded.end()) {
        found = known.loaded.emplace(name, known.finder().load_library(name)).first;
    }
    return found->second;
}

LocatedHeaderDirectory find_nvidia_header_directory(std::string_view name) {
    Cache& known = cache();
    const std::lock_guard lock(known.mutex);
    auto found = known.headers.find(name);
    if (found == known.headers.end()) {
        LocatedLibrary nvrtc;
        const LocatedLibrary* toolkit = nullptr;
        try {
            nvrtc = find_nvidia_dynamic_lib("nvrtc");
            toolkit = &nvrtc;
        } catch (const NotFound&) {
            // Headers are of use without NVRTC too.
        }
        LocatedHeaderDirectory headers = known.finder().find_headers(name, toolkit);
        if (toolkit == nullptr) {
            return headers;  // NVRTC may turn up later, and would choose others
        }
        found = known.headers.emplace(name, std::move(headers)).first;
    }
    return found->second;
}

std::string find_cuda_library(std::string_view name) {
    return find_nvidia_dynamic_lib(name).abs_path;
}

std::vector<std::string> find_cuda_include_dirs() {
    std::vector<std::string> folders = {find_nvidia_header_directory("cudart").abs_path};
    try {
        std::string cccl = find_nvidia_header_directory("cccl").abs_path;
        if (cccl != folders.front()) {
            folders.push_back(std::move(cccl));
        }
    } catch (const NotFound&) {
        // Programs that include nothing of CCCL compile without it.
    }
    return folders;
}

std::vector<ToolkitPart> find_toolkit_parts() {
    std::vector<ToolkitPart> parts;
    const auto add = [&](ToolkitPart::Kind kind, const std::string& name, auto find) {
        ToolkitPart part;
        part.kind = kind;
        part.name = name;
        try {
            auto found = find(name);
            part.found = true;
            part.abs_path = std::move(found.abs_path);
            part.found_via = std::move(found.found_via);
            part.version = found.version;
            part.rejected = std::move(found.rejected);
        } catch (const NotFound& error) {
            part.rejected = error.candidates();
        }
        parts.push_back(std::move(part));
    };
    for (const std::string& name : supported_nvidia_libnames()) {
        add(ToolkitPart::Kind::library, name, [](const std::string& n) { return find_nvidia_dynamic_lib(n); });
    }
    for (const std::string& name : supported_headers()) {
        add(ToolkitPart::Kind::headers, name, [](const std::string& n) { return find_nvidia_header_directory(n); });
    }
    return parts;
}

void add_wheel_directory(std::string_view site_packages) {
    std::string folder(site_packages);
    while (folder.size() > 1 && folder.back() == '/') {
        folder.pop_back();
    }
    if (folder.empty() || folder.front() != '/') {
        throw InvalidArgument("adding a folder of wheels", folder, "it is not an absolute path");
    }
    Cache& known = cache();
    const std::lock_guard lock(known.mutex);
    if (std::find(known.wheel_folders.begin(), known.wheel_folders.end(), folder) == known.wheel_folders.end()) {
        known.wheel_folders.push_back(std::move(folder));
        known.forget();
    }
}

void replace_system(const System* system) {
    Cache& known = cache();
    const std::lock_guard lock(known.mutex);
    known.system = system != nullptr ? system : &real_system();
    known.forget();
}

void reset_cache() {
    Cache& known = cache();
    const std::lock_guard lock(known.mutex);
    known.forget();
}

}  // namespace cuprum::pathfinder
