// What has been found of one toolkit. What is found stays: look-ups of it take no lock and allocate nothing.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "catalogue.hpp"
#include "cuprum/pathfinder/finder.hpp"

namespace cuprum::pathfinder {

class Session {
public:
    /// A session of a given toolkit; without one, of the toolkit that CUPRUM_TOOLKIT allows, chosen when it is needed.
    explicit Session(Finder finder, std::optional<ToolkitChoice> toolkit = {});
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    const Finder& finder() const noexcept { return finder_; }

    const LocatedPart& locate(const Part& part) {
        const LocatedPart* found = located_[index_of(part)].load(std::memory_order_acquire);
        return found != nullptr ? *found : locate_anew(part);
    }
    const LoadedLibrary& load(const Part& part) {
        const LoadedLibrary* found = loaded_[index_of(part)].load(std::memory_order_acquire);
        return found != nullptr ? *found : load_anew(part);
    }
    const std::vector<std::string>& include_dirs();
    /// Null if it has not been loaded.
    const LoadedLibrary* loaded(const Part& part) const noexcept {
        return loaded_[index_of(part)].load(std::memory_order_acquire);
    }

    /// Null if there is none on this machine. Throws NotFound if there are some but CUPRUM_TOOLKIT allows none.
    const ToolkitChoice* toolkit();

private:
    const LocatedPart& locate_anew(const Part& part);
    const LoadedLibrary& load_anew(const Part& part);
    const ToolkitChoice* toolkit_for(const Part& part);
    bool may_keep(const Part& part) const;

    // Whether the toolkit is for good. One without NVRTC is not: NVRTC may turn up, and perhaps in another.
    bool is_settled() const { return is_given_ || (toolkit_ && toolkit_->has_nvrtc); }

    Finder finder_;
    std::recursive_mutex mutex_;  // of everything below but the atomics' reading
    const bool is_given_;         // the toolkit; it is not chosen here
    std::optional<ToolkitChoice> toolkit_;
    static constexpr std::size_t room = 256;  // for every part of the catalogue
    std::array<std::atomic<const LocatedPart*>, room> located_{};
    std::array<std::atomic<const LoadedLibrary*>, room> loaded_{};
    std::atomic<const std::vector<std::string>*> include_dirs_{nullptr};
    std::vector<std::unique_ptr<const LocatedPart>> kept_parts_;
    std::vector<std::unique_ptr<const LoadedLibrary>> kept_libraries_;
    std::vector<std::unique_ptr<const std::vector<std::string>>> kept_folders_;
};

/// Throws NotFound with every toolkit that the constraint does not allow, or every place if there is none at all.
[[noreturn]] void throw_no_toolkit(const Finder& finder, const VersionConstraint& constraint);

/// The session of the toolkit in use; it lives as long as the process.
std::shared_ptr<Session> session_in_use();
/// A session of another toolkit, on the machine that is searched now.
std::shared_ptr<Session> make_session(const ToolkitChoice& toolkit);
Finder make_finder();
/// Throws InvalidState if the process has opened an NVRTC of another toolkit: bindings and core would go on using it,
/// with the headers of this one.
void use_session(std::shared_ptr<Session> session);

}  // namespace cuprum::pathfinder
