// Host object files and static libraries, in which nvcc leaves fat binaries.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cuprum::simulator::image {

struct EmbeddedFatBinary {
    std::string member;      // of a library; empty for an object
    std::string_view bytes;  // within the file
};

// `file` begins with the magic number of `ar` archives.
bool is_library(std::string_view file);
// The fat binaries in an object file or in the members of a static library. Empty if there are none, or if `file` is
// neither.
std::vector<EmbeddedFatBinary> embedded_fat_binaries(std::string_view file);

}  // namespace cuprum::simulator::image
