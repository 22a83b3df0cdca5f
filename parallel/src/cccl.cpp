#include "cccl.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <vector>

#include "cuprum/pathfinder/error.hpp"
#include "cuprum/pathfinder/pathfinder.hpp"

namespace cuprum::parallel {

namespace {

constexpr int oldest_known = 2008000;

// 0 if the folder has no CCCL. The header has moved in CCCL 2.4.
int version_of(const std::string& folder) {
    for (const char* const header :
         {"/cuda/std/__cccl/version.h", "/cuda/std/detail/libcxx/include/__cccl/version.h"}) {
        std::ifstream file(folder + header);
        constexpr std::string_view marker = "#define CCCL_VERSION ";
        for (std::string line; std::getline(file, line);) {
            if (!line.starts_with(marker)) continue;
            int version = 0;
            std::from_chars(line.data() + marker.size(), line.data() + line.size(), version);
            return version;
        }
    }
    return 0;
}

// 0 if the folder has none, or one that is too old. A newer one than is known is worth a try.
int usable_version_of(const std::string& folder) {
    static std::mutex mutex;
    static auto* const seen = new std::map<std::string, int>;  // lives for ever, as what is built does
    const std::lock_guard lock(mutex);
    if (const auto known = seen->find(folder); known != seen->end()) return known->second;
    const int version = version_of(folder);
    if (version < oldest_known) return 0;
    return seen->emplace(folder, version).first->second;
}

std::string describe(int version, const std::string& folder) {
    if (version == 0) return "no CCCL in " + folder;
    return "CCCL " + std::to_string(version / 1000000) + '.' + std::to_string(version / 1000 % 1000) + " in " + folder;
}

[[noreturn]] void throw_too_old(std::string_view algorithm, const std::string& found, const std::string& detail) {
    throw Unsupported("building " + std::string(algorithm), found,
                      "expected CCCL " + std::string(known_cccl) + ", or a newer one" + detail, install_known_cccl());
}

}  // namespace

std::string install_known_cccl() {
    return "pip install '" + std::string(known_cccl_wheel) +
           "', which serves CUDA 12 as well, or set CUPRUM_CCCL_PATH to a folder that has cub/cub.cuh of a known "
           "version";
}

std::string describe(const Cccl& cccl) {
    return describe(cccl.version, cccl.location);
}

Cccl find_cccl(std::string_view algorithm) {
    if (const char* const given = std::getenv("CUPRUM_CCCL_PATH"); given != nullptr && *given != '\0') {
        const int version = usable_version_of(given);
        if (version == 0) throw_too_old(algorithm, describe(version_of(given), given), " (CUPRUM_CCCL_PATH)");
        return {given, given, version};
    }
    std::string own;
    try {
        own = pathfinder::find_nvidia_header_directory("cccl");
        if (const int version = usable_version_of(own); version != 0) return {{}, own, version};
    } catch (const NotFound&) {
        own.clear();
    }
    std::string others;
    for (const pathfinder::LocatedPart& part : pathfinder::locate_all(pathfinder::PartKind::headers, "cccl")) {
        if (const int version = usable_version_of(part.abs_path); version != 0)
            return {part.abs_path, part.abs_path, version};
        if (part.abs_path != own)
            others += (others.empty() ? "; there is also " : ", ") + describe(version_of(part.abs_path), part.abs_path);
    }
    if (own.empty()) return {};
    throw_too_old(algorithm, describe(version_of(own), own), others);
}

}  // namespace cuprum::parallel
