// What the decoders of matrix instructions share.
#pragma once

#include <vector>

#include "engine/instructions/matrix/matrix.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator::matrix_decoding {

matrix::Element element_of(const FunctionDecoder& decoder, ScalarType type);
// A register of a matrix with such elements.
ScalarType register_of(matrix::Element element);

// So many registers of an operand: in braces, or one alone.
std::vector<Reference> sources(FunctionDecoder& decoder, size_t operand, uint32_t count, ScalarType type);
std::vector<Reference> targets(FunctionDecoder& decoder, size_t operand, uint32_t count, ScalarType type);

// All lanes of the warp come here before the operation.
void emit_meeting(FunctionDecoder& decoder);

// The first row of a matrix on the stage.
constexpr uint32_t first_row(matrix::Matrix which) {
    return which * matrix::most_registers;
}
// Registers to the stage, from this row of it on, or from there.
void emit_rows(FunctionDecoder& decoder, Control control, uint32_t first_row, const std::vector<Reference>& registers);

}  // namespace cuprum::simulator::matrix_decoding
