/* Algorithms over data in host memory of which a device's memory holds a part: it goes through the device in pieces, or
 * through several devices, to which the pieces are dealt.
 *
 * An algorithm is built once for how much of which devices' memory a call may take, types and an operator (parallel.h),
 * and called many times, from several threads too, each with that much memory. A call returns when it is done. While a
 * piece is worked on, the next one is copied in and the one before it is copied out, if the data is page-locked
 * (cuprum_buffer_register_host_memory, cuprum_memory_resource_create_legacy_pinned); other memory goes through
 * page-locked memory of the call's.
 *
 * Sizes are in bytes and multiples of the type's. What does not fit, and too little of the device's memory, is
 * CUPRUM_ERROR_INVALID_ARGUMENT before anything is done; the message says how much memory is needed. After a later
 * error what was to be written is undefined.
 */
#ifndef CUPRUM_CAPI_OUT_OF_CORE_H
#define CUPRUM_CAPI_OUT_OF_CORE_H

#include "cuprum/capi/base.h"
#include "cuprum/capi/parallel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cuprum_out_of_core_algorithm_s* cuprum_out_of_core_algorithm;

/* What a call may take of a device's memory. */
typedef struct cuprum_device_memory {
    int32_t device;
    uint64_t limit;                  /* bytes; 0: seven eighths of what is free when a call begins */
    cuprum_memory_resource resource; /* where it comes from; NULL: from where the device allocates in a stream */
} cuprum_device_memory;

/* A reduction. `memory`: an array of cuprum_device_memory, here and below, whose size is in bytes: of one device, or of
 * several, each of which is there once. The caller owns the algorithm; it keeps the resources.
 * @does building a reduction over host memory
 * @blocks */
CUPRUM_API cuprum_status cuprum_out_of_core_reduce_build(cuprum_out_of_core_algorithm* algorithm_out,
                                                         const void* memory, uint64_t memory_size, const char* input,
                                                         cuprum_parallel_operator op, const char* accumulator);
/* `kind`: CUPRUM_SCAN_*.
 * @does building a scan over host memory
 * @blocks */
CUPRUM_API cuprum_status cuprum_out_of_core_scan_build(cuprum_out_of_core_algorithm* algorithm_out, const void* memory,
                                                       uint64_t memory_size, int32_t kind, const char* input,
                                                       cuprum_parallel_operator op, const char* accumulator);
/* `order`: CUPRUM_SORT_*. `values` NULL: keys alone.
 * @does building a radix sort over host memory
 * @nullable values
 * @blocks */
CUPRUM_API cuprum_status cuprum_out_of_core_radix_sort_build(cuprum_out_of_core_algorithm* algorithm_out,
                                                             const void* memory, uint64_t memory_size, int32_t order,
                                                             const char* keys, const char* values);
/* `levels`: the type of the bounds, a number. `counters`: "int32", "uint32", "int64" or "uint64".
 * @does building a histogram over host memory
 * @blocks */
CUPRUM_API cuprum_status cuprum_out_of_core_histogram_even_build(cuprum_out_of_core_algorithm* algorithm_out,
                                                                 const void* memory, uint64_t memory_size,
                                                                 const char* samples, const char* levels,
                                                                 const char* counters);
/* Keys are what a radix sort sorts and equal_to compares.
 * @does building a reduction by key over host memory
 * @blocks */
CUPRUM_API cuprum_status cuprum_out_of_core_reduce_by_key_build(cuprum_out_of_core_algorithm* algorithm_out,
                                                                const void* memory, uint64_t memory_size,
                                                                const char* keys, const char* values,
                                                                cuprum_parallel_operator op, const char* accumulator);
/* NULL is accepted and ignored.
 * @does destroying an algorithm over host memory
 * @nullable algorithm
 * @blocks */
CUPRUM_API cuprum_status cuprum_out_of_core_algorithm_destroy(cuprum_out_of_core_algorithm algorithm);

/* Writes one value of the accumulator's type. `init` NULL and `init_size` 0: without an initial value; then nothing is
 * written if there are no elements.
 * @does reducing host memory
 * @nullable init elements
 * @blocks */
CUPRUM_API cuprum_status cuprum_out_of_core_reduce(cuprum_out_of_core_algorithm algorithm, const void* elements,
                                                   uint64_t elements_size, void* result, uint64_t result_size,
                                                   const void* init, uint64_t init_size);
/* Writes as many results as there are elements. They may be written over the elements where both have the same type,
 * and may not overlap them otherwise. CUPRUM_SCAN_INCLUSIVE does not use `init`, which is then NULL with `init_size` 0.
 * @does scanning host memory
 * @nullable init elements results
 * @blocks */
CUPRUM_API cuprum_status cuprum_out_of_core_scan(cuprum_out_of_core_algorithm algorithm, const void* elements,
                                                 uint64_t elements_size, void* results, uint64_t results_size,
                                                 const void* init, uint64_t init_size);
/* Sorts keys, stably. The target has room for all, and may be the keys' own memory. `keys_scratch`: host memory for
 * sorted runs, with room for all keys, best page-locked; it may be the keys' own memory, which is overwritten then.
 * NULL with a size of 0: a call that needs it allocates page-locked memory. Values go with their keys; without any the
 * last six are NULL and 0. The targets may not overlap each other.
 * @does sorting host memory
 * @nullable keys keys_target keys_scratch values values_target values_scratch
 * @blocks */
CUPRUM_API cuprum_status cuprum_out_of_core_radix_sort(cuprum_out_of_core_algorithm algorithm, const void* keys,
                                                       uint64_t keys_size, void* keys_target, uint64_t keys_target_size,
                                                       void* keys_scratch, uint64_t keys_scratch_size,
                                                       const void* values, uint64_t values_size, void* values_target,
                                                       uint64_t values_target_size, void* values_scratch,
                                                       uint64_t values_scratch_size);
/* Counts the samples in each of `bins` bins of one width, into which the numbers from `lower` up to, but not including,
 * `upper` are divided.
 * @does making a histogram of host memory
 * @nullable samples
 * @blocks */
CUPRUM_API cuprum_status cuprum_out_of_core_histogram_even(cuprum_out_of_core_algorithm algorithm, const void* samples,
                                                           uint64_t samples_size, void* histogram,
                                                           uint64_t histogram_size, uint64_t bins, const void* lower,
                                                           uint64_t lower_size, const void* upper, uint64_t upper_size);
/* Of all values of equal keys, wherever they are, one reduction. Keys need not be sorted. Writes the different keys in
 * ascending order, their reductions to the same positions, and how many there are. CUPRUM_ERROR_INVALID_ARGUMENT where
 * there is no room for all of them; the message says how many there are.
 * @does reducing host memory by key
 * @nullable keys values keys_target values_target
 * @blocks */
CUPRUM_API cuprum_status cuprum_out_of_core_reduce_by_key(uint64_t* count_out, cuprum_out_of_core_algorithm algorithm,
                                                          const void* keys, uint64_t keys_size, const void* values,
                                                          uint64_t values_size, void* keys_target,
                                                          uint64_t keys_target_size, void* values_target,
                                                          uint64_t values_target_size);

#ifdef __cplusplus
}
#endif
#endif
