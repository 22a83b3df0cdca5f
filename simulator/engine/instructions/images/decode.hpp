// Decoding of instructions on images.
#pragma once

namespace cuprum::simulator {

class FunctionDecoder;

void decode_texture_fetch(FunctionDecoder& decoder);   // tex, tld4
void decode_surface_access(FunctionDecoder& decoder);  // suld, sust, sured
void decode_image_query(FunctionDecoder& decoder);     // txq, suq

}  // namespace cuprum::simulator
