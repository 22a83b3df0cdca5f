#include "baseline.cuh"

extern "C" {

int cub_sort_keys_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceRadixSort::SortKeys(storage, *bytes, read<uint32_t>(in, 0), write<uint32_t>(out, 0), counted(n),
                                          0, 32, stream);
}
// `n` counts elements of 4 bytes, as everywhere.
int cub_sort_keys_u128(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceRadixSort::SortKeys(storage, *bytes, read<unsigned __int128>(in, 0),
                                          write<unsigned __int128>(out, 0), counted(n / 4), 0, 128, stream);
}
int cub_sort_pairs_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceRadixSort::SortPairs(storage, *bytes, read<uint32_t>(in, 0), write<uint32_t>(out, 0),
                                           read<uint32_t>(in, 1), write<uint32_t>(out, 1), counted(n), 0, 32, stream);
}
}
