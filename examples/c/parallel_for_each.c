/* A call for each position: how often each remainder occurs, counted through an address in the operator's state. */
#include <stdint.h>
#include <string.h>

#include "example.h"

int main(void) {
    const int32_t zero = 0, none[4] = {0, 0, 0, 0}, expected[4] = {250, 250, 250, 250};
    int32_t counts[4] = {0};
    struct {
        uint64_t counts;
    } state = {0};
    cuprum_parallel_operator count_remainder;
    cuprum_parallel_iterator positions;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, sizeof none, stream));
    must(cuprum_buffer_native(&state.counts, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, none, sizeof none, stream));

    must(cuprum_parallel_operator_create(&count_remainder, "atomicAdd(reinterpret_cast<int*>(counts) + a % 4, 1)",
                                         "Target{counts:uint64}", &state, sizeof state));
    must(cuprum_parallel_iterator_counting(&positions, "int32", &zero, sizeof zero));
    must(cuprum_parallel_for_each_build(&algorithm, NULL, positions, count_remainder));
    must(cuprum_parallel_for_each(algorithm, stream, positions, 1000, NULL));
    must(cuprum_buffer_copy_to_host(counts, memory, 0, sizeof counts, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(counts, expected, sizeof counts) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(positions));
    must(cuprum_parallel_operator_destroy(count_remainder));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
