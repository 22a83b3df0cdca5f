/* A run-length encoding: what a sensor says, and how often it repeats that. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const int32_t readings[] = {5, 5, 5, 2, 7, 7, 5, 5};
    const int32_t expected_kept[] = {5, 2, 7, 5};
    int32_t kept[4];
    const int32_t expected_lengths[] = {3, 1, 2, 2};
    int32_t lengths[4];
    const uint64_t expected_count[] = {4};
    uint64_t count[1];
    uint64_t address = 0;
    cuprum_parallel_operator is_same;
    cuprum_parallel_iterator in_readings;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 4 * step, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, readings, sizeof readings, stream));

    must(cuprum_parallel_operator_create(&is_same, "equal_to", NULL, NULL, 0));
    must(cuprum_parallel_iterator_pointer(&in_readings, "int32", address));
    must(cuprum_parallel_run_length_encode_build(&algorithm, NULL, in_readings, "int32", is_same));
    must(cuprum_parallel_run_length_encode(algorithm, stream, in_readings, address + step, address + 2 * step,
                                           address + 3 * step, sizeof readings / sizeof readings[0], NULL, 0, 0));
    must(cuprum_buffer_copy_to_host(kept, memory, step, sizeof kept, stream));
    must(cuprum_buffer_copy_to_host(lengths, memory, 2 * step, sizeof lengths, stream));
    must(cuprum_buffer_copy_to_host(count, memory, 3 * step, sizeof count, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(kept, expected_kept, sizeof kept) == 0 && memcmp(lengths, expected_lengths, sizeof lengths) == 0 &&
         memcmp(count, expected_count, sizeof count) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(in_readings));
    must(cuprum_parallel_operator_destroy(is_same));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
