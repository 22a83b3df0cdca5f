/* A comparison: whether two readings are the same but for a small error. */
#include <stdint.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const int32_t first[] = {100, 205, 298};
    const int32_t second[] = {101, 204, 300};
    uint8_t is_same = 0; /* a bool has one byte */
    uint64_t address = 0;
    cuprum_parallel_operator is_near;
    cuprum_parallel_iterator in_first, in_second;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 3 * step, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, first, sizeof first, stream));
    must(cuprum_buffer_copy_from_host(memory, step, second, sizeof second, stream));

    must(cuprum_parallel_operator_create(&is_near, "abs(a - b) <= 2", NULL, NULL, 0));
    must(cuprum_parallel_iterator_pointer(&in_first, "int32", address));
    must(cuprum_parallel_iterator_pointer(&in_second, "int32", address + step));
    must(cuprum_parallel_equal_build(&algorithm, NULL, in_first, in_second, is_near));
    must(cuprum_parallel_equal(algorithm, stream, in_first, in_second, address + 2 * step, 3, NULL));
    must(cuprum_buffer_copy_to_host(&is_same, memory, 2 * step, sizeof is_same, stream));
    must(cuprum_stream_sync(stream));

    printf("%s\n", is_same == 1 ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(in_second));
    must(cuprum_parallel_iterator_destroy(in_first));
    must(cuprum_parallel_operator_destroy(is_near));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return is_same == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
