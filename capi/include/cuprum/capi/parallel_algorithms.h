/* The algorithms: building them for an execution, the kinds of their inputs, types and operators
 * (cuprum/capi/parallel.h), saving and destroying what was built, and calling it.
 */
#ifndef CUPRUM_CAPI_PARALLEL_ALGORITHMS_H
#define CUPRUM_CAPI_PARALLEL_ALGORITHMS_H

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
