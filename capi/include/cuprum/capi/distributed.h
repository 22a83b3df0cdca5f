/* Algorithms over data that is spread over several devices of this process.
 *
 * A communicator is a list of devices, each a rank with a stream of its own. Data that is spread over the ranks is one
 * shard for each, in their order. An algorithm is built once for a communicator, types and an operator (parallel.h) and
 * called many times, from several threads too. A call returns when all ranks are done. What it reads must be written in
 * the order of the ranks' streams (cuprum_communicator_stream): put the work there, or let that stream wait for it.
 *
 * Shards that do not fit (of another type, in memory of another device than their rank's, too small, misaligned, of
 * other counts than what belongs to them, too few of them) are CUPRUM_ERROR_INVALID_ARGUMENT before anything is done. A
 * later error names the rank and its device; the outputs are then undefined, and all ranks were waited for.
 */
#ifndef CUPRUM_CAPI_DISTRIBUTED_H
#define CUPRUM_CAPI_DISTRIBUTED_H

#include "cuprum/capi/base.h"
#include "cuprum/capi/parallel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cuprum_communicator_s* cuprum_communicator;
typedef struct cuprum_distributed_algorithm_s* cuprum_distributed_algorithm;
typedef struct cuprum_reduced_shards_s* cuprum_reduced_shards;

/* The elements of one rank, from the beginning of memory of its device. Lists of shards have one for each rank, whose
 * counts may differ. The memory is in use until the call has returned, also where its buffer is destroyed meanwhile.
 * @nullable memory */
typedef struct cuprum_shard {
    const char* type;     /* "int32" and the like, also of a shard without elements */
    cuprum_buffer memory; /* NULL for none */
    uint64_t count;       /* elements */
} cuprum_shard;

/* Rank r is the device devices[r]: an array of int32_t, whose size is in bytes. None is CUPRUM_ERROR_INVALID_ARGUMENT,
 * and so is a device that is named twice. Bytes go from device to device by the driver's copies, directly where it
 * offers peer access (which is enabled here, and stays), else through host memory. The caller owns the communicator;
 * algorithms that were built for it keep what they need.
 * @does making a communicator
 * @blocks */
CUPRUM_API cuprum_status cuprum_communicator_create(cuprum_communicator* communicator_out, const void* devices,
                                                    uint64_t devices_size);
/* Algorithms built for it go on, and so do the streams that it has given. NULL is accepted and ignored, here and below.
 * @does destroying a communicator
 * @nullable communicator
 * @blocks */
CUPRUM_API cuprum_status cuprum_communicator_destroy(cuprum_communicator communicator);
/* How many ranks there are.
 * @does asking for the size of a communicator
 * @property */
CUPRUM_API cuprum_status cuprum_communicator_size(uint32_t* size_out, cuprum_communicator communicator);
/* The device of a rank. CUPRUM_ERROR_INVALID_ARGUMENT when there is no such rank.
 * @does asking for the device of a rank
 * @method
 * @param rank from 0 on */
CUPRUM_API cuprum_status cuprum_communicator_device(int32_t* device_out, cuprum_communicator communicator,
                                                    uint32_t rank);
/* The stream of a rank: the handle is the caller's to destroy, and keeps the stream until then.
 * @does asking for the stream of a rank */
CUPRUM_API cuprum_status cuprum_communicator_stream(cuprum_stream* stream_out, cuprum_communicator communicator,
                                                    uint32_t rank);
/* Waits for the work in the streams of all ranks. CUPRUM_ERROR_DEVICE_FAULT when a kernel in one failed.
 * @does waiting for the ranks
 * @method
 * @blocks */
CUPRUM_API cuprum_status cuprum_communicator_sync(cuprum_communicator communicator);

/* A reduction, built for each device as cuprum_parallel_reduce_build does, with its errors. The caller owns the
 * algorithm, here and below.
 * @does building a reduction over devices
 * @blocks */
CUPRUM_API cuprum_status cuprum_distributed_reduce_build(cuprum_distributed_algorithm* algorithm_out,
                                                         cuprum_communicator communicator, const char* input,
                                                         cuprum_parallel_operator op, const char* accumulator);
/* `kind`: CUPRUM_SCAN_*.
 * @does building a scan over devices
 * @blocks */
CUPRUM_API cuprum_status cuprum_distributed_scan_build(cuprum_distributed_algorithm* algorithm_out,
                                                       cuprum_communicator communicator, int32_t kind,
                                                       const char* input, cuprum_parallel_operator op,
                                                       const char* accumulator);
/* `order`: CUPRUM_SORT_*. `values` NULL: keys alone. Keys of more than 512 bytes are CUPRUM_ERROR_UNSUPPORTED.
 * @does building a radix sort over devices
 * @nullable values
 * @blocks */
CUPRUM_API cuprum_status cuprum_distributed_radix_sort_build(cuprum_distributed_algorithm* algorithm_out,
                                                             cuprum_communicator communicator, int32_t order,
                                                             const char* keys, const char* values);
/* `levels`: the type of the bounds, a number. `counters`: "int32", "uint32", "int64" or "uint64".
 * @does building a histogram over devices
 * @blocks */
CUPRUM_API cuprum_status cuprum_distributed_histogram_even_build(cuprum_distributed_algorithm* algorithm_out,
                                                                 cuprum_communicator communicator, const char* samples,
                                                                 const char* levels, const char* counters);
/* Keys are what a radix sort sorts and equal_to compares.
 * @does building a reduction by key over devices
 * @blocks */
CUPRUM_API cuprum_status cuprum_distributed_reduce_by_key_build(cuprum_distributed_algorithm* algorithm_out,
                                                                cuprum_communicator communicator, const char* keys,
                                                                const char* values, cuprum_parallel_operator op,
                                                                const char* accumulator);
/* @does destroying an algorithm over devices
 * @nullable algorithm
 * @blocks */
CUPRUM_API cuprum_status cuprum_distributed_algorithm_destroy(cuprum_distributed_algorithm algorithm);

/* Reduces the elements of all ranks. Every rank gets the result, the same bits everywhere: one value of the
 * accumulator's type at the beginning of each output. `init` NULL and `init_size` 0: without an initial value; then
 * nothing is written if there are no elements.
 * @does reducing over devices
 * @nullable init
 * @blocks */
CUPRUM_API cuprum_status cuprum_distributed_reduce(cuprum_distributed_algorithm algorithm, const cuprum_shard* inputs,
                                                   uint32_t input_count, const cuprum_shard* outputs,
                                                   uint32_t output_count, const void* init, uint64_t init_size);
/* Scans the elements of all ranks, in the order of the ranks: as many values to each output as its rank's input has
 * elements. An output may be its input's own memory where both have the same type, and may not overlap it otherwise.
 * CUPRUM_SCAN_INCLUSIVE does not use `init`, which is then NULL with `init_size` 0.
 * @does scanning over devices
 * @nullable init
 * @blocks */
CUPRUM_API cuprum_status cuprum_distributed_scan(cuprum_distributed_algorithm algorithm, const cuprum_shard* inputs,
                                                 uint32_t input_count, const cuprum_shard* outputs,
                                                 uint32_t output_count, const void* init, uint64_t init_size);
/* Sorts the keys of all ranks: afterwards the first rank has the first keys, and so on. Stable, where keys of an
 * earlier rank come before equal ones of a later rank. The targets have as many elements together as the inputs, spread
 * in any way, and may be the inputs' own memory or overlap it. Values go with their keys, and are spread alike; the
 * targets of a rank may not overlap each other. Without values `values` and `values_target` are NULL with counts of 0.
 * A rank needs temporary memory for its keys (and values) twice or, if that is more, for those that it has before and
 * those that it gets.
 * @does sorting over devices
 * @nullable values values_target
 * @blocks */
CUPRUM_API cuprum_status cuprum_distributed_radix_sort(cuprum_distributed_algorithm algorithm, const cuprum_shard* keys,
                                                       uint32_t key_count, const cuprum_shard* keys_target,
                                                       uint32_t key_target_count, const cuprum_shard* values,
                                                       uint32_t value_count, const cuprum_shard* values_target,
                                                       uint32_t value_target_count);
/* Counts the samples of all ranks in each of `bins` bins of one width, into which the numbers from `lower` up to, but
 * not including, `upper` are divided. Every rank gets all counts.
 * @does making a histogram over devices
 * @blocks */
CUPRUM_API cuprum_status cuprum_distributed_histogram_even(cuprum_distributed_algorithm algorithm,
                                                           const cuprum_shard* samples, uint32_t sample_count,
                                                           const cuprum_shard* histograms, uint32_t histogram_count,
                                                           uint64_t bins, const void* lower, uint64_t lower_size,
                                                           const void* upper, uint64_t upper_size);
/* Of all values of equal keys, wherever they are, one reduction. Keys need not be sorted. Keys and values are spread
 * alike. The caller destroys `reduced_out`, after taking what it has.
 * @does reducing by key over devices
 * @blocks */
CUPRUM_API cuprum_status cuprum_distributed_reduce_by_key(cuprum_reduced_shards* reduced_out,
                                                          cuprum_distributed_algorithm algorithm,
                                                          const cuprum_shard* keys, uint32_t key_count,
                                                          const cuprum_shard* values, uint32_t value_count);

/* The result of a reduction by key: for each rank different keys and, at the same positions, the reductions of their
 * values, in memory of its device. They are in ascending order of the keys over the ranks, and each key is in one of
 * them. */

/* How many keys a rank has got.
 * @does asking for the number of reduced keys */
CUPRUM_API cuprum_status cuprum_reduced_shards_count(uint64_t* count_out, cuprum_reduced_shards reduced, uint32_t rank);
/* The keys of a rank, which are the caller's from then on: once, a second time is CUPRUM_ERROR_INVALID_ARGUMENT.
 * @does taking reduced keys */
CUPRUM_API cuprum_status cuprum_reduced_shards_take_keys(cuprum_buffer* keys_out, cuprum_reduced_shards reduced,
                                                         uint32_t rank);
/* The same of their values.
 * @does taking reduced values */
CUPRUM_API cuprum_status cuprum_reduced_shards_take_values(cuprum_buffer* values_out, cuprum_reduced_shards reduced,
                                                           uint32_t rank);
/* Frees what was not taken.
 * @does destroying reduced shards
 * @nullable reduced
 * @blocks */
CUPRUM_API cuprum_status cuprum_reduced_shards_destroy(cuprum_reduced_shards reduced);

#ifdef __cplusplus
}
#endif
#endif
