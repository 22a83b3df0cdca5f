/* CUB's algorithms, compiled at run time for the caller's types and operators.
 *
 * Types are texts: "bool", "int8" to "int64", "uint8" to "uint64", "float16", "bfloat16", "float32", "float64",
 * "complex64", "complex128", "int128", "uint128", and structs, "Point{x:float32,y:int32}", laid out as in C; offsets,
 * size and alignment in bytes may be given: "Point{x:float32@0,y:int32@8}:12:4". A struct has at most 65536 bytes, 32
 * structs within each other and a text of 65536 characters.
 *
 * An algorithm is built once and called many times, from several threads too. Calls are asynchronous, in the stream's
 * order; memory is given by device addresses (cuprum_buffer_native), and stays the caller's until the stream has passed
 * the call. Temporary storage (`storage`, `storage_size`) is at least cuprum_parallel_temp_storage_bytes() at an
 * address aligned to 256 bytes, or 0 and 0 for the device's stream-ordered pool.
 *
 * cuprum_execution says where an algorithm runs. On the host's cores it runs through libcuprum_host, which is opened at
 * the first use (CUPRUM_ERROR_LIBRARY_NOT_FOUND says what is missing), without a driver or a compiler. It takes
 * numbers, bool and complex numbers, well-known operators, and iterators whose operators are well-known; anything else
 * is CUPRUM_ERROR_UNSUPPORTED. Addresses are then those of host memory; calls take NULL for the stream and no temporary
 * storage, and are done when they return.
 */
#ifndef CUPRUM_CAPI_PARALLEL_H
#define CUPRUM_CAPI_PARALLEL_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cuprum_parallel_operator_s* cuprum_parallel_operator;
typedef struct cuprum_parallel_iterator_s* cuprum_parallel_iterator;
typedef struct cuprum_parallel_algorithm_s* cuprum_parallel_algorithm;

/* An operator: the name of a well-known one ("plus", "minus", "multiplies", "divides", "modulus", "minimum", "maximum",
 * "bit_and", "bit_or", "bit_xor", "logical_and", "logical_or", "equal_to", "not_equal_to", "less", "less_equal",
 * "greater", "greater_equal", "identity", "negate", "logical_not", "bit_not"), or CUDA C++ over the operands `a` and
 * `b`: an expression, "a * b + 1", or a function's body, "if (a < b) return a; return b;". `state_type`, NULL for none,
 * is a struct whose fields the text sees by their names; `state` has its bytes, which are passed with each call and not
 * compiled in. Everything is copied.
 * @does making an operator
 * @nullable state_type state */
CUPRUM_API cuprum_status cuprum_parallel_operator_create(cuprum_parallel_operator* operator_out, const char* text,
                                                         const char* state_type, const void* state,
                                                         uint64_t state_size);
enum { CUPRUM_PASSING_POINTERS = 0, CUPRUM_PASSING_VALUES = 1 };

/* A device function that was compiled elsewhere, and is linked into each algorithm that is built with it, by nvJitLink:
 * PTX, LTO-IR (which is optimised together with the algorithm) or what else a linker takes, of relocatable device code.
 * `name` is as in the code: declare it extern "C". `passing`: CUPRUM_PASSING_POINTERS for
 * void f(void* a, void* b, void* result), with the state's address before them if there is one; CUPRUM_PASSING_VALUES
 * for R f(A a, B b), without a state. Whether the types are the algorithm's is not checked. `object_code` may be
 * destroyed afterwards.
 * @does making an operator
 * @nullable state_type state */
CUPRUM_API cuprum_status cuprum_parallel_operator_create_compiled(cuprum_parallel_operator* operator_out,
                                                                  const char* name, cuprum_object_code object_code,
                                                                  int32_t passing, const char* state_type,
                                                                  const void* state, uint64_t state_size);
/* A comparison of structs of `type` by some of their numbers: whether `a` comes before `b`. `fields` has their names,
 * that of the number that counts most first: "age, -weight"; behind a "-" the largest comes first, "place.x" is a field
 * of a field, and a field that is a struct stands for its numbers. Each has the order that a radix sort gives it. On
 * the host's cores a merge sort takes it.
 * @does making a comparison by fields */
CUPRUM_API cuprum_status cuprum_parallel_operator_by_fields(cuprum_parallel_operator* operator_out, const char* type,
                                                            const char* fields);
/* The same operator with more code, which its function calls.
 * @does making an operator */
CUPRUM_API cuprum_status cuprum_parallel_operator_with_code(cuprum_parallel_operator* operator_out,
                                                            cuprum_parallel_operator op,
                                                            cuprum_object_code object_code);
/* The same operator with another state of the same type, for a call.
 * @does binding an operator's state */
CUPRUM_API cuprum_status cuprum_parallel_operator_with_state(cuprum_parallel_operator* operator_out,
                                                             cuprum_parallel_operator op, const char* state_type,
                                                             const void* state, uint64_t state_size);
/* NULL is accepted and ignored, here and below.
 * @does destroying an operator
 * @nullable op */
CUPRUM_API cuprum_status cuprum_parallel_operator_destroy(cuprum_parallel_operator op);

enum { CUPRUM_CACHE_STREAM = 0, CUPRUM_CACHE_GLOBAL = 1, CUPRUM_CACHE_VOLATILE = 2 };

/* Inputs and outputs. What an algorithm is built for is an iterator's kind and types; every call may pass another one
 * of that kind. They are made of each other, which is copied: nested at most 64 deep, and of at most 256 iterators. One
 * that can only be read where it would be written to, or the other way round, is CUPRUM_ERROR_INVALID_ARGUMENT.
 * pointer: device memory, to be read or written; the address may be 0 for an iterator that is only built for. constant:
 * the same value at every position. counting: start, start + 1, ... transform: op(a) of another iterator's elements, of
 * type `result_type`. These three are read only.
 * @does making an iterator */
CUPRUM_API cuprum_status cuprum_parallel_iterator_pointer(cuprum_parallel_iterator* iterator_out, const char* type,
                                                          uint64_t address);
/* @does making an iterator */
CUPRUM_API cuprum_status cuprum_parallel_iterator_constant(cuprum_parallel_iterator* iterator_out, const char* type,
                                                           const void* value, uint64_t value_size);
/* @does making an iterator */
CUPRUM_API cuprum_status cuprum_parallel_iterator_counting(cuprum_parallel_iterator* iterator_out, const char* type,
                                                           const void* start, uint64_t start_size);
/* @does making an iterator */
CUPRUM_API cuprum_status cuprum_parallel_iterator_transform(cuprum_parallel_iterator* iterator_out,
                                                            cuprum_parallel_iterator base, cuprum_parallel_operator op,
                                                            const char* result_type);
/* Write only: what is written, of a type, goes nowhere.
 * @does making an iterator */
CUPRUM_API cuprum_status cuprum_parallel_iterator_discard(cuprum_parallel_iterator* iterator_out, const char* type);
/* Another iterator's elements from `last` backwards: position i is its position `last` - i. Of n elements `last` is n
 * - 1. Read or written as `base` is, as the next two are.
 * @does making an iterator */
CUPRUM_API cuprum_status cuprum_parallel_iterator_reverse(cuprum_parallel_iterator* iterator_out,
                                                          cuprum_parallel_iterator base, int64_t last);
/* Position i is position `start` + i * `step` of another iterator; a `step` of 1 skips the first ones.
 * @does making an iterator */
CUPRUM_API cuprum_status cuprum_parallel_iterator_strided(cuprum_parallel_iterator* iterator_out,
                                                          cuprum_parallel_iterator base, int64_t step, int64_t start);
/* Position i is position indices[i] of `values`. The indices are integers, and not checked; those of elements that are
 * written are different.
 * @does making an iterator */
CUPRUM_API cuprum_status cuprum_parallel_iterator_permutation(cuprum_parallel_iterator* iterator_out,
                                                              cuprum_parallel_iterator values,
                                                              cuprum_parallel_iterator indices);
/* The elements of several iterators, one struct at each position: of `type`, which has a field of the type of each
 * part, in their order, or NULL for field_0, field_1 and so on. Made one part after the other: `parts` NULL begins with
 * `part`, else `part` follows those of `parts`, another zip. 1 to 64 parts. Read if all parts can be, written if all
 * can be.
 * @does making an iterator
 * @nullable parts type */
CUPRUM_API cuprum_status cuprum_parallel_iterator_zip(cuprum_parallel_iterator* iterator_out,
                                                      cuprum_parallel_iterator parts, cuprum_parallel_iterator part,
                                                      const char* type);
/* Write only: op(a) of what is written, which is of `type`, goes to `base`.
 * @does making an iterator */
CUPRUM_API cuprum_status cuprum_parallel_iterator_transform_output(cuprum_parallel_iterator* iterator_out,
                                                                   cuprum_parallel_iterator base,
                                                                   cuprum_parallel_operator op, const char* type);
/* Read only: device memory that is loaded in the way of `modifier`, CUPRUM_CACHE_*: likely to be read once, cached for
 * all multiprocessors only, or fetched again.
 * @does making an iterator */
CUPRUM_API cuprum_status cuprum_parallel_iterator_cache_modified(cuprum_parallel_iterator* iterator_out,
                                                                 const char* type, uint64_t address, int32_t modifier);
/* Read only: a permutation of 0 to `n` - 1 at random, as int64; the same for the same seed, on every device and on the
 * host's cores. Positions from `n` on begin again. `n` is 1 to 2^62.
 * @does making an iterator */
CUPRUM_API cuprum_status cuprum_parallel_iterator_shuffle(cuprum_parallel_iterator* iterator_out, uint64_t n,
                                                          uint64_t seed);
/* Read only, on devices alone: the positions of an array with these extents, "480,640" for 480 rows of 640, the last of
 * which is that of neighbours. Element i is a struct of int64 with the fields index, which is i, and i0, i1 and so on,
 * its coordinates; `type` names another struct of as many. There are as many as the product of the extents says: a
 * for_each over them calls its operator for each position. 1 to 8 extents, of at most 2^62 positions.
 * @does making an iterator
 * @nullable type */
CUPRUM_API cuprum_status cuprum_parallel_iterator_coordinates(cuprum_parallel_iterator* iterator_out,
                                                              const char* extents, const char* type);
/* @does destroying an iterator
 * @nullable iterator */
CUPRUM_API cuprum_status cuprum_parallel_iterator_destroy(cuprum_parallel_iterator iterator);

enum { CUPRUM_SCAN_EXCLUSIVE = 0, CUPRUM_SCAN_INCLUSIVE = 1, CUPRUM_SCAN_INCLUSIVE_WITH_INIT = 2 };
enum { CUPRUM_SORT_ASCENDING = 0, CUPRUM_SORT_DESCENDING = 1 };
enum { CUPRUM_ARG_MINIMUM = 0, CUPRUM_ARG_MAXIMUM = 1 };
enum { CUPRUM_BOUND_LOWER = 0, CUPRUM_BOUND_UPPER = 1 };
enum { CUPRUM_NEIGHBOUR_LEFT = 0, CUPRUM_NEIGHBOUR_RIGHT = 1 };

enum { CUPRUM_DETERMINISM_NOT_GUARANTEED = 0, CUPRUM_DETERMINISM_RUN_TO_RUN = 1, CUPRUM_DETERMINISM_GPU_TO_GPU = 2 };
enum { CUPRUM_EXECUTION_DEVICE = 0, CUPRUM_EXECUTION_HOST = 1, CUPRUM_EXECUTION_AHEAD_OF_TIME = 2 };
/* Where an algorithm runs, or what it is built for: a device, the host's cores, or, ahead of time, architectures for
 * which it is built without a device and can then only be saved. The architectures are copied. `determinism` says how
 * far results have to be the same, bit for bit: algorithms that cannot keep it are CUPRUM_ERROR_UNSUPPORTED when they
 * are built.
 * @nullable architectures */
typedef struct cuprum_execution {
    uint32_t struct_size;
    int32_t kind;              /* CUPRUM_EXECUTION_*; default CUPRUM_EXECUTION_DEVICE */
    int32_t device;            /* default 0; CUPRUM_EXECUTION_DEVICE alone uses it */
    const char* architectures; /* "sm_90", "compute_80", several with commas, for CUPRUM_EXECUTION_AHEAD_OF_TIME; else
                                  NULL or "" */
    int32_t determinism;       /* CUPRUM_DETERMINISM_*; default CUPRUM_DETERMINISM_NOT_GUARANTEED */
} cuprum_execution;
#define CUPRUM_EXECUTION_INIT {sizeof(cuprum_execution), 0, 0, 0, 0}

/* Building compiles unless this process or the cache on disk has it. `execution` may be NULL, here and below, for
 * device 0. The caller owns the algorithm. `output_iterator` and the like: what results are written through, of their
 * type; NULL for memory. CUPRUM_ERROR_COMPILE where an operator's text does not compile:
 * cuprum_error_info.log has the lines of the text.
 * @does building a reduction
 * @nullable execution output_iterator
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_reduce_build(cuprum_parallel_algorithm* algorithm_out,
                                                      const cuprum_execution* execution, cuprum_parallel_iterator input,
                                                      cuprum_parallel_operator op, const char* accumulator,
                                                      cuprum_parallel_iterator output_iterator);
/* @does building a scan
 * @nullable execution output_iterator
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_scan_build(cuprum_parallel_algorithm* algorithm_out,
                                                    const cuprum_execution* execution, int32_t kind,
                                                    cuprum_parallel_iterator input, cuprum_parallel_operator op,
                                                    const char* accumulator, cuprum_parallel_iterator output_iterator);
/* Keys are numbers or bool, or structs of such, which are compared by their fields in the order of their offsets.
 * `values` NULL: keys alone.
 * @does building a radix sort
 * @nullable execution values
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_radix_sort_build(cuprum_parallel_algorithm* algorithm_out,
                                                          const cuprum_execution* execution, int32_t order,
                                                          const char* keys, const char* values);
/* The same by some numbers of structs, each in its own order. `fields` as for cuprum_parallel_operator_by_fields: "age,
 * -place.x" goes by age first, and of equal ages the largest place.x comes first. The bits of a call are those of these
 * numbers, concatenated: the first field has the most significant ones, and bit 0 is the lowest bit of the last field.
 * @does building a radix sort
 * @nullable execution values
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_radix_sort_build_by_fields(cuprum_parallel_algorithm* algorithm_out,
                                                                    const cuprum_execution* execution,
                                                                    const char* fields, const char* keys,
                                                                    const char* values);
/* @does building a merge sort
 * @nullable execution values
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_merge_sort_build(cuprum_parallel_algorithm* algorithm_out,
                                                          const cuprum_execution* execution,
                                                          cuprum_parallel_operator compare, const char* keys,
                                                          const char* values);
/* `second` NULL: an operator of one operand.
 * @does building a transformation
 * @nullable execution second output_iterator
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_transform_build(cuprum_parallel_algorithm* algorithm_out,
                                                         const cuprum_execution* execution,
                                                         cuprum_parallel_iterator first,
                                                         cuprum_parallel_iterator second, cuprum_parallel_operator op,
                                                         const char* output, cuprum_parallel_iterator output_iterator);
/* The same for 1 to 8 inputs, which an operator's text sees as `a` to `h`: they are read one by one, where a zip of
 * them is one input of structs. On the host's cores 2 at most.
 * @does building a transformation
 * @nullable execution output_iterator
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_transform_build_nary(
    cuprum_parallel_algorithm* algorithm_out, const cuprum_execution* execution, const cuprum_parallel_iterator* inputs,
    uint32_t input_count, cuprum_parallel_operator op, const char* output, cuprum_parallel_iterator output_iterator);
/* `offsets`: "int32" or "int64".
 * @does building a segmented reduction
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_segmented_reduce_build(cuprum_parallel_algorithm* algorithm_out,
                                                                const cuprum_execution* execution,
                                                                cuprum_parallel_iterator input,
                                                                cuprum_parallel_operator op, const char* accumulator,
                                                                const char* offsets);
/* @does building an arg-reduction
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_arg_reduce_build(cuprum_parallel_algorithm* algorithm_out,
                                                          const cuprum_execution* execution, int32_t kind,
                                                          cuprum_parallel_iterator input);
/* `condition`: an operator on one element, whose result is taken as true or false.
 * @does building a selection
 * @nullable execution output_iterator
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_select_build(cuprum_parallel_algorithm* algorithm_out,
                                                      const cuprum_execution* execution, cuprum_parallel_iterator input,
                                                      cuprum_parallel_operator condition,
                                                      cuprum_parallel_iterator output_iterator);
/* `op`: "equal_to" or another operator on two keys, whose result is taken as true or false.
 * @does building a selection of unique keys
 * @nullable execution keys_target_iterator values_target_iterator
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_unique_by_key_build(
    cuprum_parallel_algorithm* algorithm_out, const cuprum_execution* execution, cuprum_parallel_iterator keys,
    cuprum_parallel_iterator values, cuprum_parallel_operator op, cuprum_parallel_iterator keys_target_iterator,
    cuprum_parallel_iterator values_target_iterator);
/* `bound`: CUPRUM_BOUND_*, the first or the last position where a value can be inserted. The values are of the
 * elements' type. `compare`: what the elements are sorted by. `positions`: "int32", "uint32", "int64" or "uint64".
 * @does building a binary search
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_binary_search_build(cuprum_parallel_algorithm* algorithm_out,
                                                             const cuprum_execution* execution, int32_t bound,
                                                             cuprum_parallel_iterator data,
                                                             cuprum_parallel_iterator values,
                                                             cuprum_parallel_operator compare, const char* positions);
/* The conditions: operators on one element, whose results are taken as true or false.
 * @does building a partition in three
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_three_way_partition_build(cuprum_parallel_algorithm* algorithm_out,
                                                                   const cuprum_execution* execution,
                                                                   cuprum_parallel_iterator input,
                                                                   cuprum_parallel_operator first_condition,
                                                                   cuprum_parallel_operator second_condition);
/* `order`: CUPRUM_SORT_*. `values` NULL: keys alone; values have at most 256 bytes. `offsets`: "int32" or "int64".
 * @does building a segmented sort
 * @nullable execution values
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_segmented_sort_build(cuprum_parallel_algorithm* algorithm_out,
                                                              const cuprum_execution* execution, int32_t order,
                                                              const char* keys, const char* values,
                                                              const char* offsets);
/* `levels`: the type of the bounds, a number. `counters`: "int32", "uint32", "int64" or "uint64".
 * @does building a histogram
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_histogram_even_build(cuprum_parallel_algorithm* algorithm_out,
                                                              const cuprum_execution* execution,
                                                              cuprum_parallel_iterator samples, const char* levels,
                                                              const char* counters);
/* The same for pixels, of which each is `channels` samples one after another, 1 to 4: of the first `active_channels` of
 * them, all in one sweep.
 * @does building a histogram of several channels
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_multi_histogram_even_build(cuprum_parallel_algorithm* algorithm_out,
                                                                    const cuprum_execution* execution,
                                                                    cuprum_parallel_iterator samples, int32_t channels,
                                                                    int32_t active_channels, const char* levels,
                                                                    const char* counters);
/* `flags`: bool or numbers, of which 0 is false.
 * @does building a selection by flags
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_select_flagged_build(cuprum_parallel_algorithm* algorithm_out,
                                                              const cuprum_execution* execution,
                                                              cuprum_parallel_iterator input,
                                                              cuprum_parallel_iterator flags);
/* `op`: "equal_to" or another operator on two elements, whose result is taken as true or false.
 * @does building a selection of unique elements
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_unique_build(cuprum_parallel_algorithm* algorithm_out,
                                                      const cuprum_execution* execution, cuprum_parallel_iterator input,
                                                      cuprum_parallel_operator op);
/* `condition`: an operator on one element, whose result is taken as true or false.
 * @does building a partition
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_partition_build(cuprum_parallel_algorithm* algorithm_out,
                                                         const cuprum_execution* execution,
                                                         cuprum_parallel_iterator input,
                                                         cuprum_parallel_operator condition);
/* `flags`: bool or numbers, of which 0 is false.
 * @does building a partition by flags
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_partition_flagged_build(cuprum_parallel_algorithm* algorithm_out,
                                                                 const cuprum_execution* execution,
                                                                 cuprum_parallel_iterator input,
                                                                 cuprum_parallel_iterator flags);
/* `op` combines values, in the type `accumulator`. `equal`: "equal_to" or another operator on two keys, whose result is
 * taken as true or false. A key and an accumulator have at most 256 bytes together.
 * @does building a reduction by key
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_reduce_by_key_build(cuprum_parallel_algorithm* algorithm_out,
                                                             const cuprum_execution* execution,
                                                             cuprum_parallel_iterator keys,
                                                             cuprum_parallel_iterator values,
                                                             cuprum_parallel_operator op, const char* accumulator,
                                                             cuprum_parallel_operator equal);
/* `lengths`: "int32", "uint32", "int64" or "uint64". `op`: "equal_to" or another operator on two elements, whose result
 * is taken as true or false.
 * @does building a run-length encoding
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_run_length_encode_build(cuprum_parallel_algorithm* algorithm_out,
                                                                 const cuprum_execution* execution,
                                                                 cuprum_parallel_iterator input, const char* lengths,
                                                                 cuprum_parallel_operator op);
/* `positions`: the type of positions and lengths, "int32", "uint32", "int64" or "uint64". `op`: "equal_to" or another
 * operator on two elements, whose result is taken as true or false.
 * @does building a search for runs
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_non_trivial_runs_build(cuprum_parallel_algorithm* algorithm_out,
                                                                const cuprum_execution* execution,
                                                                cuprum_parallel_iterator input, const char* positions,
                                                                cuprum_parallel_operator op);
/* `op` combines values, in the type `accumulator`. `equal`: "equal_to" or another operator on two keys, whose result is
 * taken as true or false. A key and an accumulator have at most 128 bytes each.
 * @does building an inclusive scan by key
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_inclusive_scan_by_key_build(
    cuprum_parallel_algorithm* algorithm_out, const cuprum_execution* execution, cuprum_parallel_iterator keys,
    cuprum_parallel_iterator values, cuprum_parallel_operator op, const char* accumulator,
    cuprum_parallel_operator equal);
/* @does building an exclusive scan by key
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_exclusive_scan_by_key_build(
    cuprum_parallel_algorithm* algorithm_out, const cuprum_execution* execution, cuprum_parallel_iterator keys,
    cuprum_parallel_iterator values, cuprum_parallel_operator op, const char* accumulator,
    cuprum_parallel_operator equal);
/* `neighbour`: CUPRUM_NEIGHBOUR_*, the one before an element or the one behind it. `output`: the type of the results.
 * @does building an adjacent difference
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_adjacent_difference_build(cuprum_parallel_algorithm* algorithm_out,
                                                                   const cuprum_execution* execution, int32_t neighbour,
                                                                   cuprum_parallel_iterator input,
                                                                   cuprum_parallel_operator op, const char* output);
/* `kind`: CUPRUM_SCAN_*. `offsets`: "int32" or "int64". An accumulator has at most 256 bytes.
 * @does building a segmented scan
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_segmented_scan_build(cuprum_parallel_algorithm* algorithm_out,
                                                              const cuprum_execution* execution, int32_t kind,
                                                              cuprum_parallel_iterator input,
                                                              cuprum_parallel_operator op, const char* accumulator,
                                                              const char* offsets);
/* Both keys are of one type, of at most 512 bytes. `compare`: what they are sorted by, "less" or another operator.
 * @does building a merge
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_merge_keys_build(cuprum_parallel_algorithm* algorithm_out,
                                                          const cuprum_execution* execution,
                                                          cuprum_parallel_iterator first_keys,
                                                          cuprum_parallel_iterator second_keys,
                                                          cuprum_parallel_operator compare);
/* The same with values of one type.
 * @does building a merge of pairs
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_merge_pairs_build(
    cuprum_parallel_algorithm* algorithm_out, const cuprum_execution* execution, cuprum_parallel_iterator first_keys,
    cuprum_parallel_iterator first_values, cuprum_parallel_iterator second_keys, cuprum_parallel_iterator second_values,
    cuprum_parallel_operator compare);
/* `order`: CUPRUM_SORT_*, ascending for the smallest keys. Keys are numbers or bool.
 * @does building a selection of the top keys
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_topk_keys_build(cuprum_parallel_algorithm* algorithm_out,
                                                         const cuprum_execution* execution, int32_t order,
                                                         cuprum_parallel_iterator keys);
/* @does building a selection of the top pairs
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_topk_pairs_build(cuprum_parallel_algorithm* algorithm_out,
                                                          const cuprum_execution* execution, int32_t order,
                                                          cuprum_parallel_iterator keys,
                                                          cuprum_parallel_iterator values);
/* Of elements that are numbers or bool.
 * @does building a search for both extremes
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_min_max_build(cuprum_parallel_algorithm* algorithm_out,
                                                       const cuprum_execution* execution,
                                                       cuprum_parallel_iterator input);
/* `condition`: an operator on one element, whose result is taken as true or false. `positions`: "int32", "uint32",
 * "int64" or "uint64".
 * @does building a search for an element
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_find_if_build(cuprum_parallel_algorithm* algorithm_out,
                                                       const cuprum_execution* execution,
                                                       cuprum_parallel_iterator input,
                                                       cuprum_parallel_operator condition, const char* positions);
/* Both inputs have elements of one type. `op`: "equal_to" or another operator on two elements, whose result is taken as
 * true or false.
 * @does building a comparison
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_equal_build(cuprum_parallel_algorithm* algorithm_out,
                                                     const cuprum_execution* execution, cuprum_parallel_iterator first,
                                                     cuprum_parallel_iterator second, cuprum_parallel_operator op);
/* `levels`: the type of the levels, a number. `counters`: "int32", "uint32", "int64" or "uint64".
 * @does building a histogram of ranges
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_histogram_range_build(cuprum_parallel_algorithm* algorithm_out,
                                                               const cuprum_execution* execution,
                                                               cuprum_parallel_iterator samples, const char* levels,
                                                               const char* counters);
/* The same for pixels, of which each is `channels` samples one after another, 1 to 4: of the first `active_channels` of
 * them, all in one sweep.
 * @does building a histogram of ranges of several channels
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_multi_histogram_range_build(cuprum_parallel_algorithm* algorithm_out,
                                                                     const cuprum_execution* execution,
                                                                     cuprum_parallel_iterator samples, int32_t channels,
                                                                     int32_t active_channels, const char* levels,
                                                                     const char* counters);
/* `op`: an operator on one element, whose result is dropped. CUPRUM_ERROR_UNSUPPORTED for the host's cores.
 * @does building a call for each element
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_for_each_build(cuprum_parallel_algorithm* algorithm_out,
                                                        const cuprum_execution* execution,
                                                        cuprum_parallel_iterator input, cuprum_parallel_operator op);
/* `sources`, `targets`: addresses, uint64. `sizes`: bytes, "int32", "uint32", "int64" or "uint64".
 * @does building a batch of copies
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_batched_memcpy_build(cuprum_parallel_algorithm* algorithm_out,
                                                              const cuprum_execution* execution,
                                                              cuprum_parallel_iterator sources,
                                                              cuprum_parallel_iterator targets,
                                                              cuprum_parallel_iterator sizes);
/* @does destroying an algorithm
 * @nullable algorithm
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_algorithm_destroy(cuprum_parallel_algorithm algorithm);

/* The bytes for a call with at most `count` elements; 0 for algorithms that need none.
 * @does asking for temporary storage */
CUPRUM_API cuprum_status cuprum_parallel_temp_storage_bytes(uint64_t* bytes_out, cuprum_parallel_algorithm algorithm,
                                                            uint64_t count);
/* Saves the code compiled so far.
 * @does saving builds */
CUPRUM_API cuprum_status cuprum_parallel_save(const void** data_out, uint64_t* size_out,
                                              cuprum_parallel_algorithm algorithm);
/* Loads saved code: algorithms built later in this process with the same types and operator need no compiler.
 * CUPRUM_ERROR_UNSUPPORTED when none of it runs on `device`, or another version of Cuprum saved it.
 * @does loading builds
 * @nullable saved
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_load_builds(int32_t device, const void* saved, uint64_t saved_size);

/* Calls. `stream`: one of the device that the algorithm was built for; NULL for one on the host's
 * cores, and for no other. `op`: the operator with the state of this call, or NULL for the one it was built with.
 * `init` is a value of the accumulator's type, and `init_size` its size. A wrong kind of algorithm is
 * CUPRUM_ERROR_INVALID_ARGUMENT. `output_iterator` and the like: an iterator of the kind that it was built for, with 0
 * for the address; NULL where it was built for memory. `init_size` 0: a reduction without an initial value, which
 * writes nothing where there are no elements.
 * @does reducing
 * @nullable stream init op output_iterator
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_reduce(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                cuprum_parallel_iterator input, uint64_t output,
                                                cuprum_parallel_iterator output_iterator, uint64_t count,
                                                const void* init, uint64_t init_size, cuprum_parallel_operator op,
                                                uint64_t storage, uint64_t storage_size);
/* `init` NULL with CUPRUM_SCAN_INCLUSIVE. `init_address`: 0, or the device address of one value that takes the place of
 * `init`, with `init_size` 0; it is read when the stream comes to the call, and may not overlap the output.
 * @does scanning
 * @nullable stream init op output_iterator
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_scan(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                              cuprum_parallel_iterator input, uint64_t output,
                                              cuprum_parallel_iterator output_iterator, uint64_t count,
                                              const void* init, uint64_t init_size, uint64_t init_address,
                                              cuprum_parallel_operator op, uint64_t storage, uint64_t storage_size);
/* Radix and merge sort. Values are 0 for keys alone. The bits [begin_bit, end_bit) of the keys are compared; with
 * `end_bit` 0 those from `begin_bit` on. A merge sort accepts 0 and 0 only.
 * @does sorting
 * @nullable stream op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_sort(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                              uint64_t keys_in, uint64_t keys_target, uint64_t values_in,
                                              uint64_t values_target, uint64_t count, int32_t begin_bit,
                                              int32_t end_bit, cuprum_parallel_operator op, uint64_t storage,
                                              uint64_t storage_size);
/* A radix sort between two arrays of keys, and of values, neither of which overlap: the elements go back and forth, and
 * no other memory is needed for them. `is_alternate_out`: whether the sorted ones are in the alternate arrays rather
 * than in the current ones; the others have no defined content. Values are 0 for keys alone; the bits as in
 * cuprum_parallel_sort.
 * @does sorting
 * @truth is_alternate_out
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_radix_sort_between(int32_t* is_alternate_out,
                                                            cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                            uint64_t keys_current, uint64_t keys_alternate,
                                                            uint64_t values_current, uint64_t values_alternate,
                                                            uint64_t count, int32_t begin_bit, int32_t end_bit,
                                                            uint64_t storage, uint64_t storage_size);
/* The bytes of temporary storage for that with at most `count` elements: less than for cuprum_parallel_sort.
 * @does asking for temporary storage */
CUPRUM_API cuprum_status cuprum_parallel_radix_sort_between_storage_bytes(uint64_t* bytes_out,
                                                                          cuprum_parallel_algorithm algorithm,
                                                                          uint64_t count);
/* @does transforming
 * @nullable stream second op output_iterator
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_transform(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                   cuprum_parallel_iterator first, cuprum_parallel_iterator second,
                                                   uint64_t output, cuprum_parallel_iterator output_iterator,
                                                   uint64_t count, cuprum_parallel_operator op);
/* The same with as many inputs as the algorithm was built for, by either function.
 * @does transforming
 * @nullable stream op output_iterator
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_transform_nary(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                        const cuprum_parallel_iterator* inputs, uint32_t input_count,
                                                        uint64_t output, cuprum_parallel_iterator output_iterator,
                                                        uint64_t count, cuprum_parallel_operator op);
/* @does reducing segments
 * @nullable stream op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_segmented_reduce(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                          cuprum_parallel_iterator input, uint64_t output,
                                                          uint64_t segments, uint64_t begins, uint64_t ends,
                                                          const void* init, uint64_t init_size,
                                                          cuprum_parallel_operator op);
/* Writes { int64_t index; element } to `output`.
 * @does finding the extreme element
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_arg_reduce(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                    cuprum_parallel_iterator input, uint64_t output, uint64_t count,
                                                    uint64_t storage, uint64_t storage_size);
/* Writes the selected elements in their order to `output`, which has room for all `count`, and how many they are as a
 * uint64_t to `selected_count`. `output` may not overlap the input.
 * @does selecting
 * @nullable stream op output_iterator
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_select(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                cuprum_parallel_iterator input, uint64_t output,
                                                cuprum_parallel_iterator output_iterator, uint64_t selected_count,
                                                uint64_t count, cuprum_parallel_operator op, uint64_t storage,
                                                uint64_t storage_size);
/* Writes the first key of each run of equal ones and its value to `keys_target` and `values_target`, which have room
 * for all `count`, and how many they are as a uint64_t to `selected_count`. A key is compared with the one before it.
 * The targets may not overlap the inputs or each other.
 * @does selecting unique keys
 * @nullable stream op keys_target_iterator values_target_iterator
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_unique_by_key(
    cuprum_parallel_algorithm algorithm, cuprum_stream stream, cuprum_parallel_iterator keys,
    cuprum_parallel_iterator values, uint64_t keys_target, cuprum_parallel_iterator keys_target_iterator,
    uint64_t values_target, cuprum_parallel_iterator values_target_iterator, uint64_t selected_count, uint64_t count,
    cuprum_parallel_operator op, uint64_t storage, uint64_t storage_size);
/* Writes one position, from 0 to `data_count`, for each of `count` values. Whether the elements are sorted is not
 * checked. `output` may be the values' memory, and may not overlap them otherwise, nor the elements.
 * @does searching sorted elements
 * @nullable stream op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_binary_search(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                       cuprum_parallel_iterator data, uint64_t data_count,
                                                       cuprum_parallel_iterator values, uint64_t output, uint64_t count,
                                                       cuprum_parallel_operator op);
/* Writes the elements for which the first condition is true to `first_target`, of the others those for which the second
 * is true to `second_target`, and the rest to `unselected_target`, in their order; and two uint64_t to
 * `selected_counts`: how many are in the first part and how many in the second. The targets have room for all `count`,
 * and may not overlap the input or each other. `op` and `second_op`: the conditions with the states of this call, or
 * NULL.
 * @does partitioning in three
 * @nullable stream op second_op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_three_way_partition(
    cuprum_parallel_algorithm algorithm, cuprum_stream stream, cuprum_parallel_iterator input, uint64_t first_target,
    uint64_t second_target, uint64_t unselected_target, uint64_t selected_counts, uint64_t count,
    cuprum_parallel_operator op, cuprum_parallel_operator second_op, uint64_t storage, uint64_t storage_size);
/* Sorts each of `segments` segments of `count` keys by their bits, as a radix sort does. Values are 0 for keys alone.
 * The offsets, at the addresses `begins` and `ends`, are not checked; what is in no segment is not written.
 * @does sorting segments
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_segmented_sort(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                        uint64_t keys_in, uint64_t keys_target, uint64_t values_in,
                                                        uint64_t values_target, uint64_t count, uint64_t segments,
                                                        uint64_t begins, uint64_t ends, uint64_t storage,
                                                        uint64_t storage_size);
/* Counts the samples in each of `bins` bins of one width, into which [lower, upper) is divided. `lower` and `upper` are
 * of the levels' type. What lies outside is not counted, nor are NaNs. `histogram` may not overlap the samples.
 * @does making a histogram
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_histogram_even(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                        cuprum_parallel_iterator samples, uint64_t histogram,
                                                        uint64_t bins, const void* lower, uint64_t lower_size,
                                                        const void* upper, uint64_t upper_size, uint64_t count);
/* The same of `count` pixels. `bins`, as uint64_t, `lower` and `upper` are arrays with a number for each channel that
 * is counted; their sizes are in bytes. `histogram` gets the counts of the first channel's bins, and behind them those
 * of the others.
 * @does making a histogram of several channels
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_multi_histogram_even(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                              cuprum_parallel_iterator samples, uint64_t histogram,
                                                              const void* bins, uint64_t bins_size, const void* lower,
                                                              uint64_t lower_size, const void* upper,
                                                              uint64_t upper_size, uint64_t count);
/* Writes the elements whose flags are true to `output`, in their order, and how many they are as a uint64_t to
 * `selected_count`. `output` has room for all `count`, and may not overlap an input.
 * @does selecting flagged elements
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_select_flagged(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                        cuprum_parallel_iterator input, cuprum_parallel_iterator flags,
                                                        uint64_t output, uint64_t selected_count, uint64_t count,
                                                        uint64_t storage, uint64_t storage_size);
/* Writes the first of each run of equal elements to `output`, in their order, and how many they are as a uint64_t to
 * `selected_count`. `output` has room for all `count`, and may not overlap the input.
 * @does keeping the first of equal elements
 * @nullable stream op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_unique(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                cuprum_parallel_iterator input, uint64_t output,
                                                uint64_t selected_count, uint64_t count, cuprum_parallel_operator op,
                                                uint64_t storage, uint64_t storage_size);
/* Writes the elements of which the condition is true to `output`, in their order, behind them the others, in reverse
 * order, and how many are in the first part as a uint64_t to `selected_count`. `output` may not overlap the input.
 * @does partitioning
 * @nullable stream op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_partition(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                   cuprum_parallel_iterator input, uint64_t output,
                                                   uint64_t selected_count, uint64_t count, cuprum_parallel_operator op,
                                                   uint64_t storage, uint64_t storage_size);
/* Writes the elements whose flags are true to `output`, in their order, behind them the others, in reverse order, and
 * how many are in the first part as a uint64_t to `selected_count`. `output` may not overlap an input.
 * @does partitioning by flags
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_partition_flagged(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                           cuprum_parallel_iterator input,
                                                           cuprum_parallel_iterator flags, uint64_t output,
                                                           uint64_t selected_count, uint64_t count, uint64_t storage,
                                                           uint64_t storage_size);
/* Writes the first key of each run of equal ones to `keys_target`, the values of the run, combined, to `values_target`,
 * and how many runs there are as a uint64_t to `run_count`. The targets have room for all `count`, and may not overlap
 * an input or each other. `op` and `second_op`: the operators with the states of this call, `op` and `equal`, or NULL.
 * @does reducing by key
 * @nullable stream op second_op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_reduce_by_key(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                       cuprum_parallel_iterator keys, cuprum_parallel_iterator values,
                                                       uint64_t keys_target, uint64_t values_target, uint64_t run_count,
                                                       uint64_t count, cuprum_parallel_operator op,
                                                       cuprum_parallel_operator second_op, uint64_t storage,
                                                       uint64_t storage_size);
/* Writes the first of each run of equal elements to `output`, how many they are to `lengths_target`, and how many runs
 * there are as a uint64_t to `run_count`. The outputs have room for all `count`, and may not overlap the input or each
 * other.
 * @does encoding run lengths
 * @nullable stream op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_run_length_encode(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                           cuprum_parallel_iterator input, uint64_t output,
                                                           uint64_t lengths_target, uint64_t run_count, uint64_t count,
                                                           cuprum_parallel_operator op, uint64_t storage,
                                                           uint64_t storage_size);
/* Writes where each run of two and more equal elements begins to `offsets_target`, how many they are to
 * `lengths_target`, and how many such runs there are as a uint64_t to `run_count`. The targets have room for all
 * `count`, and may not overlap the input or each other.
 * @does finding runs
 * @nullable stream op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_non_trivial_runs(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                          cuprum_parallel_iterator input, uint64_t offsets_target,
                                                          uint64_t lengths_target, uint64_t run_count, uint64_t count,
                                                          cuprum_parallel_operator op, uint64_t storage,
                                                          uint64_t storage_size);
/* Writes for each value what the values of its run of equal keys are, combined, up to and including it. `output` may
 * be the values' own memory, and may not overlap the inputs otherwise. `op` and `second_op`: the operators with the
 * states of this call, `op` and `equal`, or NULL.
 * @does scanning by key
 * @nullable stream op second_op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_inclusive_scan_by_key(cuprum_parallel_algorithm algorithm,
                                                               cuprum_stream stream, cuprum_parallel_iterator keys,
                                                               cuprum_parallel_iterator values, uint64_t output,
                                                               uint64_t count, cuprum_parallel_operator op,
                                                               cuprum_parallel_operator second_op, uint64_t storage,
                                                               uint64_t storage_size);
/* Writes for each value what the initial value and the values of its run of equal keys before it are, combined.
 * `output` may be the values' own memory, and may not overlap the inputs otherwise. `op` and `second_op`: the operators
 * with the states of this call, `op` and `equal`, or NULL.
 * @does scanning by key
 * @nullable stream op second_op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_exclusive_scan_by_key(
    cuprum_parallel_algorithm algorithm, cuprum_stream stream, cuprum_parallel_iterator keys,
    cuprum_parallel_iterator values, uint64_t output, uint64_t count, const void* init, uint64_t init_size,
    cuprum_parallel_operator op, cuprum_parallel_operator second_op, uint64_t storage, uint64_t storage_size);
/* Writes op(element, neighbour) for each element; the first element, or the last, has none and is written itself.
 * `output` may not overlap the input.
 * @does taking differences of neighbours
 * @nullable stream op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_adjacent_difference(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                             cuprum_parallel_iterator input, uint64_t output,
                                                             uint64_t count, cuprum_parallel_operator op);
/* Scans each of `segments` segments of `count` elements; result i is that of element i. The offsets, at the addresses
 * `begins` and `ends`, are not checked; what is in no segment is not written. `output` may be the input's memory where
 * the types are the same, and may not overlap it otherwise. `init_size` 0 with CUPRUM_SCAN_INCLUSIVE.
 * @does scanning segments
 * @nullable stream init op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_segmented_scan(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                        cuprum_parallel_iterator input, uint64_t output, uint64_t count,
                                                        uint64_t segments, uint64_t begins, uint64_t ends,
                                                        const void* init, uint64_t init_size,
                                                        cuprum_parallel_operator op);
/* Writes two sorted sequences of keys as one, `first_count` + `second_count` keys, to `keys_target`, which may not
 * overlap an input. Whether they are sorted is not checked.
 * @does merging
 * @nullable stream op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_merge_keys(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                    cuprum_parallel_iterator first_keys, uint64_t first_count,
                                                    cuprum_parallel_iterator second_keys, uint64_t second_count,
                                                    uint64_t keys_target, cuprum_parallel_operator op);
/* The same with the values of the keys. The targets may not overlap an input or each other.
 * @does merging pairs
 * @nullable stream op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_merge_pairs(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                     cuprum_parallel_iterator first_keys,
                                                     cuprum_parallel_iterator first_values, uint64_t first_count,
                                                     cuprum_parallel_iterator second_keys,
                                                     cuprum_parallel_iterator second_values, uint64_t second_count,
                                                     uint64_t keys_target, uint64_t values_target,
                                                     cuprum_parallel_operator op);
/* Writes the `k` smallest or largest of `count` keys to `keys_target`, in no particular order; of keys that equal the
 * k-th any. `keys_target` may not overlap the input.
 * @does selecting the top keys
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_topk_keys(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                   cuprum_parallel_iterator keys, uint64_t keys_target, uint64_t k,
                                                   uint64_t count, uint64_t storage, uint64_t storage_size);
/* The same with the values of the keys. The targets may not overlap an input or each other.
 * @does selecting the top pairs
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_topk_pairs(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                    cuprum_parallel_iterator keys, cuprum_parallel_iterator values,
                                                    uint64_t keys_target, uint64_t values_target, uint64_t k,
                                                    uint64_t count, uint64_t storage, uint64_t storage_size);
/* Writes the smallest and the largest element to `output`, which may not overlap the input; nothing if there are no
 * elements. Both are NaN if there is one.
 * @does finding the extreme elements
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_min_max(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                 cuprum_parallel_iterator input, uint64_t output, uint64_t count,
                                                 uint64_t storage, uint64_t storage_size);
/* Writes the first position at which the condition is true, or `count`, to `output`, which may not overlap the input.
 * @does looking for an element
 * @nullable stream op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_find_if(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                 cuprum_parallel_iterator input, uint64_t output, uint64_t count,
                                                 cuprum_parallel_operator op);
/* Writes whether the operator is true of all pairs of elements, as one byte of 0 or 1, to `output`, which may not
 * overlap an input.
 * @does comparing
 * @nullable stream op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_equal(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                               cuprum_parallel_iterator first, cuprum_parallel_iterator second,
                                               uint64_t output, uint64_t count, cuprum_parallel_operator op);
/* Counts the samples in each of `bins` bins, of which bin i has the numbers from level i up to, but not including,
 * level i + 1: `levels_in` is the address of `bins` + 1 levels in ascending order. What lies outside is not counted,
 * nor are NaNs. `histogram` may not overlap what is read.
 * @does making a histogram of ranges
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_histogram_range(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                         cuprum_parallel_iterator samples, uint64_t levels_in,
                                                         uint64_t histogram, uint64_t bins, uint64_t count);
/* The same of `count` pixels. `bins` is an array of uint64_t, one for each channel that is counted; its size is in
 * bytes. `levels_in` has the levels of the first channel, one more than it has bins, and behind them those of the
 * others; `histogram` gets the counts in that order.
 * @does making a histogram of ranges of several channels
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_multi_histogram_range(cuprum_parallel_algorithm algorithm,
                                                               cuprum_stream stream, cuprum_parallel_iterator samples,
                                                               uint64_t levels_in, uint64_t histogram, const void* bins,
                                                               uint64_t bins_size, uint64_t count);
/* Calls the operator for each element, in no order.
 * @does calling an operator for each element
 * @nullable stream op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_for_each(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                  cuprum_parallel_iterator input, uint64_t count,
                                                  cuprum_parallel_operator op);
/* `count` copies of sizes[i] bytes from sources[i] to targets[i], in no order. What is written may overlap nothing that
 * is read or written; neither this nor the addresses are checked.
 * @does copying in a batch
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_batched_memcpy(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                        cuprum_parallel_iterator sources,
                                                        cuprum_parallel_iterator targets,
                                                        cuprum_parallel_iterator sizes, uint64_t count,
                                                        uint64_t storage, uint64_t storage_size);

#ifdef __cplusplus
}
#endif
#endif
