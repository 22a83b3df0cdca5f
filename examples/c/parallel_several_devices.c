/* Algorithms over data that is spread over several devices: each has a shard of it. With one device it has all. */
#include <stdint.h>

#include "example.h"

enum { each = 5000, most_devices = 16 };
static int32_t host[each];

/* As many numbers on each device, in memory of that device. */
static void allocate(cuprum_shard* shards, const int32_t* devices, uint32_t ranks, uint64_t count) {
    uint32_t rank;
    for (rank = 0; rank < ranks; ++rank) {
        shards[rank].type = "int32";
        shards[rank].count = count;
        must(cuprum_buffer_allocate(&shards[rank].memory, devices[rank], count * sizeof(int32_t), NULL));
    }
}

int main(void) {
    int32_t devices[most_devices], found = 0, n;
    cuprum_communicator communicator;
    cuprum_parallel_operator maximum;
    cuprum_distributed_algorithm reduce, sort;
    cuprum_shard numbers[most_devices], maxima[most_devices];
    uint32_t rank, ranks;
    int i, ok = 1;
    must(cuprum_device_count(&found));
    ranks = (uint32_t)(found < most_devices ? found : most_devices);
    for (i = 0; i < (int)ranks; ++i) {
        devices[i] = i;
    }
    n = (int32_t)ranks * each;
    must(cuprum_communicator_create(&communicator, devices, ranks * sizeof(int32_t)));

    /* n - 1, n - 2, ... 0 */
    allocate(numbers, devices, ranks, each);
    for (rank = 0; rank < ranks; ++rank) {
        for (i = 0; i < each; ++i) {
            host[i] = n - 1 - ((int32_t)rank * each + i);
        }
        must(cuprum_buffer_copy_from_host(numbers[rank].memory, 0, host, sizeof host, NULL));
    }

    allocate(maxima, devices, ranks, 1);
    must(cuprum_parallel_operator_create(&maximum, "maximum", NULL, NULL, 0));
    must(cuprum_distributed_reduce_build(&reduce, communicator, "int32", maximum, "int32"));
    must(cuprum_distributed_reduce(reduce, numbers, ranks, maxima, ranks, NULL, 0));
    must(cuprum_distributed_radix_sort_build(&sort, communicator, CUPRUM_SORT_ASCENDING, "int32", NULL));
    must(cuprum_distributed_radix_sort(sort, numbers, ranks, numbers, ranks, NULL, 0, NULL, 0)); /* in place */

    for (rank = 0; rank < ranks; ++rank) {
        must(cuprum_buffer_copy_to_host(&found, maxima[rank].memory, 0, sizeof found, NULL));
        ok = ok && found == n - 1;
        must(cuprum_buffer_copy_to_host(host, numbers[rank].memory, 0, sizeof host, NULL));
        for (i = 0; i < each; ++i) {
            ok = ok && host[i] == (int32_t)rank * each + i;
        }
        must(cuprum_buffer_destroy(maxima[rank].memory));
        must(cuprum_buffer_destroy(numbers[rank].memory));
    }
    printf("%d numbers sorted by %d device(s): %s\n", (int)n, (int)ranks, ok ? "ok" : "WRONG");
    must(cuprum_distributed_algorithm_destroy(sort));
    must(cuprum_distributed_algorithm_destroy(reduce));
    must(cuprum_parallel_operator_destroy(maximum));
    must(cuprum_communicator_destroy(communicator));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
