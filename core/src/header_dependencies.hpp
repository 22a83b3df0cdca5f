// Which files the result of a compile depends on. NVRTC does not tell: as of 13.0 it has no option for it, and what it
// leaves behind (debug information, a precompiled header) names no place that was looked at in vain. So its text is
// read for what it may include or ask for (include_scanner.hpp), and those names are searched for as NVRTC searches.
// The answer may hold more than NVRTC reads, which can only make the cache miss where it need not, but never less:
// where that is not certain, there is no answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cuprum::core {

struct HeaderDependency {
    enum class Kind : uint8_t {
        absent,   // looked for before the file that was found, or in vain: nothing may come to be there, or, where
                  // `first` is 1, nothing but the folder that has the name
        present,  // asked for with __has_include: a file must stay there
        content,  // one of the caller's: `first` is the content's hash, `second` the first in the list that is the same
                  // file under another name, or itself (#pragma once asks for that)
        toolkit,  // one of the toolkit's: `first` is its size, `second` its time of modification in nanoseconds
    };
    Kind kind = Kind::absent;
    uint64_t first = 0;
    uint64_t second = 0;
    std::string path;  // a relative one is looked for in the working directory, as NVRTC does
};

struct HeaderSearch {
    const std::string& source;
    const std::string& name;                        // of the source: NVRTC looks in its folder
    std::span<const std::string> pre_includes;      // before the source
    std::span<const std::string> folders;           // -I, in order
    std::span<const std::string> toolkit_folders;   // those of `folders` that are the toolkit's
    std::span<const std::string> definitions = {};  // -D, "NAME=TEXT"
    std::span<const std::string> expressions = {};  // NVRTC puts them into the source
    bool looks_in_own_folder = true;                // for quoted names: not with --no-source-include
    std::string_view std = {};                      // "c++17"; empty where NVRTC chooses
    std::span<const std::pair<std::string, std::string>> headers = {};  // that are no files: name and text
};

// None where they cannot be known. `doubt`, if given, is then told why.
std::optional<std::vector<HeaderDependency>> find_header_dependencies(const HeaderSearch& search,
                                                                      std::string* doubt = nullptr);

// Whether every file is what it was. A header of the toolkit may have been looked at up to `toolkit_age` ago, for
// another of this process's compiles: there are some 600 for each that includes CUB.
bool are_unchanged(std::span<const HeaderDependency> dependencies,
                   std::chrono::milliseconds toolkit_age = std::chrono::milliseconds(0));

}  // namespace cuprum::core
