// Which headers a compile reads: NVRTC does not tell (as of 13.0 it has no --list-includes), so that the text is read
// for its #include lines. Conditions are not evaluated: a header behind a false #if counts as read, which can only make
// the cache miss where it need not.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cuprum::core {

struct HeaderDependency {
    enum class Kind : uint8_t {
        absent,   // looked for before the file that was found, or in vain: it must stay absent
        content,  // one of the caller's: `first` is the content's hash
        toolkit,  // one of the toolkit's: `first` is its size, `second` its time of modification in nanoseconds
    };
    Kind kind = Kind::absent;
    uint64_t first = 0;
    uint64_t second = 0;
    std::string path;
};

struct HeaderSearch {
    const std::string& source;
    const std::string& name;                       // of the source: NVRTC looks in its folder
    std::span<const std::string> pre_includes;     // as quoted #include lines before the source
    std::span<const std::string> folders;          // -I, in order, absolute
    std::span<const std::string> toolkit_folders;  // those of `folders` that are the toolkit's
};

// None where the headers cannot be known: a computed #include, or a text that is not the same tomorrow (__DATE__).
std::optional<std::vector<HeaderDependency>> find_header_dependencies(const HeaderSearch& search);

// Whether every file is what it was.
bool are_unchanged(std::span<const HeaderDependency> dependencies);

}  // namespace cuprum::core
