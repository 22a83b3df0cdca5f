// Decoding of cvt.
#pragma once

namespace cuprum::simulator {

class FunctionDecoder;

void decode_convert(FunctionDecoder& decoder);

}  // namespace cuprum::simulator
