// Decoding of calls, returns and the stack.
#pragma once

namespace cuprum::simulator {

class FunctionDecoder;

void decode_call(FunctionDecoder& decoder);
void decode_return(FunctionDecoder& decoder);
void decode_stack(FunctionDecoder& decoder);

}  // namespace cuprum::simulator
