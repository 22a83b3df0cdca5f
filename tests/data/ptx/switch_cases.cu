extern "C" __global__ void switch_cases(const int* op, float* v) {
    const int i = threadIdx.x;
    switch (op[i]) {
        case 0: v[i] = v[i] + 1; break;
        case 1: v[i] = v[i] * v[i - 1]; break;
        case 2: v[i] = v[i] / v[i + 3]; break;
        case 3: v[i] = __sinf(v[i]); break;
        case 4: v[i] = sqrtf(v[i]); break;
        case 5: v[i] = v[2 * i]; break;
        case 6: v[0] = v[i]; break;
        case 7: v[i] = fmaxf(v[i], v[i + 1]); break;
        case 8: __threadfence(); v[i] = 8; break;
        default: v[i] = -1;
    }
}
