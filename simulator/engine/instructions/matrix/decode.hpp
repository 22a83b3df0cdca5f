// Decoding of instructions on matrices.
#pragma once

namespace cuprum::simulator {

class FunctionDecoder;

void decode_mma(FunctionDecoder& decoder);
void decode_wmma(FunctionDecoder& decoder);
void decode_wgmma(FunctionDecoder& decoder);        // decode_wgmma.cpp
void decode_matrix_move(FunctionDecoder& decoder);  // ldmatrix, stmatrix, movmatrix

}  // namespace cuprum::simulator
