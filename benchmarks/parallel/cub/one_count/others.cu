#include "../baseline.cuh"

#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>

extern "C" {

// CUB has no binary search in this version: Thrust's.
int thrust_lower_bound_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    if (needs_none(storage, bytes)) return 0;
    const uint32_t* const data = read<uint32_t>(in, 0);
    const uint32_t* const values = read<uint32_t>(in, 1);
    thrust::lower_bound(thrust::cuda::par_nosync.on(stream), data, data + n, values, values + n,
                        write<uint32_t>(out, 0));
    return 0;
}
int thrust_upper_bound_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    if (needs_none(storage, bytes)) return 0;
    const uint32_t* const data = read<uint32_t>(in, 0);
    const uint32_t* const values = read<uint32_t>(in, 1);
    thrust::upper_bound(thrust::cuda::par_nosync.on(stream), data, data + n, values, values + n,
                        write<uint32_t>(out, 0));
    return 0;
}
// `n` counts elements of 4 bytes, as everywhere.
int cub_batched_memcpy(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceMemcpy::Batched(storage, *bytes, read<void*>(in, 0), read<void*>(in, 2), read<uint32_t>(in, 3),
                                      n * 4 / cuprum::benchmarks::copy_slot, stream);
}
}
