#include "baseline.cuh"

extern "C" {

int cub_merge_sort_u32(void* storage, size_t* bytes, Inputs in, Outputs out, int n, cudaStream_t stream) {
    return cub::DeviceMergeSort::SortKeysCopy(storage, *bytes, read<uint32_t>(in, 0), write<uint32_t>(out, 0), n,
                                              Less{}, stream);
}
int cub_merge_sort_pairs_u32(void* storage, size_t* bytes, Inputs in, Outputs out, int n, cudaStream_t stream) {
    return cub::DeviceMergeSort::SortPairsCopy(storage, *bytes, read<uint32_t>(in, 0), read<uint32_t>(in, 1),
                                               write<uint32_t>(out, 0), write<uint32_t>(out, 1), n, Less{}, stream);
}
int cub_merge_keys_u32(void* storage, size_t* bytes, Inputs in, Outputs out, int n, cudaStream_t stream) {
    return cub::DeviceMerge::MergeKeys(storage, *bytes, read<uint32_t>(in, 0), n / 2, read<uint32_t>(in, 1), n / 2,
                                       write<uint32_t>(out, 0), Less{}, stream);
}
int cub_merge_pairs_u32(void* storage, size_t* bytes, Inputs in, Outputs out, int n, cudaStream_t stream) {
    return cub::DeviceMerge::MergePairs(storage, *bytes, read<uint32_t>(in, 0), read<uint32_t>(in, 2), n / 2,
                                        read<uint32_t>(in, 1), read<uint32_t>(in, 3), n / 2, write<uint32_t>(out, 0),
                                        write<uint32_t>(out, 1), Less{}, stream);
}
}
