#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void grid_barrier(int* data, int* out) { auto g = cg::this_grid(); int i = g.thread_rank(); data[i] = i; g.sync(); out[i] = data[g.size() - 1 - i]; g.sync(); data[i] = out[i] * 2; g.sync(); out[i] += data[(i + 33) % g.size()]; }
extern "C" __global__ void tile_reduce(int* out) { auto t = cg::tiled_partition<8>(cg::this_thread_block()); out[threadIdx.x] = cg::reduce(t, (int)threadIdx.x, cg::plus<int>()); auto c = cg::coalesced_threads(); if (threadIdx.x % 3 == 0) { auto a = cg::coalesced_threads(); out[threadIdx.x] += 1000 * a.size(); } }
