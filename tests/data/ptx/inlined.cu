// Functions that the compiler puts into each other.
__device__ __forceinline__ float inner(float value, const float* by) {
    return value / by[0];
}
__device__ __forceinline__ float outer(float value, const float* by) {
    return inner(value, by) + 3;
}
extern "C" __global__ void nested(float* x, const float* by) {
    int i = threadIdx.x;
    x[i] = outer(x[i], by);
}
template <typename T>
__global__ void typed(T* x) {
    x[threadIdx.x] = T(1);
}
template __global__ void typed<float>(float*);
