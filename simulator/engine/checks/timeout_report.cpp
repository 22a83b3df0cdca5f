// Where the warps of a kernel were when its time was up: alike ones together, the most numerous first, in a few lines'
// worth of text however large the kernel is.
#include <algorithm>
#include <span>
#include <tuple>

#include "engine/checks/text.hpp"
#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {
namespace {

constexpr size_t most_places = 8;
constexpr size_t most_blocks = 4;  // of each place

std::string duration_text(std::chrono::milliseconds time) {
    const auto count = time.count();
    return count % 1000 == 0 ? std::to_string(count / 1000) + " s" : std::to_string(count) + " ms";
}

std::string option_text(std::chrono::milliseconds time) {
    const auto count = time.count();
    return count % 1000 == 0 ? std::to_string(count / 1000) + "s" : std::to_string(count) + "ms";
}

std::string counted(uint64_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

Dimensions block_index(const Dimensions& grid, uint64_t linear) {
    return {static_cast<uint32_t>(linear % grid.x), static_cast<uint32_t>(linear / grid.x % grid.y),
            static_cast<uint32_t>(linear / grid.x / grid.y)};
}

// "warps 0-3, 7 and warp 5 lanes 0xff": of one block, in order.
std::string warps_text(std::span<const Standing> standing) {
    std::string text;
    for (size_t first = 0; first < standing.size();) {
        size_t last = first;
        const auto continues = [&](size_t next) {
            return next < standing.size() && standing[first].lanes == 0 && standing[next].lanes == 0 &&
                   standing[next].warp == standing[next - 1].warp + 1;
        };
        while (continues(last + 1))
            ++last;
        text += text.empty() ? "" : ", ";
        text += (first == last ? "warp " : "warps ") + std::to_string(standing[first].warp);
        if (first != last) text += "-" + std::to_string(standing[last].warp);
        if (standing[first].lanes != 0) text += " lanes " + hexadecimal(standing[first].lanes);
        first = last + 1;
    }
    return text;
}

std::string blocks_text(const Dimensions& grid, const std::vector<Standing>& standing) {
    std::string text;
    size_t blocks = 0;
    for (size_t first = 0; first < standing.size();) {
        size_t end = first;
        while (end < standing.size() && standing[end].block == standing[first].block)
            ++end;
        if (++blocks <= most_blocks) {
            text += text.empty() ? "" : "; ";
            text += "block " + dimensions_text(block_index(grid, standing[first].block)) + " " +
                    warps_text(std::span(standing).subspan(first, end - first));
        }
        first = end;
    }
    if (blocks > most_blocks) text += "; and " + counted(blocks - most_blocks, "more block");
    return text;
}

std::string state_text(const Block& block, const Warp& warp, const Group& group) {
    switch (group.state) {
        case Group::State::at_block_barrier:
            return "waiting at barrier " + std::to_string(group.barrier) + ", where " +
                   std::to_string(block.barriers.of[group.barrier].arrived) + " threads have arrived, ";
        case Group::State::at_cluster_barrier:
            return "waiting at the cluster's barrier, where " + std::to_string(block.cluster->arrived) +
                   " threads have arrived, ";
        case Group::State::at_warp_sync:
            return "waiting for lanes " + hexadecimal(group.members & warp.live) + " ";
        case Group::State::ready:
            break;
    }
    return "running ";
}

}  // namespace

void Launch::note_standing(const Block& block) {
    const std::lock_guard lock(mutex);
    ++standing_blocks;
    for (const Warp& warp : block.warps) {
        for (unsigned k = 0; k < warp.group_count; ++k) {
            const Group& group = warp.groups[k];
            const Function& function = *group.frame->function;
            standing[state_text(block, warp, group) + place_text(*this, function, group.pc)].push_back(
                {block.grid_index(), warp.index, group.lanes == warp.live ? 0 : group.lanes,
                 ptx_line_of(function, group.pc)});
        }
    }
}

Fault describe_timeout(const Launch& launch) {
    const Dimensions& grid = launch.request->grid;
    std::vector<std::pair<std::string, std::vector<Standing>>> places(launch.standing.begin(), launch.standing.end());
    for (auto& [place, standing] : places) {
        std::sort(standing.begin(), standing.end(), [](const Standing& one, const Standing& other) {
            return std::tie(one.block, one.warp, one.lanes) < std::tie(other.block, other.warp, other.lanes);
        });
    }
    std::stable_sort(places.begin(), places.end(),
                     [](const auto& one, const auto& other) { return one.second.size() > other.second.size(); });

    Fault fault;
    fault.kind = Fault::Kind::timeout;
    fault.kernel = launch.information->name;
    if (!places.empty()) {
        const Standing& first = places.front().second.front();
        fault.block = block_index(grid, first.block);
        fault.ptx_line = first.ptx_line;
    }
    const uint64_t begun = std::min(launch.next_cluster.load() * launch.cluster_blocks, launch.block_count);
    fault.message = "kernel '" + fault.kernel + "' had not ended after " + duration_text(launch.model->kernel_timeout) +
                    " (CUPRUM_SIM=timeout=" + option_text(launch.model->kernel_timeout) + "): of its " +
                    counted(launch.block_count, "block") + " " + std::to_string(begun - launch.standing_blocks) +
                    " had ended, " + std::to_string(launch.standing_blocks) + " had begun, " +
                    std::to_string(launch.block_count - begun) + " had not";
    for (size_t k = 0; k < std::min(places.size(), most_places); ++k) {
        const auto& [place, standing] = places[k];
        fault.message += "; " + counted(standing.size(), "warp") + " " + place + ": " + blocks_text(grid, standing);
    }
    if (places.size() > most_places) {
        fault.message += "; and warps at " + counted(places.size() - most_places, "other place");
    }
    return fault;
}

}  // namespace cuprum::simulator
