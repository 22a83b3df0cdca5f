/* A partition by flags: the readings that another sensor has confirmed, and behind them the others, backwards. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const int32_t readings[] = {21, 35, -4, 18, 40, 2, 31, -1};
    const int32_t confirmed[] = {0, 1, 0, 1, 1, 0, 0, 1};
    const int32_t expected_parts[] = {35, 18, 40, -1, 31, 2, -4, 21};
    int32_t parts[8];
    const uint64_t expected_count[] = {4};
    uint64_t count[1];
    uint64_t address = 0;
    cuprum_parallel_iterator in_readings, in_confirmed;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 4 * step, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, readings, sizeof readings, stream));
    must(cuprum_buffer_copy_from_host(memory, step, confirmed, sizeof confirmed, stream));

    must(cuprum_parallel_iterator_pointer(&in_readings, "int32", address));
    must(cuprum_parallel_iterator_pointer(&in_confirmed, "int32", address + step));
    must(cuprum_parallel_partition_flagged_build(&algorithm, NULL, in_readings, in_confirmed));
    must(cuprum_parallel_partition_flagged(algorithm, stream, in_readings, in_confirmed, address + 2 * step,
                                           address + 3 * step, sizeof readings / sizeof readings[0], 0, 0));
    must(cuprum_buffer_copy_to_host(parts, memory, 2 * step, sizeof parts, stream));
    must(cuprum_buffer_copy_to_host(count, memory, 3 * step, sizeof count, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(parts, expected_parts, sizeof parts) == 0 && memcmp(count, expected_count, sizeof count) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(in_readings));
    must(cuprum_parallel_iterator_destroy(in_confirmed));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
