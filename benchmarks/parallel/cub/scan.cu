#include "baseline.cuh"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace {
struct SegmentOf {
    __host__ __device__ count_t operator()(count_t i) const { return i / cuprum::benchmarks::segment_length; }
};
}  // namespace

extern "C" {

int cub_scan_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceScan::ExclusiveSum(storage, *bytes, read<float>(in, 0), write<float>(out, 0), counted(n), stream);
}
int cub_scan_own_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceScan::InclusiveScan(storage, *bytes, read<float>(in, 0), write<float>(out, 0), LargerMagnitude{},
                                          counted(n), stream);
}
int cub_inclusive_scan_by_key_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n,
                                  cudaStream_t stream) {
    return cub::DeviceScan::InclusiveSumByKey(storage, *bytes, read<uint32_t>(in, 0), read<uint32_t>(in, 1),
                                              write<uint32_t>(out, 0), counted(n), ::cuda::std::equal_to<>{}, stream);
}
int cub_exclusive_scan_by_key_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n,
                                  cudaStream_t stream) {
    return cub::DeviceScan::ExclusiveSumByKey(storage, *bytes, read<uint32_t>(in, 0), read<uint32_t>(in, 1),
                                              write<uint32_t>(out, 0), counted(n), ::cuda::std::equal_to<>{}, stream);
}
// CUB has no segmented scan in this version: its scan by key, of keys that are computed.
int cub_segmented_scan_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    const auto segments = thrust::make_transform_iterator(thrust::counting_iterator<count_t>(0), SegmentOf{});
    return cub::DeviceScan::InclusiveSumByKey(storage, *bytes, segments, read<uint32_t>(in, 0), write<uint32_t>(out, 0),
                                              counted(n), ::cuda::std::equal_to<>{}, stream);
}
int cub_adjacent_difference_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n,
                                cudaStream_t stream) {
    return cub::DeviceAdjacentDifference::SubtractLeftCopy(
        storage, *bytes, read<uint32_t>(in, 0), write<uint32_t>(out, 0), counted(n), ::cuda::std::minus<>{}, stream);
}
}
