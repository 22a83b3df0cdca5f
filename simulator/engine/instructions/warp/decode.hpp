// Decoding of what exchanges values within a warp.
#pragma once

namespace cuprum::simulator {

class FunctionDecoder;

void decode_warp(FunctionDecoder& decoder);

}  // namespace cuprum::simulator
