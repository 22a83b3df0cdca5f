#include "driver/process/cuda_version.hpp"

#include <array>
#include <cstdlib>

#include "driver/error/driver_error.hpp"
#include "driver/process/configuration.hpp"

namespace cuprum::simulator::libcuda {

namespace {

std::optional<int> requested_version() {
    static const std::optional<int> version = [] {
        const char* text = std::getenv("CUPRUM_SIM");
        try {
            return parse_configuration(text != nullptr ? text : "").cuda_version;
        } catch (const DriverError&) {
            return std::optional<int>();
        }
    }();
    return version;
}

struct Release {
    int cuda_version;
    IsaVersion ptx;
};

// PTX ISA, release history: the first CUDA version that has each. From 13.0 on both count alike.
constexpr std::array<Release, 9> releases{{
    {12000, {8, 0}},
    {12010, {8, 1}},
    {12020, {8, 2}},
    {12030, {8, 3}},
    {12040, {8, 4}},
    {12050, {8, 5}},
    {12070, {8, 6}},
    {12080, {8, 7}},
    {12090, {8, 8}},
}};

}  // namespace

int cuda_version() {
    return requested_version().value_or(default_cuda_version);
}

std::optional<IsaVersion> newest_loadable_ptx() {
    const std::optional<int> version = requested_version();
    if (!version) return std::nullopt;
    if (*version >= 13000) return IsaVersion{9, static_cast<unsigned int>(*version % 1000 / 10)};
    IsaVersion newest = releases.front().ptx;
    for (const Release& release : releases) {
        if (release.cuda_version <= *version) newest = release.ptx;
    }
    return newest;
}

}  // namespace cuprum::simulator::libcuda
