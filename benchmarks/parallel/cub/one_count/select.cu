#include "../baseline.cuh"

namespace {
struct AboveHalf {
    __host__ __device__ bool operator()(float a) const { return a > 0.5f; }
};
}  // namespace

extern "C" {

int cub_select_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceSelect::If(storage, *bytes, read<float>(in, 0), write<float>(out, 0),
                                 write<unsigned long long>(out, 1), n, AboveHalf{}, stream);
}
int cub_select_flagged_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceSelect::Flagged(storage, *bytes, read<float>(in, 0), read<uint8_t>(in, 1), write<float>(out, 0),
                                      write<unsigned long long>(out, 1), n, stream);
}
int cub_unique_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceSelect::Unique(storage, *bytes, read<uint32_t>(in, 0), write<uint32_t>(out, 0),
                                     write<unsigned long long>(out, 1), n, stream);
}
int cub_run_length_encode_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceRunLengthEncode::Encode(storage, *bytes, read<uint32_t>(in, 0), write<uint32_t>(out, 0),
                                              write<int>(out, 1), write<unsigned long long>(out, 2), n, stream);
}
int cub_non_trivial_runs_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceRunLengthEncode::NonTrivialRuns(storage, *bytes, read<uint32_t>(in, 0), write<int>(out, 0),
                                                      write<int>(out, 1), write<unsigned long long>(out, 2), n, stream);
}
}
