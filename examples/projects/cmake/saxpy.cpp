// y = a x + y on the device.
#include <cstdio>
#include <span>
#include <vector>

#include <cuprum/cuprum.hpp>

int main() {
    using namespace cuprum::core;
    const Device device(0);
    const Program program(R"(
        extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) y[i] = a * x[i] + y[i];
        })");
    const Kernel saxpy = program.compile().get_kernel("saxpy");

    const int n = 1000;
    const std::vector<float> x(n, 1.0F);
    std::vector<float> y(n, 2.0F);
    const Buffer x_device = device.allocate(n * sizeof(float));
    const Buffer y_device = device.allocate(n * sizeof(float));
    x_device.copy_from_host(std::span<const float>(x));
    y_device.copy_from_host(std::span<const float>(y));
    const Stream stream = device.create_stream();
    launch(stream, {(n + 255) / 256, 256}, saxpy, 3.0F, x_device, y_device, n);
    stream.sync();
    y_device.copy_to_host(std::span<float>(y));

    std::printf("%s: y[0] = %g\n", device.name().c_str(), static_cast<double>(y[0]));
    return y == std::vector<float>(n, 5.0F) ? 0 : 1;
}
