/* Differences of neighbours: how much a meter has counted between two readings. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const int32_t readings[] = {3, 5, 10, 10, 18, 20};
    const int32_t expected_differences[] = {3, 2, 5, 0, 8, 2};
    int32_t differences[6];
    uint64_t address = 0;
    cuprum_parallel_operator minus;
    cuprum_parallel_iterator in_readings;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 2 * step, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, readings, sizeof readings, stream));

    must(cuprum_parallel_operator_create(&minus, "minus", NULL, NULL, 0));
    must(cuprum_parallel_iterator_pointer(&in_readings, "int32", address));
    must(cuprum_parallel_adjacent_difference_build(&algorithm, NULL, CUPRUM_NEIGHBOUR_LEFT, in_readings, minus,
                                                   "int32"));
    must(cuprum_parallel_adjacent_difference(algorithm, stream, in_readings, address + step,
                                             sizeof readings / sizeof readings[0], NULL));
    must(cuprum_buffer_copy_to_host(differences, memory, step, sizeof differences, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(differences, expected_differences, sizeof differences) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(in_readings));
    must(cuprum_parallel_operator_destroy(minus));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
