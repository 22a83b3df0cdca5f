/* The top keys: the three best scores, which come in no particular order. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const int32_t scores[] = {7, 42, 3, 42, 19, 42};
    const int32_t expected_best[] = {42, 42, 42};
    int32_t best[3];
    uint64_t address = 0;
    cuprum_parallel_iterator in_scores;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 2 * step, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, scores, sizeof scores, stream));

    must(cuprum_parallel_iterator_pointer(&in_scores, "int32", address));
    must(cuprum_parallel_topk_keys_build(&algorithm, NULL, CUPRUM_SORT_DESCENDING, in_scores));
    must(cuprum_parallel_topk_keys(algorithm, stream, in_scores, address + step, 3, 6, 0, 0));
    must(cuprum_buffer_copy_to_host(best, memory, step, sizeof best, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(best, expected_best, sizeof best) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(in_scores));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
