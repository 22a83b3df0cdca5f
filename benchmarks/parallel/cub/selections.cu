#include "baseline.cuh"

namespace {
struct AboveHalf {
    __host__ __device__ bool operator()(float a) const { return a > 0.5f; }
};
struct BelowQuarter {
    __host__ __device__ bool operator()(float a) const { return a < 0.25f; }
};
}  // namespace

extern "C" {

int cub_partition_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DevicePartition::If(storage, *bytes, read<float>(in, 0), write<float>(out, 0),
                                    write<unsigned long long>(out, 1), counted(n), AboveHalf{}, stream);
}
int cub_partition_flagged_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DevicePartition::Flagged(storage, *bytes, read<float>(in, 0), read<uint8_t>(in, 1),
                                         write<float>(out, 0), write<unsigned long long>(out, 1), counted(n), stream);
}
int cub_three_way_partition_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n,
                                cudaStream_t stream) {
    return cub::DevicePartition::If(storage, *bytes, read<float>(in, 0), write<float>(out, 0), write<float>(out, 1),
                                    write<float>(out, 2), write<unsigned long long>(out, 3), counted(n), AboveHalf{},
                                    BelowQuarter{}, stream);
}
int cub_unique_by_key_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceSelect::UniqueByKey(storage, *bytes, read<uint32_t>(in, 0), read<uint32_t>(in, 1),
                                          write<uint32_t>(out, 0), write<uint32_t>(out, 1),
                                          write<unsigned long long>(out, 2), counted(n), stream);
}
}
