/* A histogram: how many grades are in each fifth of the scale. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { n = 9, bins = 5 };

int main(void) {
    const float grades[n] = {12, 99, 55, 43, 60, 61, 0, 100, 38};
    const uint32_t expected[bins] = {2, 1, 2, 2, 1};
    const float lower = 0, upper = 100; /* which is not counted */
    uint32_t counts[bins] = {0};
    uint64_t grades_address = 0, counts_address = 0;
    cuprum_parallel_iterator samples;
    cuprum_parallel_algorithm histogram;
    cuprum_stream stream;
    cuprum_buffer device_grades, device_counts;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&device_grades, 0, sizeof grades, stream));
    must(cuprum_buffer_allocate(&device_counts, 0, sizeof counts, stream));
    must(cuprum_buffer_native(&grades_address, device_grades));
    must(cuprum_buffer_native(&counts_address, device_counts));
    must(cuprum_buffer_copy_from_host(device_grades, 0, grades, sizeof grades, stream));

    must(cuprum_parallel_iterator_pointer(&samples, "float32", grades_address));
    must(cuprum_parallel_histogram_even_build(&histogram, NULL, samples, "float32", "uint32"));
    must(cuprum_parallel_histogram_even(histogram, stream, samples, counts_address, bins, &lower, sizeof lower, &upper,
                                        sizeof upper, n));
    must(cuprum_buffer_copy_to_host(counts, device_counts, 0, sizeof counts, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(counts, expected, sizeof expected) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(histogram));
    must(cuprum_parallel_iterator_destroy(samples));
    must(cuprum_buffer_destroy(device_counts));
    must(cuprum_buffer_destroy(device_grades));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
