/* A histogram of ranges of several channels: red is dark or bright, green dark, medium or bright, blue not counted. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const uint8_t pixels[] = {255, 0, 10, 200, 64, 20, 0, 65, 30, 130, 255, 40};
    const int32_t levels[] = {0, 128, 256, 0, 60, 200, 256};
    const uint64_t bins[] = {2, 3};
    const int32_t expected_counts[] = {1, 3, 1, 2, 1};
    int32_t counts[5];
    uint64_t address = 0;
    cuprum_parallel_iterator samples;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 3 * step, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, pixels, sizeof pixels, stream));
    must(cuprum_buffer_copy_from_host(memory, step, levels, sizeof levels, stream));

    must(cuprum_parallel_iterator_pointer(&samples, "uint8", address));
    must(cuprum_parallel_multi_histogram_range_build(&algorithm, NULL, samples, 3, 2, "int32", "int32"));
    must(cuprum_parallel_multi_histogram_range(algorithm, stream, samples, address + step, address + 2 * step, bins,
                                               sizeof bins, 4));
    must(cuprum_buffer_copy_to_host(counts, memory, 2 * step, sizeof counts, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(counts, expected_counts, sizeof counts) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(samples));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
