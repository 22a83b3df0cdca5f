// Images: a kernel blurs a picture, which it reads through a texture and writes through a surface.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

// A read half way between four pixels gives their mean; outside the picture its edge goes on.
constexpr const char* source = R"(
extern "C" __global__ void blur(cudaSurfaceObject_t to, cudaTextureObject_t from, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width || y >= height) return;
    float sum = tex2D<float>(from, x, y) + tex2D<float>(from, x + 1, y) + tex2D<float>(from, x, y + 1) +
                tex2D<float>(from, x + 1, y + 1);
    surf2Dwrite(sum / 4, to, 4 * x, y);
}
)";
constexpr int width = 640;
constexpr int height = 480;

float pixel(int x, int y) {
    return static_cast<float>((std::clamp(x, 0, width - 1) * 7 + std::clamp(y, 0, height - 1) * 13) % 256);
}

float blurred(int x, int y) {
    float sum = 0;
    for (int j = -1; j <= 1; ++j) {
        for (int i = -1; i <= 1; ++i)
            sum += static_cast<float>((2 - std::abs(i)) * (2 - std::abs(j))) * pixel(x + i, y + j);
    }
    return sum / 16;
}

void run(const Device& device) {
    const Kernel blur = Program(source).compile().get_kernel("blur");
    const Stream stream = device.create_stream();
    std::vector<float> picture;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x)
            picture.push_back(pixel(x, y));
    }

    const OpaqueArray before = device.create_opaque_array({.shape = {width, height}});
    const OpaqueArray after = device.create_opaque_array({.shape = {width, height}, .is_surface_load_store = true});
    before.copy_from_host(picture.data(), before.size_bytes(), stream);
    const TextureObject texture = device.create_texture_object(ResourceDescriptor::from_opaque_array(before),
                                                               {.filter_mode = FilterMode::linear});
    const SurfaceObject surface = device.create_surface_object(ResourceDescriptor::from_opaque_array(after));
    launch(stream, LaunchConfig{{(width + 127) / 128, height}, 128}, blur, surface, texture, width, height);
    std::vector<float> result(picture.size());
    after.copy_to_host(result.data(), after.size_bytes(), stream);
    stream.sync();

    int wrong = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x)
            wrong += std::abs(result[static_cast<size_t>(y * width + x)] - blurred(x, y)) > 1e-3F ? 1 : 0;
    }
    std::printf("a picture of %d x %d pixels, blurred on %s: %d wrong\n", width, height, device.name().c_str(), wrong);
    if (wrong != 0) std::exit(EXIT_FAILURE);
}

}  // namespace

int main() {
    try {
        run(Device(0));
        return EXIT_SUCCESS;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
