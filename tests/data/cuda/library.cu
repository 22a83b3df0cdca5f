// libcu++: atomics, barriers, pipelines, tuples, complex numbers, chrono; cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/variant>

namespace cg = cooperative_groups;

template <class T, cuda::thread_scope Scope>
__device__ T atomic_operations(T* p, T v) {
    cuda::atomic_ref<T, Scope> a(*p);
    T s = a.load(cuda::std::memory_order_acquire) + a.load(cuda::std::memory_order_relaxed) + a.load();
    a.store(v, cuda::std::memory_order_release), a.store(v, cuda::std::memory_order_relaxed), a.store(v);
    s += a.exchange(v) + a.fetch_add(v, cuda::std::memory_order_relaxed) + a.fetch_sub(v, cuda::std::memory_order_acq_rel);
    T expected = v;
    a.compare_exchange_strong(expected, s), a.compare_exchange_weak(expected, s, cuda::std::memory_order_acquire);
    if constexpr (cuda::std::is_integral_v<T>) s += a.fetch_and(v) + a.fetch_or(v) + a.fetch_xor(v) + a.fetch_min(v) + a.fetch_max(v);
    a.notify_all();
    cuda::atomic_thread_fence(cuda::std::memory_order_seq_cst, Scope);
    cuda::atomic_thread_fence(cuda::std::memory_order_acq_rel, Scope);
    return s;
}

extern "C" __global__ void scoped_atomics(int* i, unsigned long long* l, float* f, double* d, signed char* c, short* s) {
    i[1] = atomic_operations<int, cuda::thread_scope_system>(i, 3);
    i[2] = atomic_operations<int, cuda::thread_scope_device>(i, 3) + atomic_operations<int, cuda::thread_scope_block>(i, 3);
    l[1] = atomic_operations<unsigned long long, cuda::thread_scope_device>(l, 3);
    f[1] = atomic_operations<float, cuda::thread_scope_device>(f, 3);
    d[1] = atomic_operations<double, cuda::thread_scope_system>(d, 3);
    c[1] = atomic_operations<signed char, cuda::thread_scope_device>(c, 3);
    s[1] = atomic_operations<short, cuda::thread_scope_block>(s, 3);
}

extern "C" __global__ void block_barrier(int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    barrier.arrive_and_wait();
    auto token = barrier.arrive();
    barrier.wait(cuda::std::move(token));
    out[threadIdx.x] = int(blockDim.x);
}

extern "C" __global__ void asynchronous_copies(const int4* in, int4* out) {
    __shared__ int4 stage[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, stage, in, sizeof(int4) * 64);
    cg::wait(block);
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(stage + threadIdx.x, in + threadIdx.x, cuda::aligned_size_t<16>(sizeof(int4)), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    pipe.consumer_release();
    out[threadIdx.x] = stage[threadIdx.x];
}

extern "C" __global__ void groups(int* out) {
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    auto warp = cg::tiled_partition<32>(block);
    const int lane = tile.thread_rank();
    out[0] = cg::reduce(tile, lane, cg::plus<int>()) + cg::reduce(warp, float(lane), cg::less<float>()) > 0;
    out[1] = cg::inclusive_scan(tile, lane, cg::plus<int>()) + cg::exclusive_scan(warp, lane);
    out[2] = tile.shfl(lane, 1) + tile.shfl_up(lane, 1) + tile.any(lane) + tile.ballot(lane) + tile.match_any(lane);
    if (lane < 5) {
        auto some = cg::coalesced_threads();
        out[3] = some.size() + some.thread_rank() + some.shfl(lane, 0);
    }
    auto labeled = cg::labeled_partition(cg::coalesced_threads(), lane & 1);
    auto binary = cg::binary_partition(warp, lane & 1);
    out[4] = labeled.size() + binary.size() + block.group_dim().x + cg::this_grid().thread_rank();
    block.sync(), tile.sync(), warp.sync();
    auto token = block.barrier_arrive();
    block.barrier_wait(cuda::std::move(token));
    cg::this_grid().sync();
}

extern "C" __global__ void standard_library(float* f, double* d, unsigned* u, unsigned long long* t) {
    using cuda::std::complex;
    const complex<float> z(f[0], f[1]);
    const complex<float> w = exp(z) * sqrt(z) / (z + 1.0f) + pow(z, 2.0f) + log(z) + sin(z) + tanh(z);
    f[2] = w.real() + abs(w) + arg(w);
    const complex<double> g(d[0], d[1]);
    d[2] = (g * g / (g + 1.0) + exp(g)).imag();
    u[1] = cuda::std::popcount(u[0]) + cuda::std::countl_zero(u[0]) + cuda::std::countr_one(u[0]) + cuda::std::bit_ceil(u[0]) +
           cuda::std::rotl(u[0], 5) + cuda::std::bit_width(u[0]) + cuda::std::gcd(u[0], 12u) + cuda::std::has_single_bit(u[0]);
    cuda::std::optional<int> maybe = u[0] > 3 ? cuda::std::optional<int>(5) : cuda::std::nullopt;
    cuda::std::variant<int, float> either;
    if (u[0] > 4) either = 1.5f;
    auto tuple = cuda::std::make_tuple(u[0], f[0], d[0]);
    cuda::std::array<int, 4> array{1, 2, 3, int(u[0])};
    u[2] = maybe.value_or(3) + cuda::std::get<0>(tuple) + array[u[0] & 3] + either.index() + cuda::std::midpoint(u[0], u[1]);
    t[0] = cuda::std::chrono::system_clock::now().time_since_epoch().count();
    t[1] = cuda::std::chrono::high_resolution_clock::now().time_since_epoch().count();
    f[3] = cuda::std::lerp(f[0], f[1], f[2]) + cuda::std::hypot(f[0], f[1]);
}
