// Decoding of atom and red.
#pragma once

#include "engine/program/decoder.hpp"

namespace cuprum::simulator {

void decode_atomic(FunctionDecoder& decoder);

// One operation on memory, as `form` says. The address and `offset` have to be a multiple of `alignment`; `aux` is
// added to the instruction's.
void emit_atomic(FunctionDecoder& decoder, Form form, Reference result, Reference b, Reference c,
                 const ptx::Operand& address, int64_t offset, uint32_t alignment, uint32_t aux = 0);

}  // namespace cuprum::simulator
