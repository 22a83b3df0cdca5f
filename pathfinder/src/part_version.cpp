// Of which CUDA version a part is, without opening it.
#include <algorithm>
#include <charconv>

#include "catalogue.hpp"
#include "paths.hpp"
#include "search.hpp"

namespace cuprum::pathfinder {

Version Finder::header_version(const std::string& folder) const {
    constexpr std::size_t enough = 64u << 10;  // CUDA_VERSION is defined within the first 20 kB of every cuda.h
    const std::string text = system_.read(Paths(system_.platform()).join(folder, "cuda.h"), enough);
    constexpr std::string_view marker = "#define CUDA_VERSION ";
    const std::size_t at = text.find(marker);
    if (at == std::string::npos) {
        return {};
    }
    int number = 0;
    std::from_chars(text.data() + at + marker.size(), text.data() + text.size(), number);
    return number > 0 ? Version{number / 1000, number % 1000 / 10} : Version{};
}

// The version in the name of the wheel's metadata: nvidia_cuda_nvrtc_cu12-12.9.86.dist-info.
Version Finder::wheel_version(const Part& part, const Root& root) const {
    const bool is_whole = root.layout == Root::Layout::cuda_wheels;
    if (!part.has_toolkit_version || (!is_whole && root.layout != Root::Layout::part_wheels)) {
        return {};
    }
    const Paths paths(system_.platform());
    const std::string site = is_whole ? paths.parent(paths.parent(root.path)) : root.path;
    std::string prefix = part.package;
    if (!is_whole) {
        prefix = *part.package12 != '\0' ? part.package12 : prefix + "-cu12";
    }
    std::replace(prefix.begin(), prefix.end(), '-', '_');
    prefix += '-';
    for (const std::string& name : system_.list(site)) {
        if (name.starts_with(prefix) && name.ends_with(".dist-info")) {
            return parse_version(std::string_view(name).substr(prefix.size()));
        }
    }
    return {};
}

// What the toolkit's own cuda.h says, or the name of NVRTC's built-ins.
Version Finder::root_version(const Root& root) const {
    for (const std::string& folder : folders_in(root, *find_part(PartKind::headers, "cudart"))) {
        if (const Version version = header_version(folder); version.known()) {
            return version;
        }
    }
    for (const std::string& folder : folders_in(root, *find_part(PartKind::dynamic_library, "nvrtc"))) {
        for (const std::string& name : system_.list(folder)) {
            if (name.starts_with(nvrtc_builtins)) {
                return parse_version(std::string_view(name).substr(nvrtc_builtins.size()));
            }
        }
    }
    return {};
}

// The real file's name where it has it (libnvrtc.so.13.0.88); else the major number from there and the minor one from
// what lies beside it: NVRTC's built-ins carry it in their name, a wheel in that of its metadata, and the toolkit's
// cuda.h in its text.
Version Finder::library_version(const Part& part, const std::string& path, const Root& root) const {
    const Paths paths(system_.platform());
    const std::string real = system_.canonical(path);
    Version version;
    for (const std::string& name : {paths.file_name(real), paths.file_name(path)}) {
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
    const auto fits = [&](const Version& found) {
        return found.minor >= 0 && (!version.known() || found.major == version.major);
    };
    if (std::string_view(part.name) == "nvrtc") {
        for (const std::string& folder : {paths.parent(real), paths.parent(path)}) {
            for (const std::string& name : system_.list(folder)) {
                if (name.starts_with(nvrtc_builtins)) {
                    const Version found = parse_version(std::string_view(name).substr(nvrtc_builtins.size()));
                    if (fits(found)) {
                        return found;
                    }
                }
            }
        }
    }
    if (const Version found = wheel_version(part, root); fits(found)) {
        return found;
    }
    if (const Version found = root_version(root); fits(found)) {
        return found;
    }
    if (const std::optional<Root> real_root = root_of(paths.parent(real))) {
        if (const Version found = root_version(*real_root); fits(found)) {
            return found;
        }
    }
    return version;
}

Version Finder::part_version(const Part& part, const std::string& path, const Root& root) const {
    if (part.origin != PartOrigin::toolkit) {
        return {};
    }
    if (part.kind == PartKind::dynamic_library && part.has_toolkit_version) {
        return library_version(part, path, root);
    }
    if (part.kind == PartKind::headers) {
        if (const Version version = header_version(path); version.known()) {
            return version;
        }
    }
    if (const Version version = wheel_version(part, root); version.known()) {
        return version;
    }
    const Version version = root_version(root);
    // Of the libraries with versions of their own, the newest SONAME is that of CUDA 13 and the one before of CUDA 12.
    const Texts& files = files_of(part, system_.platform());
    if (part.kind == PartKind::dynamic_library && !part.keeps_soname && files.size() == 2 &&
        std::string_view(files.items[1]).find(".so.") != std::string_view::npos) {
        const int major = Paths(system_.platform()).file_name(path) == files.items[0] ? 13 : 12;
        return version.major == major ? version : Version{major, -1};
    }
    return version;
}

}  // namespace cuprum::pathfinder
