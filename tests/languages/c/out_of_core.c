/* Algorithms over host memory that is larger than the memory of the device that they may take: what they give, against
 * the host, and what they refuse. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scenarios.h"

enum { count = 40000, different = 97, bins = 10, limit = 65536 /* bytes, less than half of the keys' */ };
/* Of one device, and of two, the last one first. */
static const cuprum_device_memory one[] = {{0, limit, NULL}}, two[] = {{1, limit, NULL}, {0, limit, NULL}};

static int32_t numbers[count], keys[count], target[count], scratch[count], values[count], values_target[count];

static int compare(const void* left, const void* right) {
    const int32_t a = *(const int32_t*)left, b = *(const int32_t*)right;
    return (a > b) - (a < b);
}

static void check_passes(const cuprum_device_memory* memory, uint64_t size, cuprum_parallel_operator plus) {
    static int64_t sums[count];
    cuprum_out_of_core_algorithm reduce = NULL, scan = NULL, histogram = NULL;
    int64_t expected = 5, result = 0;
    const int64_t init = 5;
    const int32_t lower = -100, upper = 100;
    uint64_t counts[bins];
    int i, ok = 1;
    SUCCEEDS(cuprum_out_of_core_reduce_build(&reduce, memory, size, "int32", plus, "int64"));
    SUCCEEDS(cuprum_out_of_core_scan_build(&scan, memory, size, CUPRUM_SCAN_EXCLUSIVE, "int32", plus, "int64"));
    SUCCEEDS(cuprum_out_of_core_scan(scan, numbers, sizeof numbers, sums, sizeof sums, &init, 8));
    for (i = 0; i < count; ++i) {
        ok = ok && sums[i] == expected;
        expected += numbers[i];
    }
    CHECK(ok);
    SUCCEEDS(cuprum_out_of_core_reduce(reduce, numbers, sizeof numbers, &result, 8, &init, 8));
    CHECK(result == expected);
    SUCCEEDS(cuprum_out_of_core_reduce(reduce, numbers, sizeof numbers, &result, 8, NULL, 0));
    CHECK(result == expected - 5);
    SUCCEEDS(cuprum_out_of_core_reduce(reduce, NULL, 0, &result, 8, &init, 8));
    CHECK(result == 5);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_out_of_core_scan(scan, numbers, sizeof numbers, sums, sizeof sums, NULL, 0));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_out_of_core_reduce(scan, numbers, sizeof numbers, &result, 8, NULL, 0));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_out_of_core_reduce(reduce, numbers, sizeof numbers - 1, &result, 8, NULL, 0));
    SUCCEEDS(cuprum_out_of_core_histogram_even_build(&histogram, memory, size, "int32", "int32", "uint64"));
    SUCCEEDS(cuprum_out_of_core_histogram_even(histogram, numbers, sizeof numbers, counts, sizeof counts, bins, &lower,
                                               4, &upper, 4));
    for (i = 0; i < count; ++i) {
        if (numbers[i] >= lower && numbers[i] < upper) {
            --counts[(numbers[i] - lower) / 20];
        }
    }
    for (i = 0; i < bins; ++i) {
        CHECK(counts[i] == 0);
    }
    SUCCEEDS(cuprum_out_of_core_algorithm_destroy(histogram));
    SUCCEEDS(cuprum_out_of_core_algorithm_destroy(scan));
    SUCCEEDS(cuprum_out_of_core_algorithm_destroy(reduce));
}

static void check_sort(const cuprum_device_memory* memory, uint64_t size) {
    static int32_t sorted[count];
    cuprum_out_of_core_algorithm sort = NULL, sort_pairs = NULL, small = NULL;
    cuprum_device_memory of_pools[2], little;
    const uint64_t devices = size / sizeof *memory;
    int i, ok = 1;
    memcpy(sorted, numbers, sizeof sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    memcpy(keys, numbers, sizeof keys);
    memcpy(of_pools, memory, size);
    for (i = 0; i < (int)devices; ++i) {
        SUCCEEDS(cuprum_memory_resource_create_device(&of_pools[i].resource, of_pools[i].device, limit));
    }
    SUCCEEDS(cuprum_out_of_core_radix_sort_build(&sort, of_pools, size, CUPRUM_SORT_ASCENDING, "int32", NULL));
    for (i = 0; i < (int)devices; ++i) {
        SUCCEEDS(cuprum_memory_resource_destroy(of_pools[i].resource)); /* the algorithm keeps it */
    }
    /* The runs are written over the keys. */
    SUCCEEDS(cuprum_out_of_core_radix_sort(sort, keys, sizeof keys, target, sizeof target, keys, sizeof keys, NULL, 0,
                                           NULL, 0, NULL, 0));
    CHECK(memcmp(target, sorted, sizeof sorted) == 0);
    SUCCEEDS(cuprum_out_of_core_radix_sort_build(&sort_pairs, memory, size, CUPRUM_SORT_DESCENDING, "int32", "int32"));
    for (i = 0; i < count; ++i) {
        values[i] = i;
    }
    memcpy(keys, numbers, sizeof keys);
    SUCCEEDS(cuprum_out_of_core_radix_sort(sort_pairs, keys, sizeof keys, keys, sizeof keys, NULL, 0, values,
                                           sizeof values, values_target, sizeof values_target, NULL, 0));
    for (i = 0; i < count; ++i) {
        ok = ok && keys[i] == sorted[count - 1 - i] && keys[i] == numbers[values_target[i]];
        ok = ok && (i == 0 || keys[i] < keys[i - 1] || values_target[i] > values_target[i - 1]); /* stable */
    }
    CHECK(ok);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_out_of_core_radix_sort(sort, keys, sizeof keys, target, sizeof target, NULL, 0, values,
                                             sizeof values, values_target, sizeof values_target, NULL, 0));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_out_of_core_radix_sort(sort_pairs, keys, sizeof keys, target, sizeof target, NULL, 0, NULL, 0,
                                             NULL, 0, NULL, 0));
    little = memory[0];
    little.limit = 1000;
    SUCCEEDS(cuprum_out_of_core_radix_sort_build(&small, &little, sizeof little, CUPRUM_SORT_ASCENDING, "int32", NULL));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_out_of_core_radix_sort(small, keys, sizeof keys, target, sizeof target, scratch, sizeof scratch,
                                             NULL, 0, NULL, 0, NULL, 0));
    MESSAGE_HAS("1000 bytes may be taken");
    MESSAGE_HAS("need at least");
    SUCCEEDS(cuprum_out_of_core_algorithm_destroy(small));
    SUCCEEDS(cuprum_out_of_core_algorithm_destroy(sort_pairs));
    SUCCEEDS(cuprum_out_of_core_algorithm_destroy(sort));
}

static void check_reduction_by_key(const cuprum_device_memory* memory, uint64_t size, cuprum_parallel_operator plus) {
    int32_t expected[different] = {0};
    cuprum_out_of_core_algorithm by_key = NULL;
    uint64_t found = 0;
    int i;
    for (i = 0; i < count; ++i) {
        keys[i] = i * 31 % different;
        values[i] = numbers[i];
        expected[keys[i]] += numbers[i];
    }
    SUCCEEDS(cuprum_out_of_core_reduce_by_key_build(&by_key, memory, size, "int32", "int32", plus, "int32"));
    SUCCEEDS(cuprum_out_of_core_reduce_by_key(&found, by_key, keys, sizeof keys, values, sizeof values, target,
                                              different * 4, values_target, different * 4));
    CHECK(found == different);
    for (i = 0; i < different; ++i) {
        CHECK(target[i] == i && values_target[i] == expected[i]);
    }
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_out_of_core_reduce_by_key(&found, by_key, keys, sizeof keys, values, sizeof values, target,
                                                different * 4 - 4, values_target, different * 4));
    MESSAGE_HAS("97 different");
    SUCCEEDS(cuprum_out_of_core_algorithm_destroy(by_key));
}

void test_out_of_core(void) {
    cuprum_parallel_operator plus = NULL;
    cuprum_out_of_core_algorithm unset = NULL;
    cuprum_device_memory wrong[2];
    int32_t devices = 0;
    int i;
    for (i = 0; i < count; ++i) {
        numbers[i] = (int32_t)((uint32_t)i * 2654435761U >> 20) % 301 - 150;
    }
    SUCCEEDS(cuprum_parallel_operator_create(&plus, "plus", NULL, NULL, 0));
    check_passes(one, sizeof one, plus);
    check_sort(one, sizeof one);
    check_reduction_by_key(one, sizeof one, plus);
    SUCCEEDS(cuprum_device_count(&devices));
    if (devices > 1) {
        check_passes(two, sizeof two, plus);
        check_sort(two, sizeof two);
        check_reduction_by_key(two, sizeof two, plus);
    }
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_out_of_core_scan_build(&unset, one, sizeof one, 3, "int32", plus, "int32"));
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE,
               cuprum_out_of_core_reduce_build(&unset, one, sizeof one, "int32", NULL, "int32"));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_out_of_core_reduce_build(&unset, one, 23, "int32", plus, "int32"));
    MESSAGE_HAS("23 bytes, expected 24 for each device");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_out_of_core_reduce_build(&unset, NULL, 24, "int32", plus, "int32"));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_out_of_core_reduce_build(&unset, one, 0, "int32", plus, "int32"));
    MESSAGE_HAS("there are none, expected at least one");
    wrong[0] = wrong[1] = one[0];
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_out_of_core_reduce_build(&unset, wrong, sizeof wrong, "int32", plus, "int32"));
    MESSAGE_HAS("given twice");
    wrong[1].device = 99;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_out_of_core_reduce_build(&unset, wrong, sizeof wrong, "int32", plus, "int32"));
    MESSAGE_HAS("99");
    SUCCEEDS(cuprum_out_of_core_algorithm_destroy(NULL));
    SUCCEEDS(cuprum_parallel_operator_destroy(plus));
}
