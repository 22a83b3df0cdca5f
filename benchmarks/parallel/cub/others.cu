#include "baseline.cuh"

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
    __device__ void operator()(count_t i) const { out[i] = in[i] * 2.0f + 1.0f; }
};
}  // namespace

extern "C" {

int cub_transform_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    if (needs_none(storage, bytes)) return 0;
    return cub::DeviceTransform::Transform(read<float>(in, 0), write<float>(out, 0), counted(n), Fused{}, stream);
}
int cub_transform_binary_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    if (needs_none(storage, bytes)) return 0;
    return cub::DeviceTransform::Transform(::cuda::std::make_tuple(read<float>(in, 0), read<float>(in, 1)),
                                           write<float>(out, 0), counted(n), Product{}, stream);
}
int cub_for_each_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    if (needs_none(storage, bytes)) return 0;
    return cub::DeviceFor::Bulk(counted(n), StoreFused{read<float>(in, 0), write<float>(out, 0)}, stream);
}
int cub_histogram_even_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceHistogram::HistogramEven(storage, *bytes, read<float>(in, 0), write<unsigned>(out, 0),
                                               cuprum::benchmarks::bin_count + 1, 0.0f, 1.0f, counted(n), stream);
}
int cub_histogram_range_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceHistogram::HistogramRange(storage, *bytes, read<float>(in, 0), write<unsigned>(out, 0),
                                                cuprum::benchmarks::bin_count + 1, read<float>(in, 1), counted(n),
                                                stream);
}
}
