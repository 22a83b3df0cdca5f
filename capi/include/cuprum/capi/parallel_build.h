/* Building the algorithms, for an execution, the kinds of their inputs, types and operators (cuprum/capi/parallel.h);
 * and what has been built: saving, loading and destroying it.
 */
#ifndef CUPRUM_CAPI_PARALLEL_BUILD_H
#define CUPRUM_CAPI_PARALLEL_BUILD_H

#include "cuprum/capi/parallel.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
