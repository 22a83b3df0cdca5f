/* A partition: the readings of warm days, and behind them the others, backwards. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const int32_t readings[] = {21, 35, -4, 18, 40, 2, 31, -1};
    const int32_t expected_parts[] = {21, 35, 40, 31, -1, 2, 18, -4};
    int32_t parts[8];
    const uint64_t expected_count[] = {4};
    uint64_t count[1];
    uint64_t address = 0;
    cuprum_parallel_operator is_warm;
    cuprum_parallel_iterator in_readings;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 3 * step, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, readings, sizeof readings, stream));

    must(cuprum_parallel_operator_create(&is_warm, "a > 20", NULL, NULL, 0));
    must(cuprum_parallel_iterator_pointer(&in_readings, "int32", address));
    must(cuprum_parallel_partition_build(&algorithm, NULL, in_readings, is_warm));
    must(cuprum_parallel_partition(algorithm, stream, in_readings, address + step, address + 2 * step,
                                   sizeof readings / sizeof readings[0], NULL, 0, 0));
    must(cuprum_buffer_copy_to_host(parts, memory, step, sizeof parts, stream));
    must(cuprum_buffer_copy_to_host(count, memory, 2 * step, sizeof count, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(parts, expected_parts, sizeof parts) == 0 && memcmp(count, expected_count, sizeof count) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(in_readings));
    must(cuprum_parallel_operator_destroy(is_warm));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
