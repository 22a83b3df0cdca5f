#include "../baseline.cuh"

extern "C" {

int cub_arg_min_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    // As our result is laid out: a position of 64 bits, then the value.
    return cub::DeviceReduce::ArgMin(storage, *bytes, read<float>(in, 0), write<float>(out, 0) + 2,
                                     write<int64_t>(out, 0), n, stream);
}
int cub_segmented_sum_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    const int* const begins = read<int>(in, 1);
    return cub::DeviceSegmentedReduce::Sum(storage, *bytes, read<float>(in, 0), write<float>(out, 0),
                                           n / cuprum::benchmarks::segment_length, begins, begins + 1, stream);
}
int cub_segmented_sort_keys_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n,
                                cudaStream_t stream) {
    const int* const begins = read<int>(in, 1);
    return cub::DeviceSegmentedSort::StableSortKeys(storage, *bytes, read<uint32_t>(in, 0), write<uint32_t>(out, 0), n,
                                                    n / cuprum::benchmarks::segment_length, begins, begins + 1, stream);
}
int cub_segmented_sort_pairs_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n,
                                 cudaStream_t stream) {
    const int* const begins = read<int>(in, 1);
    return cub::DeviceSegmentedSort::StableSortPairs(
        storage, *bytes, read<uint32_t>(in, 0), write<uint32_t>(out, 0), read<uint32_t>(in, 2), write<uint32_t>(out, 1),
        n, n / cuprum::benchmarks::segment_length, begins, begins + 1, stream);
}
}
