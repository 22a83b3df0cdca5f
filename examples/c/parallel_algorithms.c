/* CUB's algorithms with operators of one's own: over host data in one call, and on the device, built once. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { n = 10000 };
static int32_t data[n], copy[n];
static int64_t sums[n];
static double halves[n];
static int all_ok = 1;

static void check(const char* what, int ok) {
    printf("%-28s %s\n", what, ok ? "ok" : "WRONG");
    all_ok = all_ok && ok;
}

static cuprum_parallel_operator operator_of(const char* text) {
    cuprum_parallel_operator op;
    must(cuprum_parallel_operator_create(&op, text, NULL, NULL, 0));
    return op;
}

static int64_t sum_of_data(void) {
    int64_t sum = 0;
    int i;
    for (i = 0; i < n; ++i) {
        sum += data[i];
    }
    return sum;
}

static void on_host_data(void) {
    const cuprum_parallel_operator plus = operator_of("plus");
    const cuprum_parallel_operator half = operator_of("a * 0.5");
    const cuprum_parallel_operator by_remainder = operator_of("a % 100 < b % 100");
    const int64_t zero = 0;
    int64_t sum = 0;
    int64_t smallest = -1;
    int is_sorted = 1;
    int i;

    must(cuprum_parallel_reduce_host(&sum, sizeof sum, 0, "int32", data, sizeof data, "int64", &zero, sizeof zero,
                                     plus));
    check("reduce", sum == sum_of_data());
    must(cuprum_parallel_arg_reduce_host(&smallest, 0, CUPRUM_ARG_MINIMUM, "int32", data, sizeof data));
    check("argmin", smallest == 0);
    must(cuprum_parallel_scan_host(sums, sizeof sums, 0, CUPRUM_SCAN_EXCLUSIVE, "int32", data, sizeof data, "int64",
                                   &zero, sizeof zero, plus));
    check("exclusive scan", sums[0] == 0 && sums[n - 1] + data[n - 1] == sum);
    must(cuprum_parallel_transform_host(halves, sizeof halves, 0, "float64", "int32", data, sizeof data, NULL, NULL, 0,
                                        half));
    check("transform", halves[1] == data[1] * 0.5);

    memcpy(copy, data, sizeof data);
    must(cuprum_parallel_sort_host(0, "int32", copy, sizeof copy, NULL, NULL, 0, CUPRUM_SORT_DESCENDING, NULL));
    for (i = 1; i < n; ++i) {
        is_sorted = is_sorted && copy[i - 1] >= copy[i];
    }
    check("radix sort", is_sorted);
    must(cuprum_parallel_sort_host(0, "int32", copy, sizeof copy, NULL, NULL, 0, CUPRUM_SORT_ASCENDING, by_remainder));
    for (i = 1; i < n; ++i) {
        is_sorted = is_sorted && copy[i - 1] % 100 <= copy[i] % 100;
    }
    check("merge sort", is_sorted);

    must(cuprum_parallel_operator_destroy(by_remainder));
    must(cuprum_parallel_operator_destroy(half));
    must(cuprum_parallel_operator_destroy(plus));
}

static void on_the_device(void) {
    const cuprum_parallel_operator plus = operator_of("plus");
    const cuprum_parallel_operator square = operator_of("(long long)a * a");
    const int32_t one = 1;
    const int64_t zero = 0;
    cuprum_parallel_iterator counter;
    cuprum_parallel_iterator squares;
    cuprum_parallel_algorithm reduction;
    cuprum_stream stream;
    cuprum_buffer output;
    uint64_t address = 0;
    int64_t sum = 0;

    /* 1, 4, 9, ...: counted and squared while they are read. */
    must(cuprum_parallel_iterator_counting(&counter, "int32", &one, sizeof one));
    must(cuprum_parallel_iterator_transform(&squares, counter, square, "int64"));
    must(cuprum_parallel_reduce_build(&reduction, 0, NULL, squares, plus, "int64"));
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&output, 0, sizeof sum, stream));
    must(cuprum_buffer_native(&address, output));
    must(cuprum_parallel_reduce(reduction, stream, squares, address, 1000, &zero, sizeof zero, NULL, 0, 0));
    must(cuprum_buffer_copy_to_host(&sum, output, 0, sizeof sum, stream));
    must(cuprum_stream_sync(stream));
    check("transform-reduce", sum == 333833500);

    must(cuprum_buffer_destroy(output));
    must(cuprum_stream_destroy(stream));
    must(cuprum_parallel_algorithm_destroy(reduction));
    must(cuprum_parallel_iterator_destroy(squares));
    must(cuprum_parallel_iterator_destroy(counter));
    must(cuprum_parallel_operator_destroy(square));
    must(cuprum_parallel_operator_destroy(plus));
}

int main(void) {
    char name[256];
    int i;
    for (i = 0; i < n; ++i) {
        data[i] = (int32_t)((int64_t)i * 7919 % 10007);
    }
    printf("on %s\n", device_name(name, sizeof name));
    on_host_data();
    on_the_device();
    return all_ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
