#include "baseline.cuh"

extern "C" {

int cub_merge_sort_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceMergeSort::SortKeysCopy(storage, *bytes, read<uint32_t>(in, 0), write<uint32_t>(out, 0),
                                              counted(n), Less{}, stream);
}
int cub_merge_sort_pairs_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceMergeSort::SortPairsCopy(storage, *bytes, read<uint32_t>(in, 0), read<uint32_t>(in, 1),
                                               write<uint32_t>(out, 0), write<uint32_t>(out, 1), counted(n), Less{},
                                               stream);
}
}
