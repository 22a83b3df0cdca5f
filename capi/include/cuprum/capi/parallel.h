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

#ifdef __cplusplus
}
#endif
#endif
