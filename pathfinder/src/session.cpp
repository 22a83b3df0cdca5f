#include "session.hpp"

#include <algorithm>
#include <utility>

#include "remedy.hpp"
#include "search.hpp"

namespace cuprum::pathfinder {

Session::Session(Finder finder, std::optional<ToolkitChoice> toolkit)
    : finder_(std::move(finder)), is_given_(toolkit.has_value()), toolkit_(std::move(toolkit)) {}

const ToolkitChoice* Session::toolkit() {
    const std::lock_guard lock(mutex_);
    if (!is_settled()) {
        const VersionConstraint constraint(finder_.system().environment("CUPRUM_TOOLKIT").value_or(""));
        std::optional<ToolkitChoice> chosen = finder_.choose_toolkit(constraint);
        if (!chosen && !constraint.allows_everything()) {
            throw_no_toolkit(finder_, constraint);
        }
        toolkit_ = std::move(chosen);
    }
    return toolkit_ ? &*toolkit_ : nullptr;
}

// What is not part of any toolkit needs none, and is found also where the choice of one fails.
const ToolkitChoice* Session::toolkit_for(const Part& part) {
    return part.origin == PartOrigin::driver ? nullptr : toolkit();
}

bool Session::may_keep(const Part& part) const {
    return part.origin == PartOrigin::driver || is_settled();
}

const LocatedPart& Session::locate_anew(const Part& part) {
    const std::lock_guard lock(mutex_);
    std::atomic<const LocatedPart*>& slot = located_[index_of(part)];
    if (const LocatedPart* found = slot.load(std::memory_order_relaxed)) {
        return *found;
    }
    // What is open is what everybody has to use.
    if (part.kind == PartKind::dynamic_library) {
        if (const LoadedLibrary* loaded = loaded_[index_of(part)].load(std::memory_order_relaxed)) {
            return *loaded;
        }
    }
    LocatedPart found = finder_.find(part.kind, part.name, toolkit_for(part));
    if (!may_keep(part)) {
        // It is looked for again each time; what was returned must live on, but need not be kept twice.
        for (const std::unique_ptr<const LocatedPart>& kept : kept_parts_) {
            if (kept->kind == found.kind && kept->name == found.name && kept->abs_path == found.abs_path) {
                return *kept;
            }
        }
    }
    kept_parts_.push_back(std::make_unique<const LocatedPart>(std::move(found)));
    if (may_keep(part)) {
        slot.store(kept_parts_.back().get(), std::memory_order_release);
    }
    return *kept_parts_.back();
}

const LoadedLibrary& Session::load_anew(const Part& part) {
    const std::lock_guard lock(mutex_);
    std::atomic<const LoadedLibrary*>& slot = loaded_[index_of(part)];
    if (const LoadedLibrary* found = slot.load(std::memory_order_relaxed)) {
        return *found;
    }
    const ToolkitChoice* toolkit = toolkit_for(part);
    const auto load_dependency = [this](std::string_view name) { load(require_part(PartKind::dynamic_library, name)); };
    auto loaded = std::make_unique<const LoadedLibrary>(finder_.load(part.name, toolkit, load_dependency));
    kept_libraries_.push_back(std::move(loaded));
    slot.store(kept_libraries_.back().get(), std::memory_order_release);
    located_[index_of(part)].store(kept_libraries_.back().get(), std::memory_order_release);
    return *kept_libraries_.back();
}

const std::vector<std::string>& Session::include_dirs() {
    if (const auto* known = include_dirs_.load(std::memory_order_acquire)) {
        return *known;
    }
    const std::lock_guard lock(mutex_);
    const Part& cudart = require_part(PartKind::headers, "cudart");
    std::vector<std::string> folders = {locate(cudart).abs_path};
    bool is_whole = true;
    for (const char* const name : {"cccl", "crt"}) {
        try {
            const std::string& folder = locate(require_part(PartKind::headers, name)).abs_path;
            if (std::find(folders.begin(), folders.end(), folder) == folders.end()) {
                folders.push_back(folder);
            }
        } catch (const NotFound&) {
            is_whole = false;  // programs that do not include it compile without it
        }
    }
    if (kept_folders_.empty() || *kept_folders_.back() != folders) {
        kept_folders_.push_back(std::make_unique<const std::vector<std::string>>(std::move(folders)));
    }
    if (is_whole && may_keep(cudart)) {
        include_dirs_.store(kept_folders_.back().get(), std::memory_order_release);
    }
    return *kept_folders_.back();
}

void throw_no_toolkit(const Finder& finder, const VersionConstraint& constraint) {
    std::vector<RejectedCandidate> candidates;
    for (const ToolkitChoice& toolkit : finder.toolkits()) {
        const std::string version = toolkit.version.known() ? "is of CUDA " + toolkit.version.text()
                                                            : std::string("does not say which CUDA version it is");
        candidates.push_back({toolkit.path, version + ", which \"" + constraint.text() + "\" does not allow"});
    }
    const bool any = !candidates.empty();
    if (!any) {
        try {
            static_cast<void>(finder.find(PartKind::dynamic_library, "nvrtc"));
        } catch (const NotFound& error) {
            candidates = error.candidates();
        }
    }
    const std::string wanted = constraint.allows_everything() ? "" : " " + constraint.text();
    const std::optional<std::string> packages = toolkit_packages(constraint);
    std::string advice = packages ? "install one with: " + pip_install(finder, *packages)
                                  : "pip has the packages of CUDA 12 and 13: ask for one of these";
    advice += any ? "; or allow a version that is there" : "; or set CUDA_PATH to the root of a CUDA toolkit";
    throw NotFound(
        pathfinder_error(Status::library_not_found, "choosing a CUDA toolkit" + wanted,
                         any ? "no toolkit of this machine has such a version" : "there is no toolkit on this machine",
                         advice),
        std::move(candidates));
}

}  // namespace cuprum::pathfinder
