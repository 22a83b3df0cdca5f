// Decoding of atom and red.
#pragma once

namespace cuprum::simulator {

class FunctionDecoder;

void decode_atomic(FunctionDecoder& decoder);

}  // namespace cuprum::simulator
