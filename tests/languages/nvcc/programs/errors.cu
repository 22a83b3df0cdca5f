// What wrong calls and wrong launches answer, and what becomes of the last error.
#include <cstdio>

__global__ void nothing() {}

void show(const char* what, cudaError_t error) {
    std::printf("%s: %s, %s\n", what, cudaGetErrorName(error), cudaGetErrorString(error));
}

int main() {
    // CUDA 13 has one error for wrong dimensions and wrong arguments.
    const cudaError_t wrong = CUDART_VERSION < 13000 ? cudaErrorInvalidConfiguration : cudaErrorInvalidValue;
    nothing<<<1, 2000>>>();
    std::printf("block too large: %d\n", cudaGetLastError() == wrong);
    show("forgotten", cudaGetLastError());
    nothing<<<0, 1>>>();
    std::printf("empty grid: %d\n", cudaPeekAtLastError() == wrong);
    cudaGetLastError();
    void* memory = &memory;
    show("no memory", cudaMalloc(&memory, size_t{1} << 60));
    cudaGetLastError();
    show("nothing", cudaMalloc(&memory, 0));
    std::printf("%d\n", memory == nullptr);
    show("free nothing", cudaFree(nullptr));
    show("device", cudaSetDevice(99));
    int x = 0, y = 1;
    show("direction", cudaMemcpy(&x, &y, sizeof x, static_cast<cudaMemcpyKind>(9)));
    show("host to host", cudaMemcpy(&x, &y, sizeof x, cudaMemcpyHostToHost));
    std::printf("%d %s\n", x, cudaGetErrorName(static_cast<cudaError_t>(12345)));
    // expect: block too large: 1
    // expect: forgotten: cudaSuccess, no error
    // expect: empty grid: 1
    // expect: no memory: cudaErrorMemoryAllocation, out of memory
    // expect: nothing: cudaSuccess, no error
    // expect: 1
    // expect: free nothing: cudaSuccess, no error
    // expect: device: cudaErrorInvalidDevice, invalid device ordinal
    // expect: direction: cudaErrorInvalidMemcpyDirection, invalid copy direction for memcpy
    // expect: host to host: cudaSuccess, no error
    // expect: 1 unrecognized error code
}
