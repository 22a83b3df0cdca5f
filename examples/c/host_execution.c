/* The parallel algorithms on the host's own cores: real data, no GPU, no driver. */
#include <stdint.h>

#include "example.h"

enum { n = 1000000 };
static const cuprum_execution on_host = {.struct_size = sizeof on_host, .kind = CUPRUM_EXECUTION_HOST};
static int32_t data[n];
static int64_t sums[n];
static int all_ok = 1;

static void check(const char* what, int ok) {
    printf("%-28s %s\n", what, ok ? "ok" : "WRONG");
    all_ok = all_ok && ok;
}

static void built_once(cuprum_parallel_operator plus, int64_t expected) {
    cuprum_parallel_iterator elements;
    cuprum_parallel_algorithm reduction;
    const int64_t zero = 0;
    int64_t sum = 0;
    must(cuprum_parallel_iterator_pointer(&elements, "int32", (uint64_t)(uintptr_t)data));
    must(cuprum_parallel_reduce_build(&reduction, &on_host, elements, plus, "int64", NULL));
    /* No stream, no temporary storage: done when it returns. */
    must(cuprum_parallel_reduce(reduction, NULL, elements, (uint64_t)(uintptr_t)&sum, NULL, n, &zero, sizeof zero, NULL,
                                0, 0));
    check("built once", sum == expected);
    must(cuprum_parallel_algorithm_destroy(reduction));
    must(cuprum_parallel_iterator_destroy(elements));
}

int main(void) {
    cuprum_parallel_operator plus;
    const int64_t zero = 0;
    int64_t expected = 0;
    int64_t sum = 0;
    int64_t largest = -1;
    int is_sorted = 1;
    int i;
    for (i = 0; i < n; ++i) {
        data[i] = (int32_t)((int64_t)i * 7919 % 1000003);
        expected += data[i];
    }
    must(cuprum_parallel_operator_create(&plus, "plus", NULL, NULL, 0));
    must(cuprum_parallel_reduce_array(&sum, sizeof sum, &on_host, "int32", data, sizeof data, "int64", &zero,
                                      sizeof zero, plus));
    check("reduce", sum == expected);
    must(cuprum_parallel_scan_array(sums, sizeof sums, &on_host, CUPRUM_SCAN_INCLUSIVE, "int32", data, sizeof data,
                                    "int64", NULL, 0, plus));
    check("inclusive scan", sums[0] == data[0] && sums[n - 1] == expected);
    built_once(plus, expected);
    must(cuprum_parallel_sort_array(&on_host, "int32", data, sizeof data, NULL, NULL, 0, CUPRUM_SORT_ASCENDING, NULL));
    for (i = 1; i < n; ++i) {
        is_sorted = is_sorted && data[i - 1] <= data[i];
    }
    check("sort", is_sorted);
    must(cuprum_parallel_arg_reduce_array(&largest, &on_host, CUPRUM_ARG_MAXIMUM, "int32", data, sizeof data));
    check("argmax", data[largest] == data[n - 1]);
    must(cuprum_parallel_operator_destroy(plus));
    return all_ok ? 0 : 1;
}
