/* Selection: the elements that meet a condition, in order; over host data in one call, and on the device. */
#include <stdint.h>

#include "example.h"

enum { n = 10000 };
static int32_t data[n], multiples[n];
static int64_t numbers[n];

int main(void) {
    const int64_t first = 1;
    uint64_t multiple_count = 0, number_count = 0, output_address = 0, count_address = 0;
    cuprum_parallel_operator of_three, is_square;
    cuprum_parallel_iterator counting;
    cuprum_parallel_algorithm select;
    cuprum_stream stream;
    cuprum_buffer output, selected;
    int64_t root;
    uint64_t at = 0;
    int i, ok = 1;
    for (i = 0; i < n; ++i) {
        data[i] = (int32_t)((int64_t)i * 7919 % 10007);
    }
    must(cuprum_parallel_operator_create(&of_three, "a % 3 == 0", NULL, NULL, 0));
    must(cuprum_parallel_select_array(&multiple_count, multiples, sizeof multiples, NULL, "int32", data, sizeof data,
                                      of_three));

    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&output, 0, sizeof numbers, stream));
    must(cuprum_buffer_allocate(&selected, 0, sizeof number_count, stream));
    must(cuprum_buffer_native(&output_address, output));
    must(cuprum_buffer_native(&count_address, selected));
    /* Of 1, 2, 3 and so on, which are in no memory, the squares. */
    must(cuprum_parallel_operator_create(&is_square, "long long r = llrint(sqrt((double)a)); return r * r == a;", NULL,
                                         NULL, 0));
    must(cuprum_parallel_iterator_counting(&counting, "int64", &first, sizeof first));
    must(cuprum_parallel_select_build(&select, NULL, counting, is_square, NULL));
    must(cuprum_parallel_select(select, stream, counting, output_address, NULL, count_address, n, NULL, 0, 0));
    must(cuprum_buffer_copy_to_host(numbers, output, 0, sizeof numbers, stream));
    must(cuprum_buffer_copy_to_host(&number_count, selected, 0, sizeof number_count, stream));
    must(cuprum_stream_sync(stream));

    for (i = 0; i < n; ++i) {
        if (data[i] % 3 == 0) {
            ok = ok && multiples[at++] == data[i];
        }
    }
    ok = ok && at == multiple_count && number_count == 100;
    for (root = 1; root <= 100; ++root) {
        ok = ok && numbers[root - 1] == root * root;
    }
    printf("%llu multiples of 3, %llu squares: %s\n", (unsigned long long)multiple_count,
           (unsigned long long)number_count, ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(select));
    must(cuprum_parallel_iterator_destroy(counting));
    must(cuprum_parallel_operator_destroy(is_square));
    must(cuprum_parallel_operator_destroy(of_three));
    must(cuprum_buffer_destroy(selected));
    must(cuprum_buffer_destroy(output));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
