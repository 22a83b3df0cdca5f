// What libcuprum asks of libcuprum_host, the library with the algorithms on the host's own cores. It is opened at the
// first use of the host's cores, because it needs the OpenMP runtime, which a machine may lack. Plain data and
// functions that do not throw: the two may have different C++ libraries.
#pragma once

#include <cstdint>

namespace cuprum::parallel::host {

// The numbers of TypeKind and OpKind. Structs are -1: only what is moved may be a struct, and has a size.
using TypeNumber = int32_t;
using OpNumber = int32_t;

constexpr int32_t type_count = 17;
constexpr int32_t op_count = 22;
constexpr int32_t first_unary_op = 18;
constexpr int32_t max_stages = 8;
// Of iterators made of others, within each other: each keeps a block of elements on the stack.
constexpr int32_t max_depth = 8;
// Bytes of an element that goes through such a block.
constexpr uint64_t max_block_element = 16;

// An operator of one operand, applied to elements of the type `from`, and its result converted to `to`.
struct Stage {
    OpNumber op;
    TypeNumber from;
    TypeNumber to;
};

// A sequence of elements: memory, one value, or start, start + 1, ..., or what is made of others; and what is then done
// to each. Positions are signed: others may be read backwards. The same for where results go: memory, nowhere
// (discard), or others; what is written goes through the stages first (transform_output, which is made of one other).
struct Source {
    // strided: of one other; permutation: of values and indices; zip: structs, of as many as it has parts; shuffle: a
    // permutation of 0 to `start` - 1.
    enum Kind : int32_t { memory, constant, counting, strided, permutation, zip, shuffle, discard, transform_output };
    int32_t kind;
    TypeNumber type;        // before the stages; -1 for structs
    uint64_t element_size;  // bytes, before the stages
    const void* memory_or_value;
    int32_t stage_count;
    Stage stages[max_stages];
    const Source* parts;
    int32_t part_count;
    int64_t start, step;  // of strided; `step` is the seed of a shuffle
    uint64_t offset;      // where it is in the struct of a zip that it is a part of
};

enum Status : int32_t { success = 0, out_of_memory = 1 };

// Positions and counts are in elements. What these functions are given has been checked: types and operators go
// together, memory is there, aligned, and does not overlap unless it is the same.
struct Functions {
    // What an operator makes of elements of a type, as C++ has it (-1: it is not defined for them); what two types
    // become before an operator of two operands (-1: nothing).
    TypeNumber (*result_of)(OpNumber op, TypeNumber operands);
    TypeNumber (*common_type)(TypeNumber first, TypeNumber second);
    int32_t (*is_convertible)(TypeNumber from, TypeNumber to);
    // Whether elements can be combined with it in any order.
    int32_t (*is_associative)(OpNumber op, TypeNumber type);

    // Writes results, of the type that the sink takes.
    Status (*store)(const Source* sink, const void* elements, uint64_t count);

    // `init`: null for a reduction without one; of no elements it writes nothing then.
    Status (*reduce)(const Source* input, uint64_t count, OpNumber op, TypeNumber accumulator, const void* init,
                     void* output);
    // `offsets_size`: 4 or 8 bytes, signed.
    Status (*segmented_reduce)(const Source* input, uint64_t segments, const void* begins, const void* ends,
                               uint64_t offsets_size, OpNumber op, TypeNumber accumulator, const void* init,
                               void* output);
    // `init`: null for an inclusive scan without one.
    Status (*scan)(const Source* input, uint64_t count, int32_t is_exclusive, OpNumber op, TypeNumber accumulator,
                   const void* init, void* output);
    // A scan for each segment, as above; the segments do not overlap. `offsets_size`: 4 or 8 bytes, signed.
    Status (*segmented_scan)(const Source* input, uint64_t segments, const void* begins, const void* ends,
                             uint64_t offsets_size, int32_t is_exclusive, OpNumber op, TypeNumber accumulator,
                             const void* init, void* output);
    // `second`: null for an operator of one operand.
    Status (*transform)(const Source* first, const Source* second, uint64_t count, OpNumber op, TypeNumber result,
                        void* output);
    // Index -1 of no elements; `value` is written then too, with zeros.
    Status (*arg_reduce)(const Source* input, uint64_t count, int32_t is_maximum, int64_t* index, void* value);
    // The elements for which the operator of one operand makes `flags`, mostly the elements themselves, true, in their
    // order; behind them the others, in reverse order, if they are kept. `output` may be the input's memory unless they
    // are.
    Status (*select)(const Source* input, const Source* flags, uint64_t count, OpNumber condition, int32_t keeps_rest,
                     void* output, uint64_t* selected);
    // The first of each run of neighbours that the operator makes true. `output` may be the input's memory.
    Status (*unique)(const Source* input, uint64_t count, OpNumber op, void* output, uint64_t* selected);
    // The elements that the first condition makes true, of the others those that the second makes true, and the rest.
    // `counts`: of the first and of the second part. The outputs overlap nothing.
    Status (*three_way_partition)(const Source* input, uint64_t count, OpNumber first, OpNumber second, void* first_out,
                                  void* second_out, void* rest_out, uint64_t* counts);
    // The first of each run of neighbours whose keys the operator makes true, with its value. An output may be its
    // input's memory.
    Status (*unique_by_key)(const Source* keys, const Source* values, uint64_t count, OpNumber op, void* keys_out,
                            void* values_out, uint64_t* selected);
    // Of each run of neighbours whose keys `equal` makes true the first key, and its values combined by `op`. The
    // outputs overlap nothing.
    Status (*reduce_by_key)(const Source* keys, const Source* values, uint64_t count, OpNumber equal, OpNumber op,
                            TypeNumber accumulator, void* keys_out, void* values_out, uint64_t* runs);
    // Where the runs of two and more neighbours begin that the operator makes true, and how long they are.
    // `position_size`: 4 or 8 bytes. The outputs overlap nothing.
    Status (*non_trivial_runs)(const Source* input, uint64_t count, OpNumber op, uint64_t position_size, void* offsets,
                               void* lengths, uint64_t* runs);
    // A scan for each run of neighbours whose keys `equal` makes true. `init`: null for an inclusive one, else
    // exclusive ones begin with it. The output overlaps nothing but the values, whose memory it may be.
    Status (*scan_by_key)(const Source* keys, const Source* values, uint64_t count, OpNumber equal, OpNumber op,
                          TypeNumber accumulator, const void* init, void* output);
    // op(element, the one before or behind it); what has none is copied. `output` overlaps nothing.
    Status (*adjacent_difference)(const Source* input, uint64_t count, int32_t is_right, OpNumber op, TypeNumber result,
                                  void* output);
    // Two sorted sequences as one, by the operator; of equal keys those of the first come first. `first_values`: null
    // for keys alone. The outputs overlap nothing.
    Status (*merge)(const Source* first_keys, const Source* first_values, uint64_t first_count,
                    const Source* second_keys, const Source* second_values, uint64_t second_count, OpNumber op,
                    void* keys_out, void* values_out);
    // The first position where the operator's answer is `wanted`, or `count`: a condition of one operand, or with a
    // `second` input a comparison.
    Status (*search)(const Source* first, const Source* second, uint64_t count, OpNumber op, int32_t wanted,
                     uint64_t* position);
    // The smallest and the largest of at least one element; NaNs if there is one. `output` overlaps nothing.
    Status (*min_max)(const Source* input, uint64_t count, void* output);
    // The `k` smallest or largest keys, in order, with their values; `values` null for keys alone. `k` <= `count`. The
    // outputs overlap nothing.
    Status (*topk)(const Source* keys, const Source* values, uint64_t count, uint64_t k, int32_t is_largest,
                   void* keys_out, void* values_out);
    // Where each value belongs among sorted elements of its type. `position_size`: 4 or 8 bytes. `output` may be the
    // values' memory.
    Status (*binary_search)(const Source* data, uint64_t data_count, const Source* values, uint64_t count, OpNumber op,
                            int32_t is_upper, uint64_t position_size, void* output);
    // How many samples, converted to `common`, are in each bin of [lower, upper). `scale`: of floating-point numbers
    // what the distance to `lower` is multiplied with, of integers upper - lower as a uint64_t. `counter_size`: 4 or 8
    // bytes.
    Status (*histogram_even)(const Source* samples, uint64_t count, TypeNumber common, const void* lower,
                             const void* upper, const void* scale, uint64_t bins, uint64_t counter_size,
                             void* histogram);
    // The same for bins of which bin i is [level i, level i + 1), of `bins` + 1 levels in ascending order.
    Status (*histogram_range)(const Source* samples, uint64_t count, TypeNumber common, const Source* levels,
                              uint64_t bins, uint64_t counter_size, void* histogram);
    // Copies sizes[i] bytes from the address sources[i] to the address targets[i], which overlap nothing.
    Status (*batched_memcpy)(const Source* sources, const Source* targets, const Source* sizes, uint64_t count);
    // By the bits [begin, end) of the keys. Stable. `value_size`: 0 for keys alone. In and out may be the same memory.
    Status (*sort)(TypeNumber keys, int32_t is_descending, const void* keys_in, void* keys_out, uint64_t value_size,
                   const void* values_in, void* values_out, uint64_t count, int32_t begin_bit, int32_t end_bit);
    // The same for each segment, by all bits. `offsets_size`: 4 or 8 bytes, signed.
    Status (*segmented_sort)(TypeNumber keys, int32_t is_descending, const void* keys_in, void* keys_out,
                             uint64_t value_size, const void* values_in, void* values_out, uint64_t segments,
                             const void* begins, const void* ends, uint64_t offsets_size);
};

// Exported as "cuprum_host_functions"; null for another version of Cuprum than the library's own.
using GetFunctions = const Functions*(const char* version);

}  // namespace cuprum::parallel::host
