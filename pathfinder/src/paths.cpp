#include "paths.hpp"

#include <algorithm>

namespace cuprum::pathfinder {

bool Paths::is_absolute(std::string_view path) const {
    if (!windows_) {
        return path.starts_with('/');
    }
    const auto is_separator = [](char c) { return c == '\\' || c == '/'; };
    if (path.size() >= 2 && is_separator(path[0]) && is_separator(path[1])) {
        return true;
    }
    const bool has_drive = path.size() >= 2 && path[1] == ':' &&
                           ((path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z'));
    return has_drive && path.size() >= 3 && is_separator(path[2]);
}

std::string Paths::clean(std::string_view path) const {
    std::string result(path);
    if (windows_) {
        std::replace(result.begin(), result.end(), '/', '\\');
    }
    while (result.size() > 1 && result.back() == (windows_ ? '\\' : '/')) {
        result.pop_back();
    }
    return result;
}

std::string Paths::join(const std::string& folder, std::string_view relative) const {
    if (relative.empty()) {
        return folder;
    }
    std::string result = folder == "/" ? std::string() : folder;
    result += windows_ ? '\\' : '/';
    const std::size_t start = result.size();
    result += relative;
    if (windows_) {
        std::replace(result.begin() + static_cast<std::ptrdiff_t>(start), result.end(), '/', '\\');
    }
    return result;
}

std::string Paths::parent(const std::string& path) const {
    const std::size_t slash = last_separator(path);
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

std::string Paths::file_name(const std::string& path) const {
    const std::size_t slash = last_separator(path);
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

bool Paths::has_folder(const std::string& path, std::string_view name) const {
    for (std::string folder = parent(path); !folder.empty(); folder = parent(folder)) {
        if (file_name(folder) == name) {
            return true;
        }
    }
    return false;
}

}  // namespace cuprum::pathfinder
