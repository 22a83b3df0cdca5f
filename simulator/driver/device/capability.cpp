#include "driver/device/capability.hpp"

#include <algorithm>
#include <array>

namespace cuprum::simulator::libcuda {

namespace {

constexpr uint32_t kibibyte = 1024;

// CUDA C++ programming guide, technical specifications per compute capability; from 10.0 on also the table of
// CCCL 3.3's cuda/__device/arch_traits.h.
constexpr std::array<Capability, 12> capabilities{{
    {7, 5, 1024, 16, 64 * kibibyte, 0},
    {8, 0, 2048, 32, 164 * kibibyte, kibibyte},
    {8, 6, 1536, 16, 100 * kibibyte, kibibyte},
    {8, 7, 1536, 16, 164 * kibibyte, kibibyte},
    {8, 8, 1536, 16, 100 * kibibyte, kibibyte},
    {8, 9, 1536, 24, 100 * kibibyte, kibibyte},
    {9, 0, 2048, 32, 228 * kibibyte, kibibyte},
    {10, 0, 2048, 32, 228 * kibibyte, kibibyte},
    {10, 3, 2048, 32, 228 * kibibyte, kibibyte},
    {11, 0, 1536, 24, 228 * kibibyte, kibibyte},
    {12, 0, 1536, 24, 100 * kibibyte, kibibyte},
    {12, 1, 1536, 24, 100 * kibibyte, kibibyte},
}};

std::string text_of(const Capability& capability) {
    return std::to_string(capability.major) + "." + std::to_string(capability.minor);
}

}  // namespace

std::optional<Capability> find_capability(std::string_view text) {
    const auto* const found = std::find_if(capabilities.begin(), capabilities.end(),
                                           [&](const Capability& known) { return text == text_of(known); });
    return found == capabilities.end() ? std::nullopt : std::optional(*found);
}

const Capability& capability_of(uint32_t major, uint32_t minor) {
    return *std::find_if(capabilities.begin(), capabilities.end(),
                         [&](const Capability& known) { return known.major == major && known.minor == minor; });
}

std::string known_capabilities() {
    std::string text;
    for (const Capability& known : capabilities)
        text += (text.empty() ? "" : ", ") + text_of(known);
    return text;
}

}  // namespace cuprum::simulator::libcuda
