// Every part that pathfinder knows by name: what its files are called, and in which folders of each layout they lie.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cuprum/pathfinder/part.hpp"
#include "cuprum/pathfinder/system.hpp"
#include "cuprum/pathfinder/version.hpp"

namespace cuprum::pathfinder {

/// A short constant list of texts; a null ends it.
struct Texts {
    const char* items[6] = {};

    constexpr const char* const* begin() const noexcept { return items; }
    constexpr const char* const* end() const noexcept {
        const char* const* last = items;
        while (last != items + std::size(items) && *last != nullptr) {
            ++last;
        }
        return last;
    }
    constexpr std::size_t size() const noexcept { return static_cast<std::size_t>(end() - begin()); }
    constexpr bool empty() const noexcept { return items[0] == nullptr; }
};

/// Folders are written with slashes, relative to what the field says; "" is that folder itself.
struct Part {
    PartKind kind = PartKind::dynamic_library;
    const char* name = "";
    PartOrigin origin = PartOrigin::toolkit;
    /// On Linux. Libraries: SONAMEs, newest first. Headers: files that must all be there. Else the file's name.
    Texts files = {};
    /// On Windows; empty where there is none. A '*' stands for a version of which the newest is taken.
    Texts windows_files = {};
    /// Below site-packages, of wheels that have a folder per part (CUDA 12, and add-ons). On Windows, bin for lib.
    Texts wheel_folders = {};
    /// Below nvidia/cu13 and its like; by default that of the kind.
    Texts cuda_wheel_folders = {};
    /// Below a toolkit's root; by default those of the kind.
    Texts toolkit_folders = {};
    Texts windows_toolkit_folders = {};
    /// Libraries that must be open before it, in this order.
    Texts dependencies = {};
    /// Environment variables that name the root of an installation of this part alone.
    Texts root_variables = {};
    /// What brings it: the wheel of CUDA 13; that of CUDA 12 where it is not the same with "-cu12".
    const char* package = "";
    const char* package12 = "";
    /// Its files and wheels carry the toolkit's version, not one of its own.
    bool has_toolkit_version = false;
    /// The first toolkit from which on its wheels' numbers have the toolkit's major version alone, and then their own;
    /// unknown where there is none.
    Version own_numbers_since = {};
    bool prefers_own_symbols = false;
    /// A SONAME that is the same in CUDA 12 and 13 and so does not tell which toolkit it is from.
    bool keeps_soname = false;
};

/// Sorted by kind, within a kind in the order in which they are listed to people.
std::span<const Part> catalogue() noexcept;

/// Position in catalogue() for each part.
std::size_t index_of(const Part& part) noexcept;

/// Null if there is none of that name on any platform.
const Part* find_part(PartKind kind, std::string_view name) noexcept;

/// Throws InvalidArgument that offers the nearest names and says which kinds have the name.
const Part& require_part(PartKind kind, std::string_view name);

/// The files that the part has on this platform; none where there is no such part.
const Texts& files_of(const Part& part, Platform platform) noexcept;

/// The same for its folders below a toolkit's root, the defaults of its kind included.
std::vector<std::string> toolkit_folders_of(const Part& part, Platform platform);
std::vector<std::string> cuda_wheel_folders_of(const Part& part, Platform platform);
std::vector<std::string> wheel_folders_of(const Part& part, Platform platform);

/// Whether the wheels of the part are numbered by its own version in a toolkit of this version.
bool has_own_numbers(const Part& part, const Version& toolkit) noexcept;

/// What `pip install` takes to get the part for this version of CUDA; any if the version is not known.
std::string package_of(const Part& part, const Version& version);

/// "x86_64-linux": what a toolkit's targets/ folder is called. Empty on Windows.
std::string cuda_target(Platform platform);
/// "x86_64-linux-gnu", as Debian calls the machine. Empty on Windows.
std::string multiarch(Platform platform);

/// "finding a static library", "finding headers": what errors call a search.
std::string finding_one(PartKind kind);

}  // namespace cuprum::pathfinder
