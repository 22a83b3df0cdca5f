/* A search: when a level was first exceeded. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const int32_t levels[] = {3, 5, 8, 12, 7, 15};
    const int32_t expected_first[] = {3};
    int32_t first[1];
    uint64_t address = 0;
    cuprum_parallel_operator is_high;
    cuprum_parallel_iterator in_levels;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 2 * step, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, levels, sizeof levels, stream));

    must(cuprum_parallel_operator_create(&is_high, "a > 10", NULL, NULL, 0));
    must(cuprum_parallel_iterator_pointer(&in_levels, "int32", address));
    must(cuprum_parallel_find_if_build(&algorithm, NULL, in_levels, is_high, "int32"));
    must(cuprum_parallel_find_if(algorithm, stream, in_levels, address + step, 6, NULL));
    must(cuprum_buffer_copy_to_host(first, memory, step, sizeof first, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(first, expected_first, sizeof first) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(in_levels));
    must(cuprum_parallel_operator_destroy(is_high));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
