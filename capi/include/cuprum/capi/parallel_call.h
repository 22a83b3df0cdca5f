/* Calling the algorithms, once they are built (cuprum/capi/parallel_build.h).
 */
#ifndef CUPRUM_CAPI_PARALLEL_CALL_H
#define CUPRUM_CAPI_PARALLEL_CALL_H

#include "cuprum/capi/parallel.h"

#ifdef __cplusplus
extern "C" {
#endif

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
