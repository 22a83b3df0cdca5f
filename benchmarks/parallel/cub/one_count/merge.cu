#include "../baseline.cuh"

extern "C" {

int cub_merge_keys_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceMerge::MergeKeys(storage, *bytes, read<uint32_t>(in, 0), n / 2, read<uint32_t>(in, 1), n / 2,
                                       write<uint32_t>(out, 0), Less{}, stream);
}
int cub_merge_pairs_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceMerge::MergePairs(storage, *bytes, read<uint32_t>(in, 0), read<uint32_t>(in, 2), n / 2,
                                        read<uint32_t>(in, 1), read<uint32_t>(in, 3), n / 2, write<uint32_t>(out, 0),
                                        write<uint32_t>(out, 1), Less{}, stream);
}
}
