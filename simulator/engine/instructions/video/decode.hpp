// Decoding of video instructions.
#pragma once

namespace cuprum::simulator {

class FunctionDecoder;

void decode_video(FunctionDecoder& decoder);

}  // namespace cuprum::simulator
