#include "engine/instructions/images/cube.hpp"

#include <algorithm>
#include <cmath>

namespace cuprum::simulator::images {
namespace {

// Of a face: along which axis it lies and on which side, and which axes s and t are, and their signs.
struct Face {
    uint32_t major;
    double side;
    uint32_t s_axis;
    double s_sign;
    uint32_t t_axis;
    double t_sign;
};
constexpr std::array<Face, 6> faces{{{0, 1, 2, -1, 1, -1},
                                     {0, -1, 2, 1, 1, -1},
                                     {1, 1, 0, 1, 2, 1},
                                     {1, -1, 0, 1, 2, -1},
                                     {2, 1, 0, 1, 1, -1},
                                     {2, -1, 0, -1, 1, -1}}};

uint32_t face_number(const std::array<double, 3>& direction) {
    const auto length = [&](size_t axis) { return std::abs(direction[axis]); };
    size_t major = 0;
    if (length(1) > length(major)) major = 1;
    if (length(2) > length(major)) major = 2;
    return static_cast<uint32_t>(2 * major + (direction[major] < 0 ? 1 : 0));
}

FacePlace place_of(const std::array<double, 3>& direction) {
    const uint32_t number = face_number(direction);
    const Face& face = faces[number];
    const double m = std::abs(direction[face.major]);
    if (!(m > 0)) return {number, 0.5, 0.5};
    return {number, (direction[face.s_axis] * face.s_sign / m + 1) / 2,
            (direction[face.t_axis] * face.t_sign / m + 1) / 2};
}

}  // namespace

FacePlace face_of(const std::array<float, 3>& direction) {
    return place_of(
        {static_cast<double>(direction[0]), static_cast<double>(direction[1]), static_cast<double>(direction[2])});
}

std::pair<double, double> step_on_face(const std::array<float, 3>& direction, const std::array<float, 3>& step) {
    const Face& face = faces[face_of(direction).face];
    const auto of = [](const std::array<float, 3>& vector, uint32_t axis) { return static_cast<double>(vector[axis]); };
    const double m = of(direction, face.major) * face.side, dm = of(step, face.major) * face.side;
    const auto along = [&](uint32_t axis) { return (of(step, axis) * m - of(direction, axis) * dm) / (2 * m * m); };
    return {along(face.s_axis) * face.s_sign, along(face.t_axis) * face.t_sign};
}

FaceTexel texel_beside_face(uint32_t face, int32_t x, int32_t y, int32_t size) {
    const auto centre = [&](int32_t index) { return (2.0 * index + 1) / size - 1; };
    std::array<double, 3> direction{};
    direction[faces[face].major] = faces[face].side;
    direction[faces[face].s_axis] = centre(x) * faces[face].s_sign;
    direction[faces[face].t_axis] = centre(y) * faces[face].t_sign;
    const FacePlace place = place_of(direction);
    const auto index = [&](double part) {
        return static_cast<uint32_t>(std::clamp(static_cast<int32_t>(std::floor(part * size)), 0, size - 1));
    };
    return {place.face, index(place.s), index(place.t)};
}

}  // namespace cuprum::simulator::images
