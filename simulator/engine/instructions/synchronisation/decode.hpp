// Decoding of barriers of the block and of fences.
#pragma once

namespace cuprum::simulator {

class FunctionDecoder;

void decode_barrier(FunctionDecoder& decoder);
void decode_fence(FunctionDecoder& decoder);

}  // namespace cuprum::simulator
