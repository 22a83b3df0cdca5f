#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void cooperative(const int* in, int* out) {
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<16>(block);
    const int sum = cg::reduce(tile, in[block.thread_rank()], cg::plus<int>());
    if (tile.thread_rank() == 0) {
        atomicAdd(out, sum);
    }
    cg::this_grid().sync();
    const cg::coalesced_group active = cg::coalesced_threads();
    out[1 + block.thread_rank()] = active.shfl(sum, 0) + tile.match_any(sum) + tile.ballot(sum > 3);
    block.sync();
}
