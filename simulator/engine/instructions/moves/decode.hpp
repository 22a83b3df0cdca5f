// Decoding of moves and of conversions of addresses.
#pragma once

namespace cuprum::simulator {

class FunctionDecoder;

void decode_move(FunctionDecoder& decoder);
void decode_cvta(FunctionDecoder& decoder);
void decode_isspacep(FunctionDecoder& decoder);
void decode_cluster_address(FunctionDecoder& decoder);

}  // namespace cuprum::simulator
