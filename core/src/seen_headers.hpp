// Headers on the disk, and what a process that compiles one program after the other keeps of the toolkit's: a program
// that includes CUB reads some 600, 8 MB of text, and most of them are the same for the next one.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "include_scanner.hpp"

namespace cuprum::core {

std::optional<std::string> read_file(const std::string& path);

// What NVRTC finds at a path: it passes over folders.
enum class Found { nothing, file, other };  // other: a pipe, a device

Found look_at(const std::string& path, struct stat& status);

uint64_t nanoseconds(const timespec& time);

// The same for a header of the toolkit; as it was when the process last looked at it, unless that was before `oldest`.
Found look_at_toolkit_header(const std::string& path, struct stat& status,
                             std::chrono::steady_clock::time_point oldest);

struct FoundHeader {
    std::string path;
    struct stat status {};  // as it is now
};

// What a header of the toolkit may ask for, read anew where its size or its time has changed; none where it cannot be
// read. `rules`: of `std`, the option.
std::shared_ptr<const ScannedText> scanned_toolkit_header(const FoundHeader& header, std::string_view std,
                                                          const ScanRules& rules);

// The same for several at once, on all cores: what is asked for next is there then.
void scan_toolkit_headers(std::span<const FoundHeader> headers, std::string_view std, const ScanRules& rules);

}  // namespace cuprum::core
