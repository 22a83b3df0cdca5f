#include <cuda/atomic>
#include <cuda/barrier>
extern "C" __global__ void barrier(const float* in, float* out, int* flag) {
    __shared__ alignas(16) float staged[256];
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    if (threadIdx.x == 0) {
        init(&ready, blockDim.x);
    }
    __syncthreads();
    cuda::memcpy_async(&staged[threadIdx.x * 4], &in[threadIdx.x * 4], cuda::aligned_size_t<16>(16), ready);
    ready.arrive_and_wait();
    cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).fetch_add(1, cuda::memory_order_release);
    out[threadIdx.x] = staged[threadIdx.x];
}
