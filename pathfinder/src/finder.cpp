#include "cuprum/pathfinder/finder.hpp"

#include <algorithm>
#include <utility>

#include "catalogue.hpp"
#include "paths.hpp"
#include "remedy.hpp"
#include "search.hpp"

namespace cuprum::pathfinder {

ErrorInfo pathfinder_error(Status status, std::string operation, std::string detail, std::string advice) {
    ErrorInfo info;
    info.status = status;
    info.domain = ErrorDomain::pathfinder;
    info.operation = std::move(operation);
    info.detail = std::move(detail);
    info.advice = std::move(advice);
    return info;
}

namespace {

// The newest file that fits a name with a '*' in the place of a version, by the numbers in it.
std::string newest_file(const std::vector<std::string>& names, std::string_view pattern) {
    const std::size_t star = pattern.find('*');
    const std::string_view before = pattern.substr(0, star);
    const std::string_view behind = pattern.substr(star + 1);
    std::string newest;
    Version newest_version;
    for (const std::string& name : names) {
        if (name.size() < before.size() + behind.size() || !name.starts_with(before) || !name.ends_with(behind)) {
            continue;
        }
        const Version version = parse_version(std::string_view(name).substr(before.size()));
        if (newest.empty() ||
            std::pair(version.major, version.minor) >= std::pair(newest_version.major, newest_version.minor)) {
            newest = name;
            newest_version = version;
        }
    }
    return newest;
}

}  // namespace

std::vector<SupportedPart> supported_parts(PartKind kind, Platform platform) {
    std::vector<SupportedPart> parts;
    for (const Part& part : catalogue()) {
        if (part.kind == kind && !files_of(part, platform).empty()) {
            parts.push_back({part.name, files_of(part, platform).items[0], part.origin});
        }
    }
    return parts;
}

Finder::Finder(const System& system, std::vector<std::string> wheel_folders, std::vector<std::string> library_folders)
    : system_(system), wheel_folders_(std::move(wheel_folders)), library_folders_(std::move(library_folders)) {}

// --- one place ------------------------------------------------------------------------------------------------------

// Takes the file (of headers, the folder) at `path` if nothing speaks against it.
std::optional<LocatedPart> Finder::consider(const Part& part, const std::string& path, const Root& root,
                                            const ToolkitChoice* toolkit, const Accept& accept, Search& search) const {
    std::string reason = refuse(part, path, search);
    LocatedPart found;
    if (reason.empty()) {
        found = {part.kind, part.name, path, root.found_via, root.path, part_version(part, path, root), false, {}};
        reason = mismatch(part, found, toolkit);
        search.wrong_version = search.wrong_version || !reason.empty();
    }
    if (reason.empty() && accept) {
        reason = accept(path);
    }
    if (!reason.empty()) {
        search.reject(path, std::move(reason));
        return std::nullopt;
    }
    return found;
}

std::optional<LocatedPart> Finder::in_folder(const Part& part, const std::string& folder, const Root& root,
                                             const ToolkitChoice* toolkit, const Accept& accept, Search& search) const {
    if (!search.is_new(folder) || !usable_folder(folder, search)) {
        return std::nullopt;
    }
    const Platform platform = system_.platform();
    const Paths paths(platform);
    const Texts& files = files_of(part, platform);
    if (part.kind == PartKind::headers) {
        for (const char* file : files) {
            if (system_.status(paths.join(folder, file)).kind != FileStatus::Kind::file) {
                search.reject(folder, "has no " + std::string(file));
                return std::nullopt;
            }
        }
        return consider(part, folder, root, toolkit, accept, search);
    }
    bool any = false;
    for (std::string file : files) {
        if (file.find('*') != std::string::npos) {
            file = newest_file(system_.list(folder), file);
        }
        const std::string path = paths.join(folder, file);
        if (file.empty() || system_.status(path).kind == FileStatus::Kind::missing) {
            continue;
        }
        any = true;
        if (auto found = consider(part, path, root, toolkit, accept, search)) {
            return found;
        }
    }
    if (!any) {
        search.reject(folder, "has no " + joined(files));
    }
    return std::nullopt;
}

// What the dynamic loader would take by the library's SONAME.
std::optional<LocatedPart> Finder::in_loader(const Part& part, const Root& root, const ToolkitChoice* toolkit,
                                             const Accept& accept, Search& search) const {
    if (part.kind != PartKind::dynamic_library) {
        return std::nullopt;
    }
    const Paths paths(system_.platform());
    const Texts& sonames = files_of(part, system_.platform());
    bool any = false;
    for (const char* soname : sonames) {
        for (const std::string& path : system_.loader_paths(soname)) {
            any = true;
            const std::string folder = paths.parent(path);
            // A folder that was looked at before has been judged already.
            if (search.seen.count(folder) != 0 || !usable_folder(folder, search)) {
                continue;
            }
            Root of_file = root_of(folder).value_or(Root{Root::Layout::folder, folder, ""});
            of_file.found_via = root.found_via;
            if (auto found = consider(part, path, of_file, toolkit, accept, search)) {
                return found;
            }
        }
    }
    if (!any) {
        search.reject("the dynamic loader's cache and folders", "have no " + joined(sonames));
    }
    return std::nullopt;
}

std::optional<LocatedPart> Finder::in_root(const Part& part, const Root& root, const ToolkitChoice* toolkit,
                                           const Accept& accept, Search& search) const {
    if (!root.refusal.empty()) {
        search.reject(root.path, root.refusal);
        return std::nullopt;
    }
    if (root.layout == Root::Layout::loader) {
        return in_loader(part, root, toolkit, accept, search);
    }
    for (const std::string& folder : folders_in(root, part)) {
        if (auto found = in_folder(part, folder, root, toolkit, accept, search)) {
            return found;
        }
    }
    return std::nullopt;
}

// --- toolkits -------------------------------------------------------------------------------------------------------

std::optional<ToolkitChoice> Finder::toolkit_at(const Root& root) const {
    if (!root.refusal.empty() || root.layout == Root::Layout::loader) {
        return std::nullopt;
    }
    const auto look_for = [&](PartKind kind, const char* name) {
        Search search;
        return in_root(*find_part(kind, name), root, nullptr, {}, search);
    };
    std::optional<LocatedPart> anchor = look_for(PartKind::dynamic_library, "nvrtc");
    const bool has_nvrtc = anchor.has_value();
    if (!anchor) {
        anchor = look_for(PartKind::headers, "cudart");
    }
    if (!anchor) {
        anchor = look_for(PartKind::dynamic_library, "cudart");
    }
    if (!anchor) {
        return std::nullopt;
    }
    ToolkitChoice choice{root.path, root.found_via, anchor->version, has_nvrtc, {root}, {}};
    if (anchor->kind == PartKind::dynamic_library) {
        // The file may be a link into the toolkit that it belongs to.
        const Paths paths(system_.platform());
        std::optional<Root> real = root_of(paths.parent(system_.canonical(anchor->abs_path)));
        if (real && real->path != root.path) {
            real->found_via = root.found_via;
            choice.roots.push_back(std::move(*real));
        }
    }
    return choice;
}

std::vector<ToolkitChoice> Finder::toolkits() const {
    std::vector<ToolkitChoice> found;
    std::vector<std::string> seen;
    for (const Root& root : roots()) {
        if (std::optional<ToolkitChoice> toolkit = toolkit_at(root)) {
            // One toolkit may be reached in several ways: by a variable, by a link, by the loader.
            std::string key = std::to_string(static_cast<int>(root.layout)) + system_.canonical(root.path);
            if (std::find(seen.begin(), seen.end(), key) == seen.end()) {
                seen.push_back(std::move(key));
                found.push_back(std::move(*toolkit));
            }
        }
    }
    return found;
}

std::vector<LocatedPart> Finder::find_all(PartKind kind, std::string_view name) const {
    const Part& part = require_part(kind, name);
    std::vector<LocatedPart> all;
    Search search;
    for (const Root& root : roots()) {
        std::optional<LocatedPart> found = in_root(part, root, nullptr, {}, search);
        const auto is_same = [&](const LocatedPart& known) { return known.abs_path == found->abs_path; };
        if (found && std::none_of(all.begin(), all.end(), is_same)) {
            all.push_back(std::move(*found));
        }
    }
    return all;
}

std::optional<ToolkitChoice> Finder::choose_toolkit(const VersionConstraint& constraint) const {
    std::optional<ToolkitChoice> best;
    visit_roots([&](const Root& root) {
        std::optional<ToolkitChoice> toolkit = toolkit_at(root);
        if (toolkit && constraint.allows(toolkit->version) && (toolkit->has_nvrtc || !best)) {
            best = std::move(toolkit);
        }
        return best && best->has_nvrtc;
    });
    return best;
}

// --- everywhere -----------------------------------------------------------------------------------------------------

void Finder::throw_not_found(const Part& part, const ToolkitChoice* toolkit, Search& search) const {
    const bool is_headers = part.kind == PartKind::headers;
    std::string what = part.name;
    if (part.kind != PartKind::dynamic_library) {
        what = (is_headers ? "the headers of " : std::string("the ") + to_string(part.kind) + " ") + what;
    }
    std::string detail = is_headers ? "they were not found in any place where CUDA's headers are looked for"
                                    : "it was not found in any place where CUDA's parts are looked for";
    if (search.wrong_version) {
        detail = std::string(is_headers ? "there are such headers" : "there is one") + ", but none of CUDA " +
                 toolkit->version.text() + ", to which the toolkit in use (" + toolkit->path + ") belongs";
    }
    const Version version = toolkit != nullptr ? toolkit->version : Version{};
    throw NotFound(pathfinder_error(is_headers ? Status::header_not_found : Status::library_not_found,
                                    "finding " + what + " (" + joined(files_of(part, system_.platform())) + ")", detail,
                                    std::string("install ") + (is_headers ? "them" : "it") +
                                        " with: " + pip_install(*this, package_of(part, version)) +
                                        "; or set CUDA_PATH to the root of a CUDA toolkit"),
                   std::move(search.rejected));
}

LocatedPart Finder::search(const Part& part, const ToolkitChoice* toolkit, const Accept& accept) const {
    if (part.origin == PartOrigin::driver) {
        return search_driver_library(part, accept);
    }
    if (files_of(part, system_.platform()).empty()) {
        throw Unsupported(finding_one(part.kind), part.name, "there is none for this platform");
    }
    Search search;
    const auto take = [&](std::optional<LocatedPart> found) {
        found->rejected = std::move(search.rejected);
        return std::move(*found);
    };
    if (toolkit != nullptr && part.origin == PartOrigin::toolkit) {
        for (const Root& root : toolkit->roots) {
            if (auto found = in_root(part, root, toolkit, accept, search)) {
                return take(std::move(found));
            }
        }
    }
    std::optional<LocatedPart> found;
    bool variables_are_due = true;
    visit_roots([&](const Root& root) {
        // Variables of one library come after conda and before those of the whole toolkit.
        const bool is_late = root.found_via != "wheel" && root.found_via != "conda" && root.found_via != "VIRTUAL_ENV";
        if (is_late && variables_are_due) {
            variables_are_due = false;
            for (const char* variable : part.root_variables) {
                const Root own = variable_root(variable);
                if (!own.path.empty()) {
                    found = in_root(part, own, toolkit, accept, search);
                }
                if (found) {
                    return true;
                }
            }
        }
        found = in_root(part, root, toolkit, accept, search);
        return found.has_value();
    });
    if (!found) {
        throw_not_found(part, toolkit, search);
    }
    return take(std::move(found));
}

LocatedPart Finder::find(PartKind kind, std::string_view name, const ToolkitChoice* toolkit) const {
    return search(require_part(kind, name), toolkit, {});
}

// NVRTC opens its built-ins by their bare name when it first compiles, and the wheels' NVRTC has no run path to find
// them by. One that is open already is taken. Where there is none, or it does not open, NVRTC's own error says so.
void Finder::open_nvrtc_builtins(const std::string& nvrtc_path, Search& search) const {
    const Paths paths(system_.platform());
    const std::string folder = paths.parent(system_.canonical(nvrtc_path));
    for (const std::string& file : system_.list(folder)) {
        const std::string path = paths.join(folder, file);
        if (file.starts_with(nvrtc_builtins) && refuse_library(path, search).empty()) {
            static_cast<void>(system_.open(path, false));
        }
    }
}

LoadedLibrary Finder::load(std::string_view name, const ToolkitChoice* toolkit,
                           const LoadDependency& load_dependency) const {
    const Part& part = require_part(PartKind::dynamic_library, name);
    std::string missing;
    for (const char* dependency : part.dependencies) {
        try {
            if (load_dependency) {
                load_dependency(dependency);
            } else {
                static_cast<void>(load(dependency, toolkit));
            }
        } catch (const NotFound&) {
            // The library may find it by itself. If it does not, this is why.
            missing += (missing.empty() ? "; it needs " : ", ") + std::string(dependency);
        }
    }
    if (!missing.empty()) {
        missing += ", which pathfinder does not find either";
    }
    OpenedLibrary opened;
    LoadedLibrary result;
    static_cast<LocatedPart&>(result) = search(part, toolkit, [&](const std::string& path) {
        if (name == "nvrtc") {
            Search builtins;
            open_nvrtc_builtins(path, builtins);
        }
        opened = system_.open(path, part.prefers_own_symbols);
        return opened.handle != nullptr ? std::string() : "does not open: " + opened.error + missing;
    });
    // A driver that was opened and then refused for its lack of a device is not the one that was opened last.
    result.handle = opened.handle;
    result.was_already_loaded = opened.was_already_loaded;
    return result;
}

}  // namespace cuprum::pathfinder
