// What wrong calls and wrong launches answer, and what becomes of the last error.
#include <cstdio>

__global__ void nothing() {}

void show(const char* what, cudaError_t error) {
    std::printf("%s: %s, %s\n", what, cudaGetErrorName(error), cudaGetErrorString(error));
}

int main() {
    nothing<<<1, 2000>>>();
    show("block too large", cudaGetLastError());
    show("forgotten", cudaGetLastError());
    nothing<<<0, 1>>>();
    show("empty grid", cudaPeekAtLastError());
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
    show("no kernel", cudaLaunchKernel(&x, dim3(1), dim3(1), nullptr, 0, nullptr));
    std::printf("%d %s\n", x, cudaGetErrorName(static_cast<cudaError_t>(12345)));
    // expect: block too large: cudaErrorInvalidConfiguration, invalid configuration argument
    // expect: forgotten: cudaSuccess, no error
    // expect: empty grid: cudaErrorInvalidConfiguration, invalid configuration argument
    // expect: no memory: cudaErrorMemoryAllocation, out of memory
    // expect: nothing: cudaSuccess, no error
    // expect: 1
    // expect: free nothing: cudaSuccess, no error
    // expect: device: cudaErrorInvalidDevice, invalid device ordinal
    // expect: direction: cudaErrorInvalidMemcpyDirection, invalid copy direction for memcpy
    // expect: host to host: cudaSuccess, no error
    // expect: no kernel: cudaErrorInvalidDeviceFunction, invalid device function
    // expect: 1 unrecognized error code
}
