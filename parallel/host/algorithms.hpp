// The algorithms, as Functions (interface.hpp) describes them.
#pragma once

#include "interface.hpp"

namespace cuprum::parallel::host {

Status reduce(const Source* input, uint64_t count, OpNumber op, TypeNumber accumulator, const void* init, void* output);
Status segmented_reduce(const Source* input, uint64_t segments, const void* begins, const void* ends,
                        uint64_t offsets_size, OpNumber op, TypeNumber accumulator, const void* init, void* output);
Status scan(const Source* input, uint64_t count, int32_t is_exclusive, OpNumber op, TypeNumber accumulator,
            const void* init, void* output);
Status transform(const Source* first, const Source* second, uint64_t count, OpNumber op, TypeNumber result,
                 void* output);
Status arg_reduce(const Source* input, uint64_t count, int32_t is_maximum, int64_t* index, void* value);
Status select(const Source* input, uint64_t count, OpNumber condition, void* output, uint64_t* selected);
Status unique_by_key(const Source* keys, const Source* values, uint64_t count, OpNumber op, void* keys_out,
                     void* values_out, uint64_t* selected);
Status sort(TypeNumber keys, int32_t is_descending, const void* keys_in, void* keys_out, uint64_t value_size,
            const void* values_in, void* values_out, uint64_t count, int32_t begin_bit, int32_t end_bit);

}  // namespace cuprum::parallel::host
