#include <cub/device/dispatch/kernels/reduce.cuh>
#include <cub/device/dispatch/kernels/scan.cuh>
#include <cub/device/dispatch/tuning/tuning_reduce.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_radix_sort.cuh>
extern "C" __global__ void cub_block(const int* in, int* sums, int* scan, int* sorted) {
  using R = cub::BlockReduce<int, 128>; using S = cub::BlockScan<int, 128>; using O = cub::BlockRadixSort<int, 128, 4>;
  __shared__ union { typename R::TempStorage r; typename S::TempStorage s; typename O::TempStorage o; } t;
  int v[4]; for (int k=0;k<4;k++) v[k]=in[(blockIdx.x*128+threadIdx.x)*4+k]; int total=R(t.r).Sum(v); if(threadIdx.x==0) sums[blockIdx.x]=total; __syncthreads();
  int e[4]; S(t.s).ExclusiveSum(v,e); __syncthreads(); for(int k=0;k<4;k++) scan[(blockIdx.x*128+threadIdx.x)*4+k]=e[k];
  O(t.o).Sort(v); for(int k=0;k<4;k++) sorted[(blockIdx.x*128+threadIdx.x)*4+k]=v[k]; }
