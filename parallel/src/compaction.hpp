// What selection and unique by key share: tiles count what they keep, learn from the tiles before them where it goes
// (decoupled look-back), and write it there. A program has a `helper_t` (cub::detail::vsmem_helper_default_fallback_
// policy_t of its agent) and two kernels, the one that prepares the tiles' states and the sweep.
#pragma once

#include <vector>

#include "tile_states.hpp"

namespace cuprum::parallel {

struct CompactionProgram {
    core::Kernel init, sweep;
    int64_t threads;
    uint64_t tile_items, shared_bytes;  // shared_bytes: per tile, of what does not fit into shared memory
    TileStateSizes sizes;
    bool wide;

    // For a request, with the name of the first kernel.
    static constexpr const char* init_kernel =
        "cub::detail::scan::DeviceCompactInitKernel<tiles_t, unsigned long long*>";
    static void add_constants(std::vector<BuildRequest::Constant>& constants) {
        constants.push_back({"threads", "helper_t::agent_policy_t::BLOCK_THREADS"});
        constants.push_back({"items per thread", "helper_t::agent_policy_t::ITEMS_PER_THREAD"});
        constants.push_back({"shared bytes", "helper_t::vsmem_per_block"});
        TileStateSizes::add_constants(constants);
    }
    CompactionProgram(const core::Device&, const CompiledProgram& compiled, Width width)
        : init(compiled.kernel(0)),
          sweep(compiled.kernel(1)),
          threads(compiled.positive("threads")),
          tile_items(compiled.positive_size("threads") * compiled.positive_size("items per thread")),
          shared_bytes(compiled.size("shared bytes")),
          sizes(compiled),
          wide(width == Width::wide) {}
};

// The temporary storage of one call.
struct CompactionPlan {
    uint64_t tiles;
    StorageLayout storage;
    TileStates states;
    uint64_t shared;

    CompactionPlan(const CompactionProgram& program, uint64_t count)
        : tiles(ceil_divide(count, program.tile_items)),
          states(program.sizes, tiles, storage),
          shared(storage.add(tiles * program.shared_bytes)) {}
};

// To be launched before the sweep.
inline void init_tiles(const core::StreamRef& stream, const CompactionProgram& program, const CompactionPlan& plan,
                       const TileStates::Parameter& tiles, const Output& selected_count) {
    const auto tile_count = static_cast<int32_t>(plan.tiles);
    launch_kernel(stream, ceil_divide(plan.tiles, tile_states_init_threads), tile_states_init_threads, program.init,
                  tiles.bytes(), tile_count, selected_count.address());
}

// The result for no elements.
inline void write_zero(const core::StreamRef& stream, const Output& selected_count, const core::Device& device) {
    core::BufferRef::from_handle(selected_count.address(), sizeof(uint64_t), device.device_id()).fill(0, 4, stream);
}

}  // namespace cuprum::parallel
