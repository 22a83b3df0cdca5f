// Streams, events, pinned memory, waits between streams, a host function.
#include <cstdio>

__global__ void scale(int* numbers, int n, int factor) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        numbers[i] *= factor;
}

int main() {
    constexpr int n = 4096, parts = 4;
    int *host, *device;
    cudaMallocHost(&host, n * sizeof(int));
    cudaMalloc(&device, n * sizeof(int));
    for (int i = 0; i < n; ++i)
        host[i] = i;
    cudaStream_t streams[parts], last;
    cudaEvent_t begin, end, done[parts];
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaStreamCreateWithFlags(&last, cudaStreamNonBlocking);
    cudaEventRecord(begin);
    for (int part = 0; part < parts; ++part) {
        const int first = part * n / parts;
        const size_t bytes = n / parts * sizeof(int);
        cudaStreamCreate(&streams[part]);
        cudaEventCreateWithFlags(&done[part], cudaEventDisableTiming);
        cudaMemcpyAsync(device + first, host + first, bytes, cudaMemcpyHostToDevice, streams[part]);
        scale<<<4, 64, 0, streams[part]>>>(device + first, n / parts, part + 1);
        cudaEventRecord(done[part], streams[part]);
        cudaStreamWaitEvent(last, done[part]);
    }
    cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, last);
    static int called = 0;
    cudaLaunchHostFunc(last, [](void* value) { ++*static_cast<int*>(value); }, &called);
    cudaStreamSynchronize(last);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float milliseconds = -1;
    cudaEventElapsedTime(&milliseconds, begin, end);
    std::printf("%d %d %d %d\n", host[1], host[1024], host[2048], host[4095]);
    std::printf("%d %d %s\n", called, milliseconds >= 0, cudaGetErrorName(cudaStreamQuery(last)));
    for (int part = 0; part < parts; ++part) {
        cudaStreamDestroy(streams[part]);
        cudaEventDestroy(done[part]);
    }
    cudaStreamDestroy(last);
    cudaFreeHost(host);
    cudaFree(device);
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    // expect: 1 2048 6144 16380
    // expect: 1 1 cudaSuccess
    // expect: cudaSuccess
}
