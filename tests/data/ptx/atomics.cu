extern "C" __global__ void atomics(int* i, unsigned* u, unsigned long long* ull, float* f, double* d) {
    __shared__ unsigned local;
    atomicAdd(&local, 1u);
    __syncthreads();
    atomicAdd(i, 1);
    atomicMin(i + 1, 3);
    atomicExch(u, 7u);
    atomicInc(u + 1, 5u);
    atomicOr(u + 2, 9u);
    atomicMax(ull, 11ull);
    atomicCAS(ull + 1, 1ull, 2ull);
    atomicAdd(f, 1.0f);
    atomicAdd(d, 1.0);
    atomicAdd_system(i + 2, 4);
    u[3] = atomicXor_block(u + 4, local);
    __threadfence_system();
    u[5] = __popc(__match_any_sync(0xffffffffu, u[3])) + __reduce_add_sync(0xffffffffu, u[4]);
}
