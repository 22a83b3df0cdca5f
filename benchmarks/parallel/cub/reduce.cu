#include "baseline.cuh"

#include <thrust/iterator/counting_iterator.h>

namespace {
struct Extremes {
    float smallest, largest;
};
struct ToExtremes {
    __host__ __device__ Extremes operator()(float a) const { return {a, a}; }
};
struct Wider {
    __host__ __device__ Extremes operator()(Extremes a, Extremes b) const {
        return {a.smallest < b.smallest ? a.smallest : b.smallest, a.largest > b.largest ? a.largest : b.largest};
    }
};
// CUB has no search and no comparison in this version: a reduction reads the same elements.
struct Found {
    const float* elements;
    long long count;
    __host__ __device__ long long operator()(long long i) const { return elements[i] > 2.0f ? i : count; }
};
struct EqualAt {
    const float *first, *second;
    __host__ __device__ bool operator()(long long i) const { return first[i] == second[i]; }
};
struct Both {
    __host__ __device__ bool operator()(bool a, bool b) const { return a && b; }
};
using Positions = thrust::counting_iterator<long long>;
}  // namespace

extern "C" {

int cub_reduce_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceReduce::Sum(storage, *bytes, read<float>(in, 0), write<float>(out, 0), counted(n), stream);
}
int cub_reduce_own_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceReduce::Reduce(storage, *bytes, read<float>(in, 0), write<float>(out, 0), counted(n),
                                     LargerMagnitude{}, 0.0f, stream);
}
int cub_reduce_by_key_u32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceReduce::ReduceByKey(storage, *bytes, read<uint32_t>(in, 0), write<uint32_t>(out, 0),
                                          read<uint32_t>(in, 1), write<uint32_t>(out, 1),
                                          write<unsigned long long>(out, 2), ::cuda::std::plus<>{}, counted(n), stream);
}
int cub_min_max_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceReduce::TransformReduce(storage, *bytes, read<float>(in, 0), write<Extremes>(out, 0), counted(n),
                                              Wider{}, ToExtremes{}, Extremes{INFINITY, -INFINITY}, stream);
}
int cub_find_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceReduce::TransformReduce(storage, *bytes, Positions(0), write<long long>(out, 0), counted(n),
                                              ::cuda::minimum<>{}, Found{read<float>(in, 0), n}, n, stream);
}
int cub_equal_f32(void* storage, size_t* bytes, Inputs in, Outputs out, long long n, cudaStream_t stream) {
    return cub::DeviceReduce::TransformReduce(storage, *bytes, Positions(0), write<bool>(out, 0), counted(n), Both{},
                                              EqualAt{read<float>(in, 0), read<float>(in, 1)}, true, stream);
}
}
