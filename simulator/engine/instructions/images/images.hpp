// Instructions on images: what their decoding and their operations agree on.
//
// Such an instruction has more operands than fit in one; all but the handle and the results lie on the worker's stage
// (matrix/matrix.hpp), a row each, where to_stage puts them.
#pragma once

#include <cstdint>

#include "engine/execution/execution.hpp"

namespace cuprum::simulator::images {

// operand[0] to [3]: the results. Of 32 bits, or as wide as `displacement` says.
inline constexpr unsigned residency_operand = 4;  // a predicate, where has_residency
inline constexpr unsigned handle_operand = 5;

// Rows of the stage.
enum Row : uint32_t {
    coordinates = 0,  // as the text has them: a layer first
    detail = 4,       // the level of detail
    gradient_x = 5,
    gradient_y = 8,
    texel_offsets = 11,
    data = 4,  // of a store or a reduction
};

enum class Geometry : uint32_t { line, plane, volume, lines, planes, cube, cubes };
constexpr bool is_layered(Geometry geometry) {
    return geometry == Geometry::lines || geometry == Geometry::planes || geometry == Geometry::cubes;
}
constexpr bool is_cube(Geometry geometry) {
    return geometry == Geometry::cube || geometry == Geometry::cubes;
}
// Of the coordinates, without the layer: those of a cube are a direction.
constexpr uint32_t dimensions_of(Geometry geometry) {
    switch (geometry) {
        case Geometry::line:
        case Geometry::lines:
            return 1;
        case Geometry::plane:
        case Geometry::planes:
            return 2;
        default:
            return 3;
    }
}

// Instruction::aux: the geometry, and:
inline constexpr uint32_t geometry_mask = 7;

namespace fetch {  // tex, tld4
inline constexpr uint32_t integer_coordinates = 1 << 3;
inline constexpr uint32_t level = 1 << 4;          // the level of detail is given, and
inline constexpr uint32_t integer_level = 1 << 5;  // as an integer
inline constexpr uint32_t gradient = 1 << 6;
inline constexpr uint32_t offsets = 1 << 7;
inline constexpr uint32_t gather = 1 << 8;
inline constexpr unsigned component_shift = 9;        // 2 bits: which channel is gathered
inline constexpr uint32_t has_residency = 1 << 11;    // operand[4]
inline constexpr uint32_t halves = 1 << 12;           // results are f16, and
inline constexpr uint32_t pairs_of_halves = 1 << 13;  // two to a register
}  // namespace fetch

enum class Outside : uint32_t { trap, clamp, zero };
enum class Reduction : uint32_t { add, min, max, and_, or_ };

namespace access {                            // suld, sust, sured
inline constexpr unsigned outside_shift = 3;  // 2 bits: Outside
inline constexpr unsigned size_shift = 5;     // 2 bits: a register's bytes in the image, as a power of two
inline constexpr unsigned count_shift = 7;    // 3 bits: registers
inline constexpr uint32_t stores = 1 << 10;
inline constexpr uint32_t formatted = 1 << 11;  // .p: x counts elements, and values are converted
inline constexpr uint32_t reduces = 1 << 12;
inline constexpr unsigned reduction_shift = 13;     // 3 bits: Reduction
inline constexpr uint32_t signed_values = 1 << 16;  // of a reduction
}  // namespace access

enum class Property : uint32_t { width, height, depth, array_size, levels, samples, normalised };
namespace query {  // txq, suq: operand[0] the result, [1] the level
inline constexpr uint32_t property_mask = 7;
inline constexpr uint32_t surface = 1 << 3;
inline constexpr uint32_t level = 1 << 4;
}  // namespace query

}  // namespace cuprum::simulator::images
