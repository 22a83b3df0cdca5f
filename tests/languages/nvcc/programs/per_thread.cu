// Built with --default-stream per-thread: the null stream is the thread's own, and threads have devices and errors of theirs.
// nvcc: --default-stream per-thread
#include <cstdio>
#include <thread>

__global__ void fill(int* numbers, int value) {
    numbers[threadIdx.x] = value;
}

int main() {
    int* numbers;
    cudaMallocManaged(&numbers, 4 * 32 * sizeof(int));
    std::thread threads[4];
    cudaError_t results[4];
    for (int t = 0; t < 4; ++t) {
        threads[t] = std::thread([=, &results] {
            fill<<<1, 32>>>(numbers + 32 * t, t + 1);
            cudaStreamSynchronize(nullptr);
            int back = 0;
            cudaMemcpy(&back, numbers + 32 * t, sizeof back, cudaMemcpyDefault);
            if (t == 2) cudaSetDevice(-1);
            results[t] = back == t + 1 ? cudaGetLastError() : cudaErrorUnknown;
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    cudaDeviceSynchronize();
    for (int t = 0; t < 4; ++t)
        std::printf("%d %s\n", numbers[32 * t + 31], cudaGetErrorName(results[t]));
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    // expect: 1 cudaSuccess
    // expect: 2 cudaSuccess
    // expect: 3 cudaErrorInvalidDevice
    // expect: 4 cudaSuccess
    // expect: cudaSuccess
}
