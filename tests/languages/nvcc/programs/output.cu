// printf and assert in kernels; a failed assertion is the context's end.
#undef NDEBUG
#include <cassert>
#include <cstdio>

__global__ void say(int n) {
    if (threadIdx.x == 0) printf("thread %d of %d: %s %.2f\n", threadIdx.x, n, "text", 1.5);
}

__global__ void check(int n) {
    assert(n < 10);
}

int main() {
    say<<<1, 4>>>(4);
    check<<<1, 1>>>(3);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    std::fflush(stdout);
    check<<<1, 1>>>(30);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    std::printf("%s\n", cudaGetErrorName(cudaFree(nullptr)));
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    // expect: thread 0 of 4: text 1.50
    // expect: cudaSuccess
    // expect: cudaErrorAssert
    // expect: cudaErrorAssert
    // expect: cudaErrorAssert
}
