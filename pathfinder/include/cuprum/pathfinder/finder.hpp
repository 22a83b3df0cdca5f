// The search itself, over whatever System it is given. It remembers nothing; pathfinder.hpp has the functions that do.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cuprum/pathfinder/pathfinder.hpp"
#include "cuprum/pathfinder/system.hpp"

namespace cuprum::pathfinder {

/// Which driver CUPRUM_DRIVER asks for.
enum class DriverChoice { gpu, simulator, automatic };

class Finder {
public:
    /// `system` must outlive the finder. `wheel_folders`: site-packages folders that are searched before the others.
    /// `install_libdir`: where an installed Cuprum has its libraries; empty if not known.
    explicit Finder(const System& system, std::vector<std::string> wheel_folders = {}, std::string install_libdir = {});

    /// Throws InvalidArgument that lists the values for any value but gpu, sim and auto; gpu where it is not set.
    DriverChoice driver_choice() const;

    /// See find_nvidia_dynamic_lib and load_nvidia_dynamic_lib.
    LocatedLibrary find_library(std::string_view name) const;
    LoadedLibrary load_library(std::string_view name) const;

    /// See find_nvidia_header_directory. `nvrtc` is the NVRTC whose toolkit the headers must belong to; null if there
    /// is none.
    LocatedHeaderDirectory find_headers(std::string_view name, const LocatedLibrary* nvrtc) const;

private:
    struct LibraryKind;
    struct HeaderKind;
    struct Place;
    struct Search;
    /// Says why a library that looks right cannot be taken after all; empty if it can.
    using Accept = std::function<std::string(const std::string& path)>;

    static const LibraryKind& library_kind(std::string_view name);
    static const HeaderKind& header_kind(std::string_view name);

    std::vector<std::string> site_packages(Search& search) const;
    std::vector<Place> toolkit_roots(Search& search) const;
    std::vector<std::string> installed_toolkits() const;
    std::optional<LocatedLibrary> search_toolkits(const LibraryKind& kind, Search& search, const Accept& accept) const;
    std::optional<LocatedLibrary> search_driver(Search& search, const Accept& accept) const;
    std::optional<LocatedLibrary> search_simulator(Search& search, const Accept& accept) const;
    LocatedLibrary search_any_driver(Search& search, const Accept& accept) const;
    LocatedLibrary search_library(std::string_view name, const Accept& accept) const;
    std::optional<std::string> library_in_folder(const std::vector<std::string>& sonames, const std::string& folder,
                                                 Search& search, const Accept& accept) const;
    std::vector<std::string> loader_folders(Search& search) const;
    bool usable_folder(const std::string& folder, Search& search) const;
    std::string refuse_library(const std::string& path) const;
    void open_nvrtc_builtins(const std::string& nvrtc_path) const;
    std::string refuse_driver(const std::string& path) const;
    Version library_version(const std::string& path) const;
    Version header_version(const std::string& folder) const;
    std::vector<Place> header_places(const HeaderKind& kind, const LocatedLibrary* nvrtc, Search& search) const;

    const System& system_;
    std::vector<std::string> wheel_folders_;
    std::string install_libdir_;
};

/// Lets the functions of pathfinder.hpp search another machine than this one, and forgets what was found; null brings
/// the real one back. For tests: `system` must live until it is replaced, and libraries are opened by it alone.
void replace_system(const System* system);

}  // namespace cuprum::pathfinder
