#include "cuprum/pathfinder/nearest_names.hpp"

#include <algorithm>
#include <utility>

namespace cuprum::pathfinder {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Edits that turn one name into the other: a letter inserted, removed or replaced, or two neighbours swapped (the
// "optimal string alignment" distance).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> edits(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                edits[i][j] = i + j;
                continue;
            }
            const std::size_t replaced = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
            edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, edits[i - 1][j - 1] + replaced});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
                edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
            }
        }
    }
    return edits[a.size()][b.size()];
}

// What people put around the name of a library: "libnvrtc.so.13", "nvrtc64_130_0.dll".
std::string_view bare(std::string_view name) {
    if (name.starts_with("lib") && name.find(".so") != std::string_view::npos) {
        name.remove_prefix(3);
    }
    return name.substr(0, name.find('.'));
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known) {
    constexpr std::size_t longest_name = 64;
    constexpr std::size_t most = 3;
    if (name.empty() || name.size() > longest_name) {
        return {};
    }
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& candidate : known) {
        const std::size_t distance = edit_distance(bare(name), candidate);
        if (distance <= 1 + candidate.size() / 4) {
            near.emplace_back(distance, candidate);
        }
    }
    std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> names;
    for (std::size_t i = 0; i < near.size() && i < most; ++i) {
        names.push_back(near[i].second);
    }
    return names;
}

}  // namespace cuprum::pathfinder
