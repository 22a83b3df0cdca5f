// Decoding of lop3.
#pragma once

namespace cuprum::simulator {

class FunctionDecoder;

void decode_lop3(FunctionDecoder& decoder);

}  // namespace cuprum::simulator
