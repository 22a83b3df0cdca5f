/* A reduction: over host data in one call, and on the device, built once and called as often as wanted. */
#include <stdint.h>

#include "example.h"

enum { n = 10000 };
static int32_t data[n];

int main(void) {
    const int64_t zero = 0;
    int64_t sum = 0, sum_of_squares = 0;
    uint64_t input_address = 0, output_address = 0;
    cuprum_parallel_operator plus, square;
    cuprum_parallel_iterator elements, squares;
    cuprum_parallel_algorithm reduce;
    cuprum_stream stream;
    cuprum_buffer input, output;
    int i, ok;
    for (i = 0; i < n; ++i) {
        data[i] = i + 1;
    }
    must(cuprum_parallel_operator_create(&plus, "plus", NULL, NULL, 0));
    must(cuprum_parallel_reduce_array(&sum, sizeof sum, NULL, "int32", data, sizeof data, "int64", &zero, sizeof zero,
                                      plus));

    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&input, 0, sizeof data, stream));
    must(cuprum_buffer_allocate(&output, 0, sizeof sum_of_squares, stream));
    must(cuprum_buffer_native(&input_address, input));
    must(cuprum_buffer_native(&output_address, output));
    must(cuprum_buffer_copy_from_host(input, 0, data, sizeof data, stream));
    /* Squares, made while they are read: a transform-reduction. */
    must(cuprum_parallel_operator_create(&square, "(long long)a * a", NULL, NULL, 0));
    must(cuprum_parallel_iterator_pointer(&elements, "int32", input_address));
    must(cuprum_parallel_iterator_transform(&squares, elements, square, "int64"));
    must(cuprum_parallel_reduce_build(&reduce, NULL, squares, plus, "int64", NULL));
    must(cuprum_parallel_reduce(reduce, stream, squares, output_address, NULL, n, &zero, sizeof zero, NULL, 0, 0));
    must(cuprum_buffer_copy_to_host(&sum_of_squares, output, 0, sizeof sum_of_squares, stream));
    must(cuprum_stream_sync(stream));

    ok = sum == 50005000 && sum_of_squares == 333383335000;
    printf("sum %lld, sum of squares %lld: %s\n", (long long)sum, (long long)sum_of_squares, ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(reduce));
    must(cuprum_parallel_iterator_destroy(squares));
    must(cuprum_parallel_iterator_destroy(elements));
    must(cuprum_parallel_operator_destroy(square));
    must(cuprum_parallel_operator_destroy(plus));
    must(cuprum_buffer_destroy(output));
    must(cuprum_buffer_destroy(input));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
