#include "baseline.cuh"

#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>

namespace {
struct Fused {
    __host__ __device__ float operator()(float a) const { return a * 2.0f + 1.0f; }
};
struct Product {
    __host__ __device__ float operator()(float a, float b) const { return a * b; }
};
struct StoreFused {
    const float* in;
    float* out;
    __device__ void operator()(int i) const { out[i] = in[i] * 2.0f + 1.0f; }
};
}  // namespace

extern "C" {

int cub_transform_f32(void* storage, size_t* bytes, Inputs in, Outputs out, int n, cudaStream_t stream) {
    if (needs_none(storage, bytes)) return 0;
    return cub::DeviceTransform::Transform(read<float>(in, 0), write<float>(out, 0), n, Fused{}, stream);
}
int cub_transform_binary_f32(void* storage, size_t* bytes, Inputs in, Outputs out, int n, cudaStream_t stream) {
    if (needs_none(storage, bytes)) return 0;
    return cub::DeviceTransform::Transform(::cuda::std::make_tuple(read<float>(in, 0), read<float>(in, 1)),
                                           write<float>(out, 0), n, Product{}, stream);
}
int cub_for_each_f32(void* storage, size_t* bytes, Inputs in, Outputs out, int n, cudaStream_t stream) {
    if (needs_none(storage, bytes)) return 0;
    return cub::DeviceFor::Bulk(n, StoreFused{read<float>(in, 0), write<float>(out, 0)}, stream);
}
int cub_histogram_even_f32(void* storage, size_t* bytes, Inputs in, Outputs out, int n, cudaStream_t stream) {
    return cub::DeviceHistogram::HistogramEven(storage, *bytes, read<float>(in, 0), write<unsigned>(out, 0),
                                               cuprum::benchmarks::bin_count + 1, 0.0f, 1.0f, n, stream);
}
int cub_histogram_range_f32(void* storage, size_t* bytes, Inputs in, Outputs out, int n, cudaStream_t stream) {
    return cub::DeviceHistogram::HistogramRange(storage, *bytes, read<float>(in, 0), write<unsigned>(out, 0),
                                                cuprum::benchmarks::bin_count + 1, read<float>(in, 1), n, stream);
}
// `n` counts elements of 4 bytes, as everywhere.
int cub_batched_memcpy(void* storage, size_t* bytes, Inputs in, Outputs out, int n, cudaStream_t stream) {
    return cub::DeviceMemcpy::Batched(storage, *bytes, read<void*>(in, 0), read<void*>(in, 2), read<uint32_t>(in, 3),
                                      static_cast<uint32_t>(int64_t{n} * 4 / cuprum::benchmarks::copy_slot), stream);
}
// CUB has no binary search in this version: Thrust's.
int thrust_lower_bound_u32(void* storage, size_t* bytes, Inputs in, Outputs out, int n, cudaStream_t stream) {
    if (needs_none(storage, bytes)) return 0;
    const uint32_t* const data = read<uint32_t>(in, 0);
    const uint32_t* const values = read<uint32_t>(in, 1);
    thrust::lower_bound(thrust::cuda::par_nosync.on(stream), data, data + n, values, values + n,
                        write<uint32_t>(out, 0));
    return 0;
}
int thrust_upper_bound_u32(void* storage, size_t* bytes, Inputs in, Outputs out, int n, cudaStream_t stream) {
    if (needs_none(storage, bytes)) return 0;
    const uint32_t* const data = read<uint32_t>(in, 0);
    const uint32_t* const values = read<uint32_t>(in, 1);
    thrust::upper_bound(thrust::cuda::par_nosync.on(stream), data, data + n, values, values + n,
                        write<uint32_t>(out, 0));
    return 0;
}
}
