// A user's C++ program: doubles an array on the device.
#include <cstdio>
#include <vector>

#include <cuprum/cuprum.hpp>

int main() {
    using namespace cuprum::core;
    const Device device(0);
    const Program program("extern \"C\" __global__ void twice(int* x) { x[threadIdx.x] *= 2; }");
    const Kernel kernel = program.compile().get_kernel("twice");
    std::vector<int> values{1, 2, 3, 4};
    const Buffer buffer = device.allocate(values.size() * sizeof(int));
    buffer.copy_from_host(values);
    const Stream stream = device.create_stream();
    launch(stream, {1, 4}, kernel, buffer);
    stream.sync();
    buffer.copy_to_host(values);
    if (values != std::vector<int>{2, 4, 6, 8}) {
        std::printf("wrong result\n");
        return 1;
    }
    std::printf("%s: ok\n", device.name().c_str());
    return 0;
}
