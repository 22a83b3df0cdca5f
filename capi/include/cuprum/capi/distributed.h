/* Algorithms over data that is spread over several devices, of this process or of several.
 *
 * A communicator is a list of devices, each a rank with a stream of its own. Data that is spread over the ranks is one
 * shard for each, in their order. An algorithm is built once for a communicator, types and an operator (parallel.h) and
 * called many times, from several threads too. A call returns when all ranks are done. What it reads must be written in
 * the order of the ranks' streams (cuprum_communicator_stream): put the work there, or let that stream wait for it.
 *
 * Shards that do not fit (of another type, in memory of another device than their rank's, too small, misaligned, of
 * other counts than what belongs to them, too few of them) are CUPRUM_ERROR_INVALID_ARGUMENT before anything is done. A
 * later error names the rank and its device; the outputs are then undefined, and all ranks were waited for.
 *
 * All ranks are devices of this process, or each process has one of them. There, all processes make the same calls, in
 * one order, each with a list of one shard: that of its own rank. A call whose types, operator or other values are not
 * the same on all ranks is CUPRUM_ERROR_INVALID_ARGUMENT in all processes, and one that a rank refuses
 * CUPRUM_ERROR_INVALID_STATE in the others. A rank that fails later, or dies, ends the call of the others with
 * CUPRUM_ERROR_DRIVER of the domain CUPRUM_DOMAIN_NCCL, at the latest after the timeout; their memory is freed, and the
 * communicator can only be destroyed then.
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

/* The elements of one rank, from the beginning of memory of its device. Lists of shards have one for each rank of this
 * process, whose counts may differ. The memory is in use until the call has returned, also where its buffer is
 * destroyed meanwhile.
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
/* The same over NCCL, which is opened when it is first asked for. A rank whose part in something does not come for
 * `timeout_ms` milliseconds is taken for dead, and the communicator is given up: it is to be longer than any rank works
 * on its own. CUPRUM_ERROR_LIBRARY_NOT_FOUND where there is no NCCL, CUPRUM_ERROR_UNSUPPORTED for one that is older
 * than 2.14, CUPRUM_ERROR_DRIVER where it fails.
 * @does making a communicator over NCCL
 * @blocks */
CUPRUM_API cuprum_status cuprum_communicator_create_nccl(cuprum_communicator* communicator_out, const void* devices,
                                                         uint64_t devices_size, uint32_t timeout_ms);

/* Is called once in every process, on the thread that makes the communicator; afterwards all have the `size` bytes that
 * rank 0 had. With MPI: MPI_Bcast(bytes, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD). Another status than CUPRUM_SUCCESS is
 * what cuprum_communicator_create_process returns, with the texts of the thread's last error if that has the same
 * status. */
typedef cuprum_status (*cuprum_broadcast)(void* user_data, void* bytes, uint64_t size);

/* The rank of this process, one of `count`, whose device that is, over NCCL. `broadcast` is called with `user_data` and
 * 128 bytes, and not kept; cuprum_process_broadcast can do its work. Returns when all processes have made theirs, or
 * with the errors of cuprum_communicator_create_nccl, also where some have not after the timeout.
 * CUPRUM_ERROR_INVALID_ARGUMENT for a rank that is not below `count`, and without a `broadcast`.
 * @does making a communicator of several processes
 * @nullable broadcast user_data
 * @blocks */
CUPRUM_API cuprum_status cuprum_communicator_create_process(cuprum_communicator* communicator_out, int32_t device,
                                                            uint32_t rank, uint32_t count, cuprum_broadcast broadcast,
                                                            void* user_data, uint32_t timeout_ms);
/* Which of several processes this is, as the program says that started it: torchrun (RANK, WORLD_SIZE, LOCAL_RANK),
 * Open MPI (OMPI_COMM_WORLD_...), MPICH, Intel MPI and others that use PMI (PMI_RANK, PMI_SIZE, MPI_LOCALRANKID), Slurm
 * (SLURM_PROCID, SLURM_NTASKS, SLURM_LOCALID). The local rank is among the processes of this host: the ordinal of its
 * device, where each takes one. `has_broadcast_out`: whether cuprum_process_broadcast knows where to meet; MPI's
 * launchers do not say. CUPRUM_ERROR_INVALID_STATE where nothing of this is set, CUPRUM_ERROR_INVALID_ARGUMENT for
 * other than numbers.
 * @does reading the environment of a process
 * @truth has_broadcast_out */
CUPRUM_API cuprum_status cuprum_process_from_environment(uint32_t* rank_out, uint32_t* count_out,
                                                         uint32_t* local_rank_out, int32_t* has_broadcast_out);
/* Gives the bytes of rank 0 to all processes that cuprum_process_from_environment counts, by TCP: rank 0 listens at
 * MASTER_ADDR, at the port CUPRUM_MASTER_PORT, else the one after MASTER_PORT, which torchrun uses itself.
 * CUPRUM_ERROR_INVALID_STATE where these are not set, and when not all have come in `timeout_ms` milliseconds.
 * @does sending bytes from rank 0 to all processes
 * @blocks */
CUPRUM_API cuprum_status cuprum_process_broadcast(void* bytes, uint64_t size, uint32_t timeout_ms);

/* Algorithms built for it go on, and so do the streams that it has given. NULL is accepted and ignored, here and below.
 * @does destroying a communicator
 * @nullable communicator
 * @blocks */
CUPRUM_API cuprum_status cuprum_communicator_destroy(cuprum_communicator communicator);
/* How many ranks there are, of all processes.
 * @does asking for the size of a communicator
 * @property */
CUPRUM_API cuprum_status cuprum_communicator_size(uint32_t* size_out, cuprum_communicator communicator);
/* The first rank of this process. Those after it, as many as its local size, are of this process too.
 * @does asking for the first rank of a process
 * @property */
CUPRUM_API cuprum_status cuprum_communicator_first_local_rank(uint32_t* rank_out, cuprum_communicator communicator);
/* How many ranks this process has: as many shards are in a list.
 * @does asking for the ranks of a process
 * @property */
CUPRUM_API cuprum_status cuprum_communicator_local_size(uint32_t* size_out, cuprum_communicator communicator);
/* Whether a rank is one of this process.
 * @does asking whether a rank is of this process
 * @truth is_local_out
 * @method
 * @param rank from 0 on */
CUPRUM_API cuprum_status cuprum_communicator_is_local(int32_t* is_local_out, cuprum_communicator communicator,
                                                      uint32_t rank);
/* Whether kernels on each rank's device can read what the others allocate in a stream now. Then all are peers, and
 * their memory comes from the pools of the time when the communicator was made; algorithms read what lies on
 * other devices there, unless copying it first is faster.
 * @does asking whether ranks can read each other's memory
 * @truth can_read_out
 * @property */
CUPRUM_API cuprum_status cuprum_communicator_can_read_peers(int32_t* can_read_out, cuprum_communicator communicator);
/* The device of a rank of this process. CUPRUM_ERROR_INVALID_ARGUMENT when there is no such rank, or it is one of
 * another process.
 * @does asking for the device of a rank
 * @method
 * @param rank from 0 on */
CUPRUM_API cuprum_status cuprum_communicator_device(int32_t* device_out, cuprum_communicator communicator,
                                                    uint32_t rank);
/* The stream of a rank of this process: the handle is the caller's to destroy, and keeps the stream until then.
 * @does asking for the stream of a rank */
CUPRUM_API cuprum_status cuprum_communicator_stream(cuprum_stream* stream_out, cuprum_communicator communicator,
                                                    uint32_t rank);
/* Waits for the work in the streams of all ranks of this process. CUPRUM_ERROR_DEVICE_FAULT when a kernel in one
 * failed.
 * @does waiting for the ranks
 * @method
 * @blocks */
CUPRUM_API cuprum_status cuprum_communicator_sync(cuprum_communicator communicator);
/* Gives up what goes on over NCCL: it ends here, and with an error in the other processes. Every later call is an
 * error. Nothing happens where the driver copies.
 * @does giving a communicator up
 * @method
 * @blocks */
CUPRUM_API cuprum_status cuprum_communicator_abort(cuprum_communicator communicator);

/* What one rank sends to another, or keeps: bytes of memory of the one's device, to memory of the other's. The side of
 * a rank of another process is not used.
 * @nullable source destination */
typedef struct cuprum_message {
    uint64_t from; /* rank */
    uint64_t to;   /* rank */
    cuprum_buffer source;
    uint64_t source_offset; /* bytes */
    cuprum_buffer destination;
    uint64_t destination_offset; /* bytes */
    uint64_t size;               /* bytes */
} cuprum_message;

/* Sends all messages at once: an all-to-all with counts, of which gathering and broadcasting are cases. In the order of
 * the ranks' streams: each source is read after the work so far in its rank's stream, each destination is written in
 * its rank's, and later work in the stream of either finds its messages copied. Returns before that: the memory must
 * stay until then, as for any copy in a stream. Messages between ranks of other processes are left out, so that all
 * processes may give the same list; those of two ranks are in one order in the lists of both.
 * CUPRUM_ERROR_INVALID_ARGUMENT for ranks that there are not, memory of another device than its rank's, and what does
 * not fit into its buffer. After another error some of the messages may be under way: cuprum_communicator_sync.
 * @does exchanging messages
 * @blocks */
CUPRUM_API cuprum_status cuprum_communicator_exchange(cuprum_communicator communicator, const cuprum_message* messages,
                                                      uint32_t message_count);

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

/* The result of a reduction by key: for each rank of this process different keys and, at the same positions, the
 * reductions of their values, in memory of its device. They are in ascending order of the keys over the ranks, and each
 * key is in one of them. `rank` counts those of this process, from 0 on. */

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
