/* Both extremes in one sweep: between which temperatures a day was. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const float temperatures[] = {3.5F, -1.25F, 8.0F, 12.75F, 6.5F};
    const float expected_extremes[] = {-1.25F, 12.75F};
    float extremes[2];
    uint64_t address = 0;
    cuprum_parallel_iterator in_temperatures;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 2 * step, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, temperatures, sizeof temperatures, stream));

    must(cuprum_parallel_iterator_pointer(&in_temperatures, "float32", address));
    must(cuprum_parallel_min_max_build(&algorithm, NULL, in_temperatures));
    must(cuprum_parallel_min_max(algorithm, stream, in_temperatures, address + step, 5, 0, 0));
    must(cuprum_buffer_copy_to_host(extremes, memory, step, sizeof extremes, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(extremes, expected_extremes, sizeof extremes) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(in_temperatures));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
