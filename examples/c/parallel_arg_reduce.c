/* Arg-min and arg-max: the first extreme element and where it is, over host data and on the device. */
#include <stdint.h>

#include "example.h"

enum { n = 10000 };
static int32_t data[n];

int main(void) {
    struct {
        int64_t index;
        int32_t value;
    } largest;
    int64_t smallest = -1, expected_smallest = 0, expected_largest = 0;
    uint64_t input_address = 0, output_address = 0;
    cuprum_parallel_iterator elements;
    cuprum_parallel_algorithm find;
    cuprum_stream stream;
    cuprum_buffer input, output;
    int i, ok;
    for (i = 0; i < n; ++i) {
        data[i] = (int32_t)(((int64_t)i + 5000) * 7919 % 10007);
        expected_smallest = data[i] < data[expected_smallest] ? i : expected_smallest;
        expected_largest = data[i] > data[expected_largest] ? i : expected_largest;
    }
    must(cuprum_parallel_arg_reduce_array(&smallest, NULL, CUPRUM_ARG_MINIMUM, "int32", data, sizeof data));

    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&input, 0, sizeof data, stream));
    must(cuprum_buffer_allocate(&output, 0, sizeof largest, stream));
    must(cuprum_buffer_native(&input_address, input));
    must(cuprum_buffer_native(&output_address, output));
    must(cuprum_buffer_copy_from_host(input, 0, data, sizeof data, stream));
    must(cuprum_parallel_iterator_pointer(&elements, "int32", input_address));
    must(cuprum_parallel_arg_reduce_build(&find, NULL, CUPRUM_ARG_MAXIMUM, elements));
    must(cuprum_parallel_arg_reduce(find, stream, elements, output_address, n, 0, 0));
    must(cuprum_buffer_copy_to_host(&largest, output, 0, sizeof largest, stream));
    must(cuprum_stream_sync(stream));

    ok = smallest == expected_smallest && largest.index == expected_largest && largest.value == data[expected_largest];
    printf("smallest at %lld, largest %d at %lld: %s\n", (long long)smallest, (int)largest.value,
           (long long)largest.index, ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(find));
    must(cuprum_parallel_iterator_destroy(elements));
    must(cuprum_buffer_destroy(output));
    must(cuprum_buffer_destroy(input));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
