// Decoding of comparisons.
#pragma once

namespace cuprum::simulator {

class FunctionDecoder;

void decode_setp(FunctionDecoder& decoder);
void decode_set(FunctionDecoder& decoder);

}  // namespace cuprum::simulator
