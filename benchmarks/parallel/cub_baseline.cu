// What the algorithms are measured against: CUB as its users call it, compiled ahead of time by nvcc. A library of its
// own, so that both run in one process: nvcc -shared -O3 -arch=sm_90 -Xcompiler -fPIC cub_baseline.cu -o libcub_baseline.so
// Every function is CUB's: with `storage` null it gives the bytes needed. The result is a cudaError_t.
#include <cub/cub.cuh>

#include <cstdint>

namespace {
// Not one that CUB knows.
struct LargerMagnitude {
    __host__ __device__ float operator()(float a, float b) const { return fabsf(a) > fabsf(b) ? a : b; }
};
struct Less {
    template <class T>
    __host__ __device__ bool operator()(T a, T b) const {
        return a < b;
    }
};
struct Product {
    __host__ __device__ float operator()(float a, float b) const { return a * b; }
};
struct Fused {
    __host__ __device__ float operator()(float a) const { return a * 2.0f + 1.0f; }
};
}  // namespace

extern "C" {

int cub_reduce_f32(void* storage, size_t* bytes, const void* in, void* out, int n, cudaStream_t stream) {
    return cub::DeviceReduce::Sum(storage, *bytes, static_cast<const float*>(in), static_cast<float*>(out), n, stream);
}
int cub_reduce_own_f32(void* storage, size_t* bytes, const void* in, void* out, int n, cudaStream_t stream) {
    return cub::DeviceReduce::Reduce(storage, *bytes, static_cast<const float*>(in), static_cast<float*>(out), n,
                                     LargerMagnitude{}, 0.0f, stream);
}
int cub_scan_f32(void* storage, size_t* bytes, const void* in, void* out, int n, cudaStream_t stream) {
    return cub::DeviceScan::ExclusiveSum(storage, *bytes, static_cast<const float*>(in), static_cast<float*>(out), n,
                                         stream);
}
int cub_scan_own_f32(void* storage, size_t* bytes, const void* in, void* out, int n, cudaStream_t stream) {
    return cub::DeviceScan::InclusiveScan(storage, *bytes, static_cast<const float*>(in), static_cast<float*>(out),
                                          LargerMagnitude{}, n, stream);
}
int cub_sort_keys_u32(void* storage, size_t* bytes, const void* in, void* out, int n, cudaStream_t stream) {
    return cub::DeviceRadixSort::SortKeys(storage, *bytes, static_cast<const uint32_t*>(in),
                                          static_cast<uint32_t*>(out), n, 0, 32, stream);
}
int cub_sort_pairs_u32(void* storage, size_t* bytes, const void* in, void* out, const void* values_in, void* values_out,
                       int n, cudaStream_t stream) {
    return cub::DeviceRadixSort::SortPairs(storage, *bytes, static_cast<const uint32_t*>(in),
                                           static_cast<uint32_t*>(out), static_cast<const uint32_t*>(values_in),
                                           static_cast<uint32_t*>(values_out), n, 0, 32, stream);
}
int cub_merge_sort_u32(void* storage, size_t* bytes, const void* in, void* out, int n, cudaStream_t stream) {
    return cub::DeviceMergeSort::SortKeysCopy(storage, *bytes, static_cast<const uint32_t*>(in),
                                              static_cast<uint32_t*>(out), n, Less{}, stream);
}
int cub_transform_f32(void* storage, size_t* bytes, const void* in, void* out, int n, cudaStream_t stream) {
    if (storage == nullptr) {
        *bytes = 1;
        return 0;
    }
    return cub::DeviceTransform::Transform(static_cast<const float*>(in), static_cast<float*>(out), n, Fused{}, stream);
}
int cub_arg_min_f32(void* storage, size_t* bytes, const void* in, void* out, int n, cudaStream_t stream) {
    // As our result is laid out: a position of 64 bits, then the value.
    return cub::DeviceReduce::ArgMin(storage, *bytes, static_cast<const float*>(in), static_cast<float*>(out) + 2,
                                     static_cast<int64_t*>(out), static_cast<int64_t>(n), stream);
}
int cub_segmented_sum_f32(void* storage, size_t* bytes, const void* in, void* out, const void* offsets, void*,
                          int segments, cudaStream_t stream) {
    const int* const begins = static_cast<const int*>(offsets);
    return cub::DeviceSegmentedReduce::Sum(storage, *bytes, static_cast<const float*>(in), static_cast<float*>(out),
                                           segments, begins, begins + 1, stream);
}
int cub_merge_sort_pairs_u32(void* storage, size_t* bytes, const void* in, void* out, const void* values_in,
                             void* values_out, int n, cudaStream_t stream) {
    return cub::DeviceMergeSort::SortPairsCopy(storage, *bytes, static_cast<const uint32_t*>(in),
                                               static_cast<const uint32_t*>(values_in), static_cast<uint32_t*>(out),
                                               static_cast<uint32_t*>(values_out), n, Less{}, stream);
}
int cub_transform_binary_f32(void* storage, size_t* bytes, const void* in, void* out, const void* second, void*, int n,
                             cudaStream_t stream) {
    if (storage == nullptr) {
        *bytes = 1;
        return 0;
    }
    return cub::DeviceTransform::Transform(
        ::cuda::std::make_tuple(static_cast<const float*>(in), static_cast<const float*>(second)),
        static_cast<float*>(out), n, Product{}, stream);
}
}
