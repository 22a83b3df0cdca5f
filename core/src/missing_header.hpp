// What to do about a header that a compile did not find.
#pragma once

#include <span>
#include <string>

namespace cuprum::core {

/// The header that NVRTC's log says it cannot open; empty if it says so of none.
std::string missing_header(const std::string& log);

/// Whether a header belongs to the CUDA toolkit, so that the toolkit's headers are what is missing.
bool is_toolkit_header(const std::string& header);

/// What to do about a missing header: of the host's C or C++ library, of the toolkit, or the program's own.
/// `folders` are those in which it was looked for.
std::string advice_for_missing_header(const std::string& header, std::span<const std::string> folders);

}  // namespace cuprum::core
