// Paths as text, by the rules of the machine that is searched, which need not be the one that searches.
#pragma once

#include <string>
#include <string_view>

#include "cuprum/pathfinder/system.hpp"

namespace cuprum::pathfinder {

class Paths {
public:
    explicit Paths(Platform platform) : windows_(platform == Platform::windows_x86_64) {}

    bool is_windows() const noexcept { return windows_; }

    /// Whether it names the same file from every working directory: "/x", or on Windows "C:\x" and "\\server\share".
    bool is_absolute(std::string_view path) const;
    /// Without separators at its end; on Windows with one kind of separator.
    std::string clean(std::string_view path) const;
    /// `relative` is written with slashes and may be empty.
    std::string join(const std::string& folder, std::string_view relative) const;
    /// Empty where there is none.
    std::string parent(const std::string& path) const;
    std::string file_name(const std::string& path) const;
    /// Whether one of its folders has that name.
    bool has_folder(const std::string& path, std::string_view name) const;

private:
    std::size_t last_separator(const std::string& path) const { return path.find_last_of(windows_ ? "\\/" : "/"); }

    bool windows_;
};

}  // namespace cuprum::pathfinder
