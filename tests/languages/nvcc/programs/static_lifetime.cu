// Objects that outlive main: a destructor that frees memory, and kernels launched before main.
#include <cstdio>
#include <memory>

__device__ int started = 1;

__global__ void mark(int* value) {
    *value = 10 + started;
}

struct Owner {
    Owner() {
        cudaMallocManaged(&value, sizeof(int));
        mark<<<1, 1>>>(value);
        cudaDeviceSynchronize();
    }
    ~Owner() { cudaFree(value); }
    int* value = nullptr;
};

Owner before_main;

int main() {
    static const auto at_first_use = std::make_unique<Owner>();
    std::printf("%d %d\n", *before_main.value, *at_first_use->value);
    // expect: 11 11
}
