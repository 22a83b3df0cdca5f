// Decoding of loads, stores, and hints to the caches.
#pragma once

namespace cuprum::simulator {

class FunctionDecoder;

void decode_load_store(FunctionDecoder& decoder);
void decode_multimem(FunctionDecoder& decoder);  // decode_multimem.cpp
void decode_prefetch(FunctionDecoder& decoder);
void decode_discard(FunctionDecoder& decoder);
void decode_create_policy(FunctionDecoder& decoder);

}  // namespace cuprum::simulator
