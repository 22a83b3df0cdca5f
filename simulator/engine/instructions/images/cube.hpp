// The six faces of a cube: +x, -x, +y, -y, +z, -z. Source: CUDA C++ Programming Guide, "Cubemap Textures".
#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace cuprum::simulator::images {

struct FacePlace {
    uint32_t face = 0;
    double s = 0, t = 0;  // 0 to 1
};
// Where a direction meets the cube.
FacePlace face_of(const std::array<float, 3>& direction);

// How a step of the direction moves on the direction's face.
std::pair<double, double> step_on_face(const std::array<float, 3>& direction, const std::array<float, 3>& step);

struct FaceTexel {
    uint32_t face = 0, x = 0, y = 0;
};
// The texel that lies beside a face of `size` by `size` texels, where x or y, but not both, is one off it.
FaceTexel texel_beside_face(uint32_t face, int32_t x, int32_t y, int32_t size);

}  // namespace cuprum::simulator::images
