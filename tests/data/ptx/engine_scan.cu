#include <cub/device/dispatch/kernels/scan.cuh>
#include <cub/agent/single_pass_scan_operators.cuh>
using Tile = cub::ScanTileState<long long>; using Tile32 = cub::ScanTileState<int>;
template <class T, class S> __device__ void scan(const T* in, T* out, S state) {
  using B = cub::BlockScan<T, 128>; using P = cub::TilePrefixCallbackOp<T, ::cuda::std::plus<>, S>;
  __shared__ typename B::TempStorage b; __shared__ typename P::TempStorage p; int i = blockIdx.x * 128 + threadIdx.x; T v = in[i], r;
  if (blockIdx.x == 0) { T total; B(b).InclusiveScan(v, r, ::cuda::std::plus<>{}, total); if (threadIdx.x == 0) state.SetInclusive(0, total); }
  else { P prefix(state, p, ::cuda::std::plus<>{}, blockIdx.x); B(b).InclusiveScan(v, r, ::cuda::std::plus<>{}, prefix); }
  out[i] = r; }
extern "C" __global__ void scan_init(void* temp, int tiles, size_t bytes) { Tile s; s.Init(tiles, temp, bytes); s.InitializeStatus(tiles); }
extern "C" __global__ void scan_long(void* temp, int tiles, size_t bytes, const long long* in, long long* out) { Tile s; s.Init(tiles, temp, bytes); scan(in, out, s); }
extern "C" __global__ void scan32_init(void* temp, int tiles, size_t bytes) { Tile32 s; s.Init(tiles, temp, bytes); s.InitializeStatus(tiles); }
extern "C" __global__ void scan_int(void* temp, int tiles, size_t bytes, const int* in, int* out) { Tile32 s; s.Init(tiles, temp, bytes); scan(in, out, s); }
