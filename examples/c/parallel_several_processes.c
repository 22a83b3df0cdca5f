/* One of several processes with a device each, which sort numbers together over NCCL:
 *   torchrun --no-python --nproc-per-node=2 parallel_several_processes_c
 * mpirun and srun will do, with MASTER_ADDR and MASTER_PORT set. Started alone, it is the only one. */
#include <stdint.h>

#include "example.h"

enum { each = 5000, timeout_ms = 60000 };
static int32_t host[each];

/* Gives the bytes of process 0 to all; a program with MPI calls MPI_Bcast. */
static cuprum_status broadcast(void* count, void* bytes, uint64_t size) {
    return *(const uint32_t*)count == 1 ? CUPRUM_SUCCESS : cuprum_process_broadcast(bytes, size, timeout_ms);
}

int main(void) {
    uint32_t rank = 0, count = 1, local_rank = 0;
    int32_t has_broadcast = 0, device, n, first, largest = 0;
    cuprum_communicator communicator;
    cuprum_parallel_operator maximum;
    cuprum_distributed_algorithm reduce, sort;
    cuprum_shard numbers = {"int32", NULL, each}, result = {"int32", NULL, 1};
    cuprum_status status = cuprum_process_from_environment(&rank, &count, &local_rank, &has_broadcast);
    int i, ok = 1;
    if (status != CUPRUM_ERROR_INVALID_STATE) { /* it was not started alone */
        must(status);
    }
    device = (int32_t)local_rank;
    status = cuprum_communicator_create_process(&communicator, device, rank, count, broadcast, &count, timeout_ms);
    if (status == CUPRUM_ERROR_LIBRARY_NOT_FOUND) {
        printf("this machine has no NCCL\n");
        return EXIT_SUCCESS;
    }
    must(status);

    /* n - 1, n - 2, ... 0 in all, of which this process has its part. */
    n = (int32_t)count * each;
    first = (int32_t)rank * each;
    for (i = 0; i < each; ++i) {
        host[i] = n - 1 - (first + i);
    }
    must(cuprum_buffer_allocate(&numbers.memory, device, sizeof host, NULL));
    must(cuprum_buffer_allocate(&result.memory, device, sizeof largest, NULL));
    must(cuprum_buffer_copy_from_host(numbers.memory, 0, host, sizeof host, NULL));

    must(cuprum_parallel_operator_create(&maximum, "maximum", NULL, NULL, 0));
    must(cuprum_distributed_reduce_build(&reduce, communicator, "int32", maximum, "int32"));
    must(cuprum_distributed_reduce(reduce, &numbers, 1, &result, 1, NULL, 0));
    must(cuprum_distributed_radix_sort_build(&sort, communicator, CUPRUM_SORT_ASCENDING, "int32", NULL));
    must(cuprum_distributed_radix_sort(sort, &numbers, 1, &numbers, 1, NULL, 0, NULL, 0)); /* in place */

    must(cuprum_buffer_copy_to_host(&largest, result.memory, 0, sizeof largest, NULL));
    must(cuprum_buffer_copy_to_host(host, numbers.memory, 0, sizeof host, NULL));
    for (i = 0; i < each; ++i) {
        ok = ok && host[i] == first + i;
    }
    ok = ok && largest == n - 1;
    printf("process %d of %d has %d to %d: %s\n", (int)rank, (int)count, (int)host[0], (int)host[each - 1],
           ok ? "ok" : "WRONG");
    must(cuprum_distributed_algorithm_destroy(sort));
    must(cuprum_distributed_algorithm_destroy(reduce));
    must(cuprum_parallel_operator_destroy(maximum));
    must(cuprum_buffer_destroy(result.memory));
    must(cuprum_buffer_destroy(numbers.memory));
    must(cuprum_communicator_destroy(communicator));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
