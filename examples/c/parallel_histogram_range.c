/* A histogram of ranges: how many people are children, of working age, and older. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const int32_t ages[] = {3, 70, 35, 17, 18, 64, 65, 40};
    const int32_t levels[] = {0, 18, 65, 150};
    const int32_t expected_people[] = {2, 4, 2};
    int32_t people[3];
    uint64_t address = 0;
    cuprum_parallel_iterator in_ages;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 3 * step, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, ages, sizeof ages, stream));
    must(cuprum_buffer_copy_from_host(memory, step, levels, sizeof levels, stream));

    must(cuprum_parallel_iterator_pointer(&in_ages, "int32", address));
    must(cuprum_parallel_histogram_range_build(&algorithm, NULL, in_ages, "int32", "int32"));
    must(cuprum_parallel_histogram_range(algorithm, stream, in_ages, address + step, address + 2 * step, 3, 8));
    must(cuprum_buffer_copy_to_host(people, memory, 2 * step, sizeof people, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(people, expected_people, sizeof people) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(in_ages));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
