extern "C" __global__ void print(int n, const char* text, double value) {
    printf("thread %d of %d: %s %f\n", threadIdx.x, n, text, value);
    if (n < 0) {
        __trap();
    }
}
