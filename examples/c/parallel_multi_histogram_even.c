/* A histogram of several channels: how bright red, green and blue are in a picture of four pixels with alpha. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const uint8_t pixels[] = {255, 0, 10, 1, 200, 64, 20, 1, 0, 65, 30, 0, 130, 255, 40, 0};
    const uint64_t bins[] = {4, 2, 4};
    const int32_t lower[] = {0, 0, 0}, upper[] = {256, 256, 256};
    const int32_t expected_counts[] = {1, 0, 1, 2, 3, 1, 4, 0, 0, 0};
    int32_t counts[10];
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

    must(cuprum_parallel_iterator_pointer(&samples, "uint8", address));
    must(cuprum_parallel_multi_histogram_even_build(&algorithm, NULL, samples, 4, 3, "int32", "int32"));
    must(cuprum_parallel_multi_histogram_even(algorithm, stream, samples, address + 2 * step, bins, sizeof bins, lower,
                                              sizeof lower, upper, sizeof upper, 4));
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
