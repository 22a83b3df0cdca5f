#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128) cluster(int* out) {
    __shared__ int value;
    const cg::cluster_group cluster = cg::this_cluster();
    value = threadIdx.x;
    cluster.sync();
    out[threadIdx.x] = *cluster.map_shared_rank(&value, cluster.block_rank() ^ 1) + cluster.dim_blocks().x;
    cluster.sync();
}
