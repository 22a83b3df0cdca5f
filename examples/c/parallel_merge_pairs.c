/* A merge of sorted keys with their values: two logs as one, by their times. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const int32_t first_times[] = {1, 4, 9};
    const int32_t first_events[] = {10, 11, 12};
    const int32_t second_times[] = {2, 4};
    const int32_t second_events[] = {20, 21};
    const int32_t expected_times[] = {1, 2, 4, 4, 9};
    const int32_t expected_events[] = {10, 20, 11, 21, 12};
    int32_t times[5];
    int32_t events[5];
    uint64_t address = 0;
    cuprum_parallel_operator less;
    cuprum_parallel_iterator in_first_times, in_first_events, in_second_times, in_second_events;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 6 * step, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, first_times, sizeof first_times, stream));
    must(cuprum_buffer_copy_from_host(memory, step, first_events, sizeof first_events, stream));
    must(cuprum_buffer_copy_from_host(memory, 2 * step, second_times, sizeof second_times, stream));
    must(cuprum_buffer_copy_from_host(memory, 3 * step, second_events, sizeof second_events, stream));

    must(cuprum_parallel_operator_create(&less, "less", NULL, NULL, 0));
    must(cuprum_parallel_iterator_pointer(&in_first_times, "int32", address));
    must(cuprum_parallel_iterator_pointer(&in_first_events, "int32", address + step));
    must(cuprum_parallel_iterator_pointer(&in_second_times, "int32", address + 2 * step));
    must(cuprum_parallel_iterator_pointer(&in_second_events, "int32", address + 3 * step));
    must(cuprum_parallel_merge_pairs_build(&algorithm, NULL, in_first_times, in_first_events, in_second_times,
                                           in_second_events, less));
    must(cuprum_parallel_merge_pairs(algorithm, stream, in_first_times, in_first_events, 3, in_second_times,
                                     in_second_events, 2, address + 4 * step, address + 5 * step, NULL));
    must(cuprum_buffer_copy_to_host(times, memory, 4 * step, sizeof times, stream));
    must(cuprum_buffer_copy_to_host(events, memory, 5 * step, sizeof events, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(times, expected_times, sizeof times) == 0 && memcmp(events, expected_events, sizeof events) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(in_second_events));
    must(cuprum_parallel_iterator_destroy(in_second_times));
    must(cuprum_parallel_iterator_destroy(in_first_events));
    must(cuprum_parallel_iterator_destroy(in_first_times));
    must(cuprum_parallel_operator_destroy(less));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
