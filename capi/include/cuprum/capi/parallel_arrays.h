/* The algorithms over arrays in host memory, in one call, which copies in, runs on the device, copies back, and returns
 * when it is done; on the host's cores it runs where the memory is. For elements that are on the device already, and
 * for many calls, build an algorithm (cuprum/capi/parallel_algorithms.h). What types and operators are says parallel.h.
 *
 * `execution` says where it runs, NULL on device 0; CUPRUM_EXECUTION_AHEAD_OF_TIME is CUPRUM_ERROR_INVALID_ARGUMENT.
 * Sizes are in bytes and multiples of the type's; counts that disagree are CUPRUM_ERROR_INVALID_ARGUMENT, and so are
 * arrays of which one that is written overlaps another, but for what is in place, or may be the same memory. The
 * operator `equal` may be NULL: equal_to.
 */
#ifndef CUPRUM_CAPI_PARALLEL_ARRAYS_H
#define CUPRUM_CAPI_PARALLEL_ARRAYS_H

#include "cuprum/capi/parallel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* @does reducing
 * @nullable execution data
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_reduce_array(void* result, uint64_t result_size,
                                                      const cuprum_execution* execution, const char* type,
                                                      const void* data, uint64_t data_size, const char* accumulator,
                                                      const void* init, uint64_t init_size,
                                                      cuprum_parallel_operator op);
/* @does scanning
 * @nullable execution result data init
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_scan_array(void* result, uint64_t result_size,
                                                    const cuprum_execution* execution, int32_t kind, const char* type,
                                                    const void* data, uint64_t data_size, const char* accumulator,
                                                    const void* init, uint64_t init_size, cuprum_parallel_operator op);
/* `second_type` NULL: an operator of one operand.
 * @does transforming
 * @nullable execution result data second_type second
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_transform_array(void* result, uint64_t result_size,
                                                         const cuprum_execution* execution, const char* result_type,
                                                         const char* type, const void* data, uint64_t data_size,
                                                         const char* second_type, const void* second,
                                                         uint64_t second_size, cuprum_parallel_operator op);
/* An array in host memory, of which functions take a list.
 * @nullable data */
typedef struct cuprum_host_input {
    const char* type;
    const void* data; /* NULL for no elements */
    uint64_t size;    /* bytes */
} cuprum_host_input;

/* The same of 1 to 8 inputs, which an operator's text sees as `a` to `h`.
 * @does transforming
 * @nullable execution result
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_transform_array_nary(void* result, uint64_t result_size,
                                                              const cuprum_execution* execution,
                                                              const char* result_type, const cuprum_host_input* inputs,
                                                              uint32_t input_count, cuprum_parallel_operator op);
/* In place. `compare` NULL: by the keys' bits, in `order`. `values_type` NULL: keys alone.
 * @does sorting
 * @nullable execution keys values_type values compare
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_sort_array(const cuprum_execution* execution, const char* keys_type,
                                                    void* keys, uint64_t keys_size, const char* values_type,
                                                    void* values, uint64_t values_size, int32_t order,
                                                    cuprum_parallel_operator compare);
/* The same to other memory: the sizes are those of the keys and values, and each is that memory or does not overlap it.
 * @does sorting
 * @nullable execution keys_target values_target keys values_type values compare
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_sort_array_to(void* keys_target, uint64_t keys_target_size,
                                                       void* values_target, uint64_t values_target_size,
                                                       const cuprum_execution* execution, const char* keys_type,
                                                       const void* keys, uint64_t keys_size, const char* values_type,
                                                       const void* values, uint64_t values_size, int32_t order,
                                                       cuprum_parallel_operator compare);
/* Writes the elements of which `condition` is true to the start of `result`, in their order, and how many they are to
 * `selected_out`. `result` has as many bytes as `data`, and may be the same memory.
 * @does selecting
 * @nullable execution result data
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_select_array(uint64_t* selected_out, void* result, uint64_t result_size,
                                                      const cuprum_execution* execution, const char* type,
                                                      const void* data, uint64_t data_size,
                                                      cuprum_parallel_operator condition);
/* The same by flags, as many as there are elements: bool or numbers, of which 0 is false.
 * @does selecting flagged elements
 * @nullable execution result data flags
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_select_flagged_array(uint64_t* selected_out, void* result,
                                                              uint64_t result_size, const cuprum_execution* execution,
                                                              const char* type, const void* data, uint64_t data_size,
                                                              const char* flags_type, const void* flags,
                                                              uint64_t flags_size);
/* Writes the first of each run of elements that are equal by `op` to the start of `result`, in their order, and how
 * many they are to `selected_out`. `result` has as many bytes as `data`, and may be the same memory.
 * @does keeping the first of equal elements
 * @nullable execution result data
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_unique_array(uint64_t* selected_out, void* result, uint64_t result_size,
                                                      const cuprum_execution* execution, const char* type,
                                                      const void* data, uint64_t data_size,
                                                      cuprum_parallel_operator op);
/* Writes the position of the first element of which `condition` is true; -1 if there is none.
 * @does looking for an element
 * @nullable execution data
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_find_if_array(int64_t* index_out, const cuprum_execution* execution,
                                                       const char* type, const void* data, uint64_t data_size,
                                                       cuprum_parallel_operator condition);
/* In place: moves the first key of each run of equal ones, and its value, to the start, in their order, and writes how
 * many they are to `selected_out`. What follows them is left as it was.
 * @does selecting unique keys
 * @nullable execution keys values
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_unique_by_key_array(uint64_t* selected_out, const cuprum_execution* execution,
                                                             const char* keys_type, void* keys, uint64_t keys_size,
                                                             const char* values_type, void* values,
                                                             uint64_t values_size, cuprum_parallel_operator op);
/* In place: moves the first key of each run of equal ones to the start, and to that place its values, combined by `op`
 * in their own type, and writes how many runs there are to `selected_out`. What follows them is left as it was. `equal`
 * NULL: equal_to.
 * @does reducing by key
 * @nullable execution keys values equal
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_reduce_by_key_array(uint64_t* selected_out, const cuprum_execution* execution,
                                                             const char* keys_type, void* keys, uint64_t keys_size,
                                                             const char* values_type, void* values,
                                                             uint64_t values_size, cuprum_parallel_operator op,
                                                             cuprum_parallel_operator equal);
/* In place: moves the first of each run of equal elements to the start of `keys`, writes how many they are to that
 * place of `lengths`, integers of 32 or 64 bits, and how many runs there are to `selected_out`. What follows them is
 * left as it was.
 * @does encoding run lengths
 * @nullable execution keys lengths
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_run_length_encode_array(uint64_t* selected_out,
                                                                 const cuprum_execution* execution,
                                                                 const char* keys_type, void* keys, uint64_t keys_size,
                                                                 const char* lengths_type, void* lengths,
                                                                 uint64_t lengths_size, cuprum_parallel_operator op);
/* Writes where each run of two and more elements that are equal by `op` begins, and how many they are, both of
 * `positions_type`, integers of 32 or 64 bits, and how many such runs there are to `selected_out`. Both outputs have as
 * many elements as `data`; what follows those of the last run is left as it was.
 * @does finding runs
 * @nullable execution offsets_target lengths_target data
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_non_trivial_runs_array(
    uint64_t* selected_out, void* offsets_target, uint64_t offsets_target_size, void* lengths_target,
    uint64_t lengths_target_size, const cuprum_execution* execution, const char* positions_type, const char* type,
    const void* data, uint64_t data_size, cuprum_parallel_operator op);
/* In place: moves the elements of which `condition` is true to the start, in their order, and the others behind them,
 * in reverse order, and writes how many are in the first part to `selected_out`.
 * @does partitioning
 * @nullable execution keys
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_partition_array(uint64_t* selected_out, const cuprum_execution* execution,
                                                         const char* keys_type, void* keys, uint64_t keys_size,
                                                         cuprum_parallel_operator condition);
/* The same by flags, as many as there are elements: bool or numbers, of which 0 is false.
 * @does partitioning by flags
 * @nullable execution keys flags
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_partition_flagged_array(uint64_t* selected_out,
                                                                 const cuprum_execution* execution,
                                                                 const char* keys_type, void* keys, uint64_t keys_size,
                                                                 const char* flags_type, const void* flags,
                                                                 uint64_t flags_size);
/* In place: moves the elements of which `first_condition` is true to the start, behind them those of the others of
 * which `second_condition` is true, and then the rest, each part in the elements' order; and writes how many are in the
 * first part, and how many in the second.
 * @does partitioning in three
 * @nullable execution keys
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_three_way_partition_array(
    uint64_t* first_count_out, uint64_t* second_count_out, const cuprum_execution* execution, const char* keys_type,
    void* keys, uint64_t keys_size, cuprum_parallel_operator first_condition,
    cuprum_parallel_operator second_condition);
/* Whether `op` is true of every pair of elements at the same positions, which are of one type; false where there are
 * not as many in both.
 * @does comparing
 * @truth equal_out
 * @nullable execution data second
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_equal_array(int32_t* equal_out, const cuprum_execution* execution,
                                                     const char* type, const void* data, uint64_t data_size,
                                                     const char* second_type, const void* second, uint64_t second_size,
                                                     cuprum_parallel_operator op);
/* The position of the first extreme element; -1 if there are no elements.
 * @does finding the extreme element
 * @nullable execution data
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_arg_reduce_array(int64_t* index_out, const cuprum_execution* execution,
                                                          int32_t kind, const char* type, const void* data,
                                                          uint64_t data_size);
/* Counts the samples in each of as many bins of one width as `histogram` has elements, of `histogram_type`: integers
 * of 32 or 64 bits. The bins divide the numbers from `lower` up to, but not including, `upper`, both of the type
 * `levels`; what lies outside is not counted, nor are NaNs.
 * @does making a histogram
 * @nullable execution histogram samples
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_histogram_even_array(
    void* histogram, uint64_t histogram_size, const cuprum_execution* execution, const char* histogram_type,
    const char* samples_type, const void* samples, uint64_t samples_size, const char* levels, const void* lower,
    uint64_t lower_size, const void* upper, uint64_t upper_size);
/* Counts the samples in each of as many bins as `histogram` has elements, of `histogram_type`: integers of 32 or 64
 * bits. Bin i has the numbers from level i up to, but not including, level i + 1: there is one level more, in
 * ascending order, which is not checked.
 * @does making a histogram of ranges
 * @nullable execution histogram samples
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_histogram_range_array(void* histogram, uint64_t histogram_size,
                                                               const cuprum_execution* execution,
                                                               const char* histogram_type, const char* samples_type,
                                                               const void* samples, uint64_t samples_size,
                                                               const char* levels_type, const void* levels,
                                                               uint64_t levels_size);
/* The same for pixels, of which each is `channels` samples one after another, 1 to 4: of as many of the first ones as
 * `bins`, uint64, says numbers of bins. `lower` and `upper`, of one type, have a bound for each of these channels, and
 * `histogram` gets the counts of the first channel's bins, and behind them those of the others.
 * @does making a histogram of several channels
 * @nullable execution histogram samples
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_multi_histogram_even_array(
    void* histogram, uint64_t histogram_size, const cuprum_execution* execution, const char* histogram_type,
    const char* samples_type, const void* samples, uint64_t samples_size, int32_t channels, const void* bins,
    uint64_t bins_size, const char* lower_type, const void* lower, uint64_t lower_size, const char* upper_type,
    const void* upper, uint64_t upper_size);
/* The same for ranges: `levels` has those of the first channel, one more than it has bins, in ascending order, which is
 * not checked, and behind them those of the others.
 * @does making a histogram of ranges of several channels
 * @nullable execution histogram samples
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_multi_histogram_range_array(
    void* histogram, uint64_t histogram_size, const cuprum_execution* execution, const char* histogram_type,
    const char* samples_type, const void* samples, uint64_t samples_size, int32_t channels, const void* bins,
    uint64_t bins_size, const char* levels_type, const void* levels, uint64_t levels_size);
/* Writes as many keys as `keys_target` has elements, at most as many as there are: the smallest
 * (CUPRUM_SORT_ASCENDING) or the largest ones, in no particular order; of keys that equal the last one, any.
 * @does selecting the top keys
 * @nullable execution keys_target keys
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_topk_keys_array(void* keys_target, uint64_t keys_target_size,
                                                         const cuprum_execution* execution, int32_t order,
                                                         const char* keys_type, const void* keys, uint64_t keys_size);
/* The same with the values of the keys.
 * @does selecting the top pairs
 * @nullable execution keys_target values_target keys values
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_topk_pairs_array(void* keys_target, uint64_t keys_target_size,
                                                          void* values_target, uint64_t values_target_size,
                                                          const cuprum_execution* execution, int32_t order,
                                                          const char* keys_type, const void* keys, uint64_t keys_size,
                                                          const char* values_type, const void* values,
                                                          uint64_t values_size);
/* Writes the smallest and the largest element; both are NaN if there is one. `result` has two elements.
 * CUPRUM_ERROR_INVALID_ARGUMENT where there are no elements.
 * @does finding the extreme elements
 * @nullable execution result data
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_min_max_array(void* result, uint64_t result_size,
                                                       const cuprum_execution* execution, const char* type,
                                                       const void* data, uint64_t data_size);
/* Writes for each value what the values of its run of equal keys up to and including it are, combined in the type
 * `accumulator`, which is that of the results. `result` may be the values' own memory.
 * @does scanning by key
 * @nullable execution result keys values equal
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_inclusive_scan_by_key_array(
    void* result, uint64_t result_size, const cuprum_execution* execution, const char* keys_type, const void* keys,
    uint64_t keys_size, const char* values_type, const void* values, uint64_t values_size, const char* accumulator,
    cuprum_parallel_operator op, cuprum_parallel_operator equal);
/* Writes for each value what the initial value and the values of its run of equal keys before it are, combined in the
 * type `accumulator`, which is that of the results. `result` may be the values' own memory.
 * @does scanning by key
 * @nullable execution result keys values equal
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_exclusive_scan_by_key_array(
    void* result, uint64_t result_size, const cuprum_execution* execution, const char* keys_type, const void* keys,
    uint64_t keys_size, const char* values_type, const void* values, uint64_t values_size, const char* accumulator,
    const void* init, uint64_t init_size, cuprum_parallel_operator op, cuprum_parallel_operator equal);
/* Writes two sequences of keys of one type, sorted by `compare`, as one, to as many elements; whether they are sorted
 * is not checked. Of equal keys those of the first sequence come first.
 * @does merging
 * @nullable execution keys_target first_keys second_keys
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_merge_keys_array(void* keys_target, uint64_t keys_target_size,
                                                          const cuprum_execution* execution,
                                                          const char* first_keys_type, const void* first_keys,
                                                          uint64_t first_keys_size, const char* second_keys_type,
                                                          const void* second_keys, uint64_t second_keys_size,
                                                          cuprum_parallel_operator compare);
/* The same with the values of the keys.
 * @does merging pairs
 * @nullable execution keys_target values_target first_keys first_values second_keys second_values
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_merge_pairs_array(
    void* keys_target, uint64_t keys_target_size, void* values_target, uint64_t values_target_size,
    const cuprum_execution* execution, const char* first_keys_type, const void* first_keys, uint64_t first_keys_size,
    const char* first_values_type, const void* first_values, uint64_t first_values_size, const char* second_keys_type,
    const void* second_keys, uint64_t second_keys_size, const char* second_values_type, const void* second_values,
    uint64_t second_values_size, cuprum_parallel_operator compare);
/* Writes op(element, neighbour) for each element; the first element, or the last, has none and is written itself.
 * @does taking differences of neighbours
 * @nullable execution result data
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_adjacent_difference_array(void* result, uint64_t result_size,
                                                                   const cuprum_execution* execution, int32_t neighbour,
                                                                   const char* result_type, const char* type,
                                                                   const void* data, uint64_t data_size,
                                                                   cuprum_parallel_operator op);
/* Writes for each value the first (CUPRUM_BOUND_LOWER) or the last position at which it can be inserted into `data`
 * so that this stays sorted by `compare`; whether it is sorted is not checked. `result_type`: integers of 32 or 64
 * bits.
 * @does searching sorted elements
 * @nullable execution result data values
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_binary_search_array(void* result, uint64_t result_size,
                                                             const cuprum_execution* execution, int32_t bound,
                                                             const char* result_type, const char* type,
                                                             const void* data, uint64_t data_size,
                                                             const char* values_type, const void* values,
                                                             uint64_t values_size, cuprum_parallel_operator compare);
/* Writes the reduction of each segment in the type `accumulator`. Segment i has the elements from begin i up to, but
 * not including, end i, which are int32 or int64: CUPRUM_ERROR_INVALID_ARGUMENT for a segment that is not within the
 * elements.
 * @does reducing segments
 * @nullable execution result data begins ends
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_segmented_reduce_array(
    void* result, uint64_t result_size, const cuprum_execution* execution, const char* type, const void* data,
    uint64_t data_size, const char* begins_type, const void* begins, uint64_t begins_size, const char* ends_type,
    const void* ends, uint64_t ends_size, const char* accumulator, const void* init, uint64_t init_size,
    cuprum_parallel_operator op);
/* Writes the prefix sums of each segment in the type `accumulator`: result i is that of element i, and what is in no
 * segment is left as it was. Segments as above; they may not overlap. `result` may be the elements' own memory.
 * `init_size` 0 with CUPRUM_SCAN_INCLUSIVE.
 * @does scanning segments
 * @nullable execution result data begins ends init
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_segmented_scan_array(
    void* result, uint64_t result_size, const cuprum_execution* execution, int32_t kind, const char* type,
    const void* data, uint64_t data_size, const char* begins_type, const void* begins, uint64_t begins_size,
    const char* ends_type, const void* ends, uint64_t ends_size, const char* accumulator, const void* init,
    uint64_t init_size, cuprum_parallel_operator op);
/* In place: sorts the keys of each segment by their bits, and their values with them. Segments as above; they may not
 * overlap. `values_type` NULL: keys alone.
 * @does sorting segments
 * @nullable execution keys values_type values begins ends
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_segmented_sort_array(
    const cuprum_execution* execution, int32_t order, const char* keys_type, void* keys, uint64_t keys_size,
    const char* values_type, void* values, uint64_t values_size, const char* begins_type, const void* begins,
    uint64_t begins_size, const char* ends_type, const void* ends, uint64_t ends_size);

#ifdef __cplusplus
}
#endif
#endif
