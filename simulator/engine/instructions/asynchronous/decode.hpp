// Decoding of mbarrier, of asynchronous copies and stores, and of what concerns tensor maps.
#pragma once

#include <cstdint>

#include "engine/instructions/form.hpp"

namespace cuprum::simulator {

class FunctionDecoder;

void decode_mbarrier(FunctionDecoder& decoder);
void decode_asynchronous_copy(FunctionDecoder& decoder);
void decode_bulk_copy(FunctionDecoder& decoder);            // decode_bulk.cpp
void decode_remote_store(FunctionDecoder& decoder);         // st.async, red.async
void decode_tensor_copy(FunctionDecoder& decoder);          // decode_tensor.cpp
void decode_tensor_map_prefetch(FunctionDecoder& decoder);  // prefetch.tensormap
void decode_tensor_map(FunctionDecoder& decoder);

// The state space that is named first, which of a copy is the destination's.
Modifier first_space_of_copy(const FunctionDecoder& decoder);
// Of copy_aux::reduction_shift; 0 without a reduction.
uint32_t take_bulk_reduction(Form& form);

}  // namespace cuprum::simulator
