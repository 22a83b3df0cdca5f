// What threads of a warp and of a block exchange, fences, special registers, atomic operations of every scope.
extern "C" __global__ void warp_exchange(int* out, float* f, double* d) {
    const unsigned all = 0xffffffff;
    const int lane = threadIdx.x % warpSize;
    int k = 0;
    out[k++] = __shfl_sync(all, lane, 3), out[k++] = __shfl_up_sync(all, lane, 1), out[k++] = __shfl_down_sync(all, lane, 1);
    out[k++] = __shfl_xor_sync(all, lane, 1, 8), out[k++] = __all_sync(all, lane), out[k++] = __any_sync(all, lane);
    out[k++] = __ballot_sync(all, lane > 3), out[k++] = __match_any_sync(all, lane);
    int same;
    out[k++] = __match_all_sync(all, (long long)lane, &same), out[k++] = same, out[k++] = __activemask();
    __syncwarp();
    f[0] = __shfl_sync(all, f[1], 3), d[0] = __shfl_xor_sync(all, d[1], 3);
#if __CUDA_ARCH__ >= 800
    out[k++] = __reduce_add_sync(all, lane), out[k++] = __reduce_min_sync(all, lane), out[k++] = __reduce_max_sync(all, lane);
    out[k++] = __reduce_and_sync(all, lane), out[k++] = __reduce_or_sync(all, lane), out[k++] = __reduce_xor_sync(all, lane);
#endif
    out[k++] = __syncthreads_count(lane), out[k++] = __syncthreads_and(lane), out[k++] = __syncthreads_or(lane);
    __threadfence(), __threadfence_block(), __threadfence_system();
    __nanosleep(20);
    out[k++] = clock(), out[k++] = int(clock64());
    out[k++] = __isGlobal(out) + __isShared(out) + __isLocal(out) + __isConstant(out) + __isGridConstant(out);
    out[k++] = int(__cvta_generic_to_global(out));
    __prof_trigger(1);
    if (k > 1000) __trap();
    if (k > 1001) __brkpt();
}

template <class T>
__device__ void integer_atomics(T* p, T v) {
    p[1] = atomicAdd(p, v) + atomicMin(p, v) + atomicMax(p, v) + atomicAnd(p, v) + atomicOr(p, v) + atomicXor(p, v);
    p[2] = atomicExch(p, v) + atomicCAS(p, v, v + 1);
    p[3] = atomicAdd_block(p, v) + atomicMin_block(p, v) + atomicExch_block(p, v) + atomicCAS_block(p, v, v + 1);
    p[4] = atomicAdd_system(p, v) + atomicMax_system(p, v) + atomicExch_system(p, v) + atomicCAS_system(p, v, v + 1);
}

extern "C" __global__ void atomics(int* i, unsigned* u, unsigned long long* l, float* f, double* d, unsigned short* s) {
    __shared__ int shared;
    shared = 0;
    __syncthreads();
    integer_atomics(i, 5);
    integer_atomics(u, 5u);
    integer_atomics(l, 5ull);
    atomicAdd(&shared, 1);
    u[5] = atomicInc(u, 7) + atomicDec(u, 7) + atomicSub(u, 1u);
    f[1] = atomicAdd(f, 1.0f) + atomicExch(f, 2.0f) + atomicAdd_system(f, 1.0f);
    d[1] = atomicAdd(d, 1.0) + atomicAdd_block(d, 1.0);
    s[1] = atomicCAS(s, (unsigned short)1, (unsigned short)2);
    i[6] = shared;
}
