// What the files that make up Finder have in common.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cuprum/pathfinder/finder.hpp"

namespace cuprum::pathfinder {

inline constexpr std::string_view nvrtc_builtins = "libnvrtc-builtins.so.";

// One search: what was refused so far, and the folders seen, so that none is looked at twice.
struct Finder::Search {
    std::vector<RejectedCandidate> rejected;
    std::set<std::string> seen;
    std::map<std::string, std::string> distrust;  // by folder, what distrust() said of it
    bool wrong_version = false;                   // something was refused for its version alone

    void reject(std::string path, std::string reason) { rejected.push_back({std::move(path), std::move(reason)}); }
    bool is_new(const std::string& path) { return seen.insert(path).second; }
};

/// Whether anything is at that path, as far as can be seen.
inline bool exists(const System& system, const std::string& path) {
    return system.status(path).kind != FileStatus::Kind::missing;
}

/// "does not exist" for FileStatus::Kind::missing, and so on; where a file was expected, or a folder.
std::string describe(FileStatus::Kind kind);

ErrorInfo pathfinder_error(Status status, std::string operation, std::string detail, std::string advice);

template <class Names>
std::string joined(const Names& names, const char* separator = ", ") {
    std::string text;
    for (const auto& name : names) {
        text += (text.empty() ? "" : separator) + std::string(name);
    }
    return text;
}

}  // namespace cuprum::pathfinder
