// One file of the compile cache.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "header_dependencies.hpp"
#include "nvrtc_compile.hpp"

namespace cuprum::core {

struct CacheEntry {
    std::string key;  // the whole of it: the file's name is only a hash
    std::vector<HeaderDependency> dependencies;
    NvrtcOutput output;
};

// The bytes of an entry, with a checksum over all of them.
std::string pack_entry(const CacheEntry& entry);
// None for bytes that pack_entry of this version has not made, or that have changed since.
std::optional<CacheEntry> unpack_entry(const std::string& bytes);

}  // namespace cuprum::core
