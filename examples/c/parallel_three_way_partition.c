/* A partition in three: hot, cold, and all other readings, each in their order. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { n = 8 };

int main(void) {
    const int32_t readings[n] = {21, 35, -4, 18, 40, 2, 31, -1};
    const int32_t expected[] = {35, 40, 31};
    int32_t hot[n] = {0};
    uint64_t counts[2] = {0, 0};
    uint64_t address = 0;
    cuprum_parallel_operator is_hot, is_cold;
    cuprum_parallel_iterator elements;
    cuprum_parallel_algorithm partition;
    cuprum_stream stream;
    cuprum_buffer memory; /* the readings, the three parts, and the counts */
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 4 * sizeof readings + sizeof counts, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, readings, sizeof readings, stream));

    must(cuprum_parallel_operator_create(&is_hot, "a > 30", NULL, NULL, 0));
    must(cuprum_parallel_operator_create(&is_cold, "a < 0", NULL, NULL, 0));
    must(cuprum_parallel_iterator_pointer(&elements, "int32", address));
    must(cuprum_parallel_three_way_partition_build(&partition, NULL, elements, is_hot, is_cold));
    must(cuprum_parallel_three_way_partition(partition, stream, elements, address + sizeof readings,
                                             address + 2 * sizeof readings, address + 3 * sizeof readings,
                                             address + 4 * sizeof readings, n, NULL, NULL, 0, 0));
    must(cuprum_buffer_copy_to_host(hot, memory, sizeof readings, sizeof hot, stream));
    must(cuprum_buffer_copy_to_host(counts, memory, 4 * sizeof readings, sizeof counts, stream));
    must(cuprum_stream_sync(stream));

    ok = counts[0] == 3 && counts[1] == 2 && memcmp(hot, expected, sizeof expected) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(partition));
    must(cuprum_parallel_iterator_destroy(elements));
    must(cuprum_parallel_operator_destroy(is_cold));
    must(cuprum_parallel_operator_destroy(is_hot));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
