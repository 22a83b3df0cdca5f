/* A reduction by key: the readings of each sensor, added. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const int32_t sensors[] = {1, 1, 1, 4, 4, 7, 8, 8};
    const float readings[] = {0.5F, 0.5F, 1.0F, 2.5F, 2.0F, 3.5F, 4.0F, 4.5F};
    const int32_t expected_keys[] = {1, 4, 7, 8};
    int32_t keys[4];
    const float expected_sums[] = {2.0F, 4.5F, 3.5F, 8.5F};
    float sums[4];
    const uint64_t expected_count[] = {4};
    uint64_t count[1];
    uint64_t address = 0;
    cuprum_parallel_operator plus, is_same;
    cuprum_parallel_iterator in_sensors, in_readings;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 5 * step, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, sensors, sizeof sensors, stream));
    must(cuprum_buffer_copy_from_host(memory, step, readings, sizeof readings, stream));

    must(cuprum_parallel_operator_create(&plus, "plus", NULL, NULL, 0));
    must(cuprum_parallel_operator_create(&is_same, "equal_to", NULL, NULL, 0));
    must(cuprum_parallel_iterator_pointer(&in_sensors, "int32", address));
    must(cuprum_parallel_iterator_pointer(&in_readings, "float32", address + step));
    must(cuprum_parallel_reduce_by_key_build(&algorithm, NULL, in_sensors, in_readings, plus, "float32", is_same));
    must(cuprum_parallel_reduce_by_key(algorithm, stream, in_sensors, in_readings, address + 2 * step,
                                       address + 3 * step, address + 4 * step, sizeof sensors / sizeof sensors[0], NULL,
                                       NULL, 0, 0));
    must(cuprum_buffer_copy_to_host(keys, memory, 2 * step, sizeof keys, stream));
    must(cuprum_buffer_copy_to_host(sums, memory, 3 * step, sizeof sums, stream));
    must(cuprum_buffer_copy_to_host(count, memory, 4 * step, sizeof count, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(keys, expected_keys, sizeof keys) == 0 && memcmp(sums, expected_sums, sizeof sums) == 0 &&
         memcmp(count, expected_count, sizeof count) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(in_sensors));
    must(cuprum_parallel_iterator_destroy(in_readings));
    must(cuprum_parallel_operator_destroy(plus));
    must(cuprum_parallel_operator_destroy(is_same));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
