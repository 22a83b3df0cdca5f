// cub::GridEvenShare<Offset>, as CUB's kernels take it by value (CCCL 3.0, cub/grid/grid_even_share.cuh). Its size is
// compared with the compiled one's when a program is built.
#pragma once

#include <algorithm>
#include <cstdint>

namespace cuprum::parallel {

template <class OffsetType>
struct EvenShare {
    int32_t total_tiles = 0;
    int32_t big_shares = 0;
    OffsetType big_share_items = 0;
    OffsetType normal_share_items = 0;
    OffsetType normal_base_offset = 0;
    OffsetType num_items = 0;
    int32_t grid_size = 0;
    OffsetType block_offset = 0;
    OffsetType block_end = 0;
    OffsetType block_stride = 0;

    // Distributes `count` > 0 elements, in tiles of `tile_items`, over at most `max_blocks` blocks.
    EvenShare(OffsetType count, int64_t max_blocks, int64_t tile_items) {
        const auto tile = static_cast<OffsetType>(tile_items);
        total_tiles = static_cast<int32_t>((count - 1) / tile + 1);
        grid_size = std::min(total_tiles, static_cast<int32_t>(max_blocks));
        const int32_t tiles_per_block = total_tiles / grid_size;
        big_shares = total_tiles - tiles_per_block * grid_size;
        normal_share_items = static_cast<OffsetType>(tiles_per_block) * tile;
        normal_base_offset = static_cast<OffsetType>(big_shares) * tile;
        big_share_items = normal_share_items + tile;
        num_items = block_offset = block_end = count;
    }
};

static_assert(sizeof(EvenShare<uint32_t>) == 40 && sizeof(EvenShare<uint64_t>) == 72);

}  // namespace cuprum::parallel
