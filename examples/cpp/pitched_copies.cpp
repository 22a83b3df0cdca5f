// Copies and fills of a part of an image, whose rows are aligned on the device, and without gaps on the host.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr uint64_t width = 200, height = 100;  // of the image, a byte a pixel

void run(const Device& device) {
    const Stream stream = device.create_stream();
    const uint64_t pitch = device.row_pitch(width);
    const Buffer image = device.allocate(pitch * height, stream);
    const Buffer tile = device.allocate(uint64_t{32} * 32, stream);
    std::vector<uint8_t> pixels(width * height);
    for (size_t i = 0; i < pixels.size(); ++i)
        pixels[i] = static_cast<uint8_t>(i % width);

    const Region all{.width = width, .height = height, .row_pitch = pitch};
    const Region from{.width = 32, .height = 32, .offset = 10 * pitch + 20, .row_pitch = pitch};
    const Region to{.width = 32, .height = 32, .offset = 60 * pitch + 100, .row_pitch = pitch};
    image.copy_region_from_host(all, std::as_bytes(std::span(pixels)), all.packed(), stream);
    tile.copy_region_from(from.packed(), image, from, stream);
    image.copy_region_from(to, tile, to.packed(), stream);
    image.fill_region(from, 255, 1, stream);
    std::vector<uint8_t> result(pixels.size());
    image.copy_region_to_host(std::as_writable_bytes(std::span(result)), all.packed(), all, stream);
    stream.sync();

    int wrong = 0;
    for (uint64_t y = 0; y < height; ++y) {
        for (uint64_t x = 0; x < width; ++x) {
            uint64_t expected = x;
            if (x >= 20 && x < 52 && y >= 10 && y < 42) expected = 255;
            if (x >= 100 && x < 132 && y >= 60 && y < 92) expected = x - 80;
            wrong += result[y * width + x] != expected ? 1 : 0;
        }
    }
    std::printf("an image of %d x %d pixels on %s: %d wrong\n", static_cast<int>(width), static_cast<int>(height),
                device.name().c_str(), wrong);
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
