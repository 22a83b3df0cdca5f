/* A merge of sorted keys: the times of two logs in one order. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const int32_t first[] = {1, 4, 9, 12};
    const int32_t second[] = {2, 4, 20};
    const int32_t expected_merged[] = {1, 2, 4, 4, 9, 12, 20};
    int32_t merged[7];
    uint64_t address = 0;
    cuprum_parallel_operator less;
    cuprum_parallel_iterator in_first, in_second;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 3 * step, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, first, sizeof first, stream));
    must(cuprum_buffer_copy_from_host(memory, step, second, sizeof second, stream));

    must(cuprum_parallel_operator_create(&less, "less", NULL, NULL, 0));
    must(cuprum_parallel_iterator_pointer(&in_first, "int32", address));
    must(cuprum_parallel_iterator_pointer(&in_second, "int32", address + step));
    must(cuprum_parallel_merge_keys_build(&algorithm, NULL, in_first, in_second, less));
    must(cuprum_parallel_merge_keys(algorithm, stream, in_first, 4, in_second, 3, address + 2 * step, NULL));
    must(cuprum_buffer_copy_to_host(merged, memory, 2 * step, sizeof merged, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(merged, expected_merged, sizeof merged) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(in_second));
    must(cuprum_parallel_iterator_destroy(in_first));
    must(cuprum_parallel_operator_destroy(less));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
