/* The parallel algorithms on the host's own cores (CUPRUM_EXECUTION_HOST): what they give and refuse, what becomes of
 * their threads when the process is forked or ends, and what is said where their library is missing. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "scenarios.h"

static const int32_t data[] = {5, 1, 7, 3};
static const int32_t zero = 0;
static const cuprum_execution on_host = {sizeof on_host, CUPRUM_EXECUTION_HOST, 0, NULL, 0};

static cuprum_parallel_operator operator_of(const char* text) {
    cuprum_parallel_operator op = NULL;
    SUCCEEDS(cuprum_parallel_operator_create(&op, text, NULL, NULL, 0));
    return op;
}

/* By a radix sort: the largest age first, and of equal ages the smallest weight. */
static void check_sort_by_fields(void) {
    struct person {
        int32_t age;
        float weight;
    };
    const struct person people[] = {{3, 1.5F}, {1, 2.5F}, {3, 0.5F}};
    const char* const type = "Person{age:int32,weight:float32}";
    struct person sorted[3];
    cuprum_parallel_algorithm sort = NULL;
    SUCCEEDS(cuprum_parallel_radix_sort_build_by_fields(&sort, &on_host, "-age, weight", type, NULL));
    SUCCEEDS(cuprum_parallel_sort(sort, NULL, (uint64_t)(uintptr_t)people, (uint64_t)(uintptr_t)sorted, 0, 0, 3, 0, 0,
                                  NULL, 0, 0));
    CHECK(sorted[0].weight == 0.5F && sorted[1].weight == 1.5F && sorted[2].age == 1);
    /* From bit 32 on, those of the age. */
    SUCCEEDS(cuprum_parallel_sort(sort, NULL, (uint64_t)(uintptr_t)people, (uint64_t)(uintptr_t)sorted, 0, 0, 3, 32, 0,
                                  NULL, 0, 0));
    CHECK(sorted[0].weight == 1.5F && sorted[1].weight == 0.5F && sorted[2].age == 1);
    SUCCEEDS(cuprum_parallel_algorithm_destroy(sort));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_radix_sort_build_by_fields(&sort, &on_host, "age, -age", type, NULL));
    MESSAGE_HAS("named twice");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_radix_sort_build_by_fields(&sort, &on_host, NULL, type, NULL));
    MESSAGE_HAS("fields");
}

/* What reads some arrays and writes others. */
static void check_arrays(void) {
    const int32_t elements[] = {3, 1, 4, 1, 5}, sorted[] = {1, 3, 5}, others[] = {2, 3}, begins[] = {0, 3},
                  ends[] = {2, 5};
    const int32_t levels[] = {0, 2, 6}, lower = 0, upper = 6;
    int32_t found[5], places[5] = {0, 1, 2, 3, 4}, keys[] = {3, 1, 4, 1, 5};
    int64_t counts[2] = {9, 9};
    cuprum_parallel_operator plus = operator_of("plus"), less = operator_of("less"), minus = operator_of("minus");
    SUCCEEDS(cuprum_parallel_histogram_even_array(counts, sizeof counts, &on_host, "int64", "int32", elements,
                                                  sizeof elements, "int32", &lower, 4, &upper, 4));
    CHECK(counts[0] == 2 && counts[1] == 3);
    SUCCEEDS(cuprum_parallel_histogram_range_array(counts, sizeof counts, &on_host, "int64", "int32", elements,
                                                   sizeof elements, "int32", levels, sizeof levels));
    CHECK(counts[0] == 2 && counts[1] == 3);
    SUCCEEDS(cuprum_parallel_topk_keys_array(found, 4, &on_host, CUPRUM_SORT_DESCENDING, "int32", elements,
                                             sizeof elements));
    CHECK(found[0] == 5);
    SUCCEEDS(cuprum_parallel_topk_pairs_array(found, 4, found + 1, 4, &on_host, CUPRUM_SORT_DESCENDING, "int32",
                                              elements, sizeof elements, "int32", places, sizeof places));
    CHECK(found[0] == 5 && found[1] == 4);
    SUCCEEDS(cuprum_parallel_min_max_array(found, 8, &on_host, "int32", elements, sizeof elements));
    CHECK(found[0] == 1 && found[1] == 5);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_parallel_min_max_array(found, 8, &on_host, "int32", NULL, 0));
    MESSAGE_HAS("there are no elements");
    SUCCEEDS(cuprum_parallel_inclusive_scan_by_key_array(found, 8, &on_host, "int32", others, 8, "int32", elements, 8,
                                                         "int32", plus, NULL));
    CHECK(found[0] == 3 && found[1] == 1);
    SUCCEEDS(cuprum_parallel_exclusive_scan_by_key_array(found, 8, &on_host, "int32", places, 8, "int32", elements, 8,
                                                         "int32", &upper, 4, plus, less));
    CHECK(found[0] == 6 && found[1] == 9);
    SUCCEEDS(cuprum_parallel_merge_keys_array(found, 20, &on_host, "int32", sorted, sizeof sorted, "int32", others,
                                              sizeof others, less));
    CHECK(found[0] == 1 && found[1] == 2 && found[2] == 3 && found[3] == 3 && found[4] == 5);
    SUCCEEDS(cuprum_parallel_merge_pairs_array(found, 20, places, 20, &on_host, "int32", sorted, sizeof sorted, "int32",
                                               elements, 12, "int32", others, sizeof others, "int32", elements, 8,
                                               less));
    CHECK(places[0] == 3 && places[1] == 3 && places[2] == 1 && places[3] == 1 && places[4] == 4);
    SUCCEEDS(cuprum_parallel_adjacent_difference_array(found, 20, &on_host, CUPRUM_NEIGHBOUR_LEFT, "int32", "int32",
                                                       elements, sizeof elements, minus));
    CHECK(found[0] == 3 && found[1] == -2 && found[4] == 4);
    SUCCEEDS(cuprum_parallel_binary_search_array(found, 8, &on_host, CUPRUM_BOUND_UPPER, "int32", "int32", sorted,
                                                 sizeof sorted, "int32", others, 8, less));
    CHECK(found[0] == 1 && found[1] == 2);
    SUCCEEDS(cuprum_parallel_segmented_reduce_array(found, 8, &on_host, "int32", elements, sizeof elements, "int32",
                                                    begins, 8, "int32", ends, 8, "int32", &zero, 4, plus));
    CHECK(found[0] == 4 && found[1] == 6);
    found[2] = 77;
    SUCCEEDS(cuprum_parallel_segmented_scan_array(found, 20, &on_host, CUPRUM_SCAN_INCLUSIVE, "int32", elements,
                                                  sizeof elements, "int32", begins, 8, "int32", ends, 8, "int32", NULL,
                                                  0, plus));
    CHECK(found[1] == 4 && found[2] == 77 && found[4] == 6);
    SUCCEEDS(cuprum_parallel_segmented_sort_array(&on_host, CUPRUM_SORT_ASCENDING, "int32", keys, sizeof keys, NULL,
                                                  NULL, 0, "int32", begins, 8, "int32", ends, 8));
    CHECK(keys[0] == 1 && keys[1] == 3 && keys[2] == 4 && keys[3] == 1 && keys[4] == 5);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_segmented_sort_array(&on_host, CUPRUM_SORT_ASCENDING, "int32", keys, 16, NULL, NULL, 0,
                                                    "int32", begins, 8, "int32", ends, 8));
    MESSAGE_HAS("segment 1");
    SUCCEEDS(cuprum_parallel_operator_destroy(plus));
    SUCCEEDS(cuprum_parallel_operator_destroy(less));
    SUCCEEDS(cuprum_parallel_operator_destroy(minus));
}

/* What is selected by flags, parted and found; samples of several channels; and lists of arrays. */
static void check_flags_channels_and_lists(void) {
    const int32_t elements[] = {5, 7, 7, 9, 9, 9}, lower[] = {5, 0}, upper[] = {9, 10}, levels[] = {5, 8, 10, 0, 10};
    const uint8_t flags[] = {0, 1, 0, 2, 0, 1};
    const uint64_t bins[] = {2, 1};
    const cuprum_host_input list[] = {{"int32", elements, sizeof elements}, {"uint8", flags, sizeof flags}};
    int32_t found[6] = {0}, parts[6], zeros[] = {0, 3, 0, 4};
    int64_t offsets[6], lengths[6], counts[3];
    uint64_t number = 99, second = 99;
    cuprum_parallel_operator plus = operator_of("plus"), equal = operator_of("equal_to"),
                             identity = operator_of("identity"), is_zero = operator_of("logical_not");
    SUCCEEDS(cuprum_parallel_select_flagged_array(&number, found, sizeof found, &on_host, "int32", elements,
                                                  sizeof elements, "uint8", flags, sizeof flags));
    CHECK(number == 3 && found[0] == 7 && found[1] == 9 && found[2] == 9);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_select_flagged_array(&number, found, sizeof found, &on_host, "int32", elements,
                                                    sizeof elements, "uint8", flags, 5));
    MESSAGE_HAS("6 elements and the other 5");
    memcpy(parts, elements, sizeof parts);
    SUCCEEDS(cuprum_parallel_partition_flagged_array(&number, &on_host, "int32", parts, sizeof parts, "uint8", flags,
                                                     sizeof flags));
    CHECK(number == 3 && parts[0] == 7 && parts[2] == 9 && parts[3] == 9 && parts[4] == 7 && parts[5] == 5);
    SUCCEEDS(cuprum_parallel_three_way_partition_array(&number, &second, &on_host, "int32", zeros, sizeof zeros,
                                                       identity, is_zero));
    CHECK(number == 2 && second == 2 && zeros[0] == 3 && zeros[1] == 4 && zeros[2] == 0 && zeros[3] == 0);
    SUCCEEDS(cuprum_parallel_non_trivial_runs_array(&number, offsets, sizeof offsets, lengths, sizeof lengths, &on_host,
                                                    "int64", "int32", elements, sizeof elements, equal));
    CHECK(number == 2 && offsets[0] == 1 && lengths[0] == 2 && offsets[1] == 3 && lengths[1] == 3);
    SUCCEEDS(cuprum_parallel_multi_histogram_even_array(counts, sizeof counts, &on_host, "int64", "int32", elements,
                                                        sizeof elements, 2, bins, sizeof bins, "int32", lower, 8,
                                                        "int32", upper, 8));
    CHECK(counts[0] == 1 && counts[1] == 1 && counts[2] == 3);
    SUCCEEDS(cuprum_parallel_multi_histogram_range_array(counts, sizeof counts, &on_host, "int64", "int32", elements,
                                                         sizeof elements, 2, bins, sizeof bins, "int32", levels,
                                                         sizeof levels));
    CHECK(counts[0] == 2 && counts[1] == 1 && counts[2] == 3);
    SUCCEEDS(cuprum_parallel_transform_array_nary(found, sizeof found, &on_host, "int32", list, 2, plus));
    CHECK(found[0] == 5 && found[1] == 8 && found[3] == 11);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_transform_array_nary(found, sizeof found, &on_host, "int32", list, 0, plus));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_transform_array_nary(found, sizeof found, &on_host, "int32", NULL, 2, plus));
    MESSAGE_HAS("inputs");
    SUCCEEDS(cuprum_parallel_operator_destroy(plus));
    SUCCEEDS(cuprum_parallel_operator_destroy(equal));
    SUCCEEDS(cuprum_parallel_operator_destroy(identity));
    SUCCEEDS(cuprum_parallel_operator_destroy(is_zero));
}

/* What is done in place, and compared. */
static void check_runs_and_parts(void) {
    int32_t keys[] = {3, 3, 1, 1, 1, 3}, parts[] = {0, 7, 0, 8, 9};
    int64_t values[] = {1, 2, 3, 4, 5, 6}, lengths[6];
    int32_t is_equal = 99;
    uint64_t number = 99;
    cuprum_parallel_operator plus = operator_of("plus"), equal = operator_of("equal_to"),
                             identity = operator_of("identity");
    SUCCEEDS(cuprum_parallel_reduce_by_key_array(&number, &on_host, "int32", keys, sizeof keys, "int64", values,
                                                 sizeof values, plus, NULL));
    CHECK(number == 3 && keys[1] == 1 && keys[3] == 1 && values[0] == 3 && values[1] == 12 && values[2] == 6);
    SUCCEEDS(cuprum_parallel_run_length_encode_array(&number, &on_host, "int32", keys, sizeof keys, "int64", lengths,
                                                     sizeof lengths, equal)); /* 3 1 3 1 1 3 */
    CHECK(number == 5 && lengths[2] == 1 && lengths[3] == 2 && keys[4] == 3);
    SUCCEEDS(cuprum_parallel_partition_array(&number, &on_host, "int32", parts, sizeof parts, identity));
    CHECK(number == 3 && parts[0] == 7 && parts[2] == 9 && parts[3] == 0);
    SUCCEEDS(cuprum_parallel_equal_array(&is_equal, &on_host, "int32", parts, 8, "int32", keys, 8, equal));
    CHECK(is_equal == 0);
    SUCCEEDS(cuprum_parallel_equal_array(&is_equal, &on_host, "int32", parts, 8, "int32", parts, 8, equal));
    CHECK(is_equal == 1);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_reduce_by_key_array(&number, &on_host, "int32", keys, sizeof keys, "int64", values, 8,
                                                   plus, NULL));
    MESSAGE_HAS("one part has 6 elements and the other 1");
    SUCCEEDS(cuprum_parallel_operator_destroy(plus));
    SUCCEEDS(cuprum_parallel_operator_destroy(equal));
    SUCCEEDS(cuprum_parallel_operator_destroy(identity));
}

/* Run with every libcuda, libnvrtc and cuda.h hidden. */
void test_host_execution(void) {
    const cuprum_execution confused = {sizeof confused, CUPRUM_EXECUTION_HOST, 0, "sm_90", 0};
    cuprum_parallel_operator plus = operator_of("a + b");
    cuprum_parallel_operator less = operator_of("less");
    cuprum_parallel_operator own = operator_of("a * 3 + b");
    cuprum_parallel_iterator elements = NULL;
    cuprum_parallel_algorithm reduction = NULL;
    cuprum_parallel_algorithm sort = NULL;
    int32_t sum = -1;
    int32_t results[4];
    uint64_t values[4] = {0, 1, 2, 3};
    uint64_t needed = 99;
    int64_t index = 99;
    const int32_t ones[] = {1, 1, 1, 1};
    cuprum_parallel_operator minus = operator_of("minus");
    cuprum_parallel_operator identity = NULL;
    cuprum_parallel_iterator elements_of_data = NULL;
    cuprum_parallel_algorithm selection = NULL;
    uint64_t selected = 99;
    const void* saved = NULL;
    uint64_t saved_size = 0;
    SUCCEEDS(cuprum_parallel_reduce_array(&sum, 4, &on_host, "int32", data, 16, "int32", &zero, 4, plus));
    CHECK(sum == 16);
    SUCCEEDS(cuprum_parallel_scan_array(results, 16, &on_host, CUPRUM_SCAN_INCLUSIVE, "int32", data, 16, "int32", NULL,
                                        0, plus));
    CHECK(results[0] == 5 && results[1] == 6 && results[2] == 13 && results[3] == 16);
    SUCCEEDS(
        cuprum_parallel_transform_array(results, 16, &on_host, "int32", "int32", data, 16, "int32", data, 16, plus));
    CHECK(results[0] == 10 && results[3] == 6);
    memcpy(results, data, sizeof data);
    SUCCEEDS(cuprum_parallel_sort_array(&on_host, "int32", results, 16, "uint64", values, 32, 0, less));
    CHECK(results[0] == 1 && results[3] == 7 && values[0] == 1 && values[3] == 2);
    identity = operator_of("identity");
    SUCCEEDS(
        cuprum_parallel_transform_array(results, 16, &on_host, "int32", "int32", data, 16, "int32", ones, 16, minus));
    SUCCEEDS(cuprum_parallel_select_array(&selected, results, 16, &on_host, "int32", results, 16, identity));
    CHECK(selected == 3 && results[0] == 4 && results[1] == 6 && results[2] == 2);
    SUCCEEDS(cuprum_parallel_iterator_pointer(&elements_of_data, "int32", (uint64_t)(uintptr_t)data));
    SUCCEEDS(cuprum_parallel_select_build(&selection, &on_host, elements_of_data, identity, NULL));
    SUCCEEDS(cuprum_parallel_select(selection, NULL, elements_of_data, (uint64_t)(uintptr_t)results, NULL,
                                    (uint64_t)(uintptr_t)&selected, 4, NULL, 0, 0));
    CHECK(selected == 4 && results[3] == 3);
    SUCCEEDS(cuprum_parallel_algorithm_destroy(selection));
    SUCCEEDS(cuprum_parallel_iterator_destroy(elements_of_data));
    SUCCEEDS(cuprum_parallel_operator_destroy(identity));
    SUCCEEDS(cuprum_parallel_operator_destroy(minus));
    SUCCEEDS(cuprum_parallel_arg_reduce_array(&index, &on_host, CUPRUM_ARG_MINIMUM, "int32", data, 16));
    CHECK(index == 1);
    FAILS_WITH(CUPRUM_ERROR_UNSUPPORTED,
               cuprum_parallel_reduce_array(&sum, 4, &on_host, "int32", data, 16, "int32", &zero, 4, own));
    MESSAGE_HAS("'a * 3 + b'");

    SUCCEEDS(cuprum_parallel_iterator_pointer(&elements, "int32", (uint64_t)(uintptr_t)data));
    SUCCEEDS(cuprum_parallel_reduce_build(&reduction, &on_host, elements, plus, "int32", NULL));
    SUCCEEDS(
        cuprum_parallel_reduce(reduction, NULL, elements, (uint64_t)(uintptr_t)&sum, NULL, 3, &zero, 4, NULL, 0, 0));
    CHECK(sum == 13);
    SUCCEEDS(cuprum_parallel_temp_storage_bytes(&needed, reduction, 1000000));
    CHECK(needed == 0);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_reduce(reduction, NULL, elements, 0, NULL, 3, &zero, 4, NULL, 0, 0));
    MESSAGE_HAS("output");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_reduce(reduction, NULL, elements, (uint64_t)(uintptr_t)&sum, NULL, 3, &zero, 4, NULL,
                                      4096, 4096));
    MESSAGE_HAS("storage");
    FAILS_WITH(CUPRUM_ERROR_UNSUPPORTED, cuprum_parallel_save(&saved, &saved_size, reduction));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_radix_sort_build(&sort, &confused, CUPRUM_SORT_DESCENDING, "int32", NULL));
    MESSAGE_HAS("which only CUPRUM_EXECUTION_AHEAD_OF_TIME takes");
    SUCCEEDS(cuprum_parallel_radix_sort_build(&sort, &on_host, CUPRUM_SORT_DESCENDING, "int32", NULL));
    SUCCEEDS(cuprum_parallel_sort(sort, NULL, (uint64_t)(uintptr_t)data, (uint64_t)(uintptr_t)results, 0, 0, 4, 0, 0,
                                  NULL, 0, 0));
    CHECK(results[0] == 7 && results[3] == 1);
    SUCCEEDS(cuprum_parallel_algorithm_destroy(reduction));
    SUCCEEDS(cuprum_parallel_algorithm_destroy(sort));
    check_sort_by_fields();
    check_runs_and_parts();
    check_arrays();
    check_flags_channels_and_lists();
    SUCCEEDS(cuprum_parallel_iterator_destroy(elements));
    SUCCEEDS(cuprum_parallel_operator_destroy(own));
    SUCCEEDS(cuprum_parallel_operator_destroy(less));
    SUCCEEDS(cuprum_parallel_operator_destroy(plus));
}

/* Enough for several threads. */
enum { many = 1 << 20 };

static int32_t* descending_numbers(void) {
    int32_t* numbers = malloc(many * sizeof *numbers);
    int32_t i;
    for (i = 0; i < many; ++i)
        numbers[i] = many - i;
    return numbers;
}

static void check_large_work(void) {
    cuprum_parallel_operator plus = operator_of("plus");
    int32_t* const numbers = descending_numbers();
    int64_t sum = -1;
    const int64_t none = 0;
    SUCCEEDS(cuprum_parallel_reduce_array(&sum, 8, &on_host, "int32", numbers, many * sizeof *numbers, "int64", &none,
                                          8, plus));
    CHECK(sum == (int64_t)many * (many + 1) / 2);
    SUCCEEDS(cuprum_parallel_sort_array(&on_host, "int32", numbers, many * sizeof *numbers, NULL, NULL, 0,
                                        CUPRUM_SORT_ASCENDING, NULL));
    CHECK(numbers[0] == 1 && numbers[many - 1] == many);
    SUCCEEDS(cuprum_parallel_operator_destroy(plus));
    free(numbers);
}

/* A forked child has none of its parent's threads, and works without them. */
void test_host_execution_fork(void) {
    int status = -1;
    pid_t child;
    check_large_work();
    fflush(stdout);
    child = fork();
    if (child == 0) {
        alarm(20);
        failed_checks = 0;
        check_large_work();
        fflush(stdout);
        exit(failed_checks == 0 ? 0 : 1); /* exit handlers run too */
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    check_large_work();
}

static void* work_forever(void* unused) {
    for (;;)
        check_large_work();
    return unused;
}

/* Ends the process while threads are at work. */
void test_host_execution_exit(void) {
    const struct timespec a_while = {0, 100 * 1000 * 1000};
    pthread_t thread;
    int i;
    for (i = 0; i < 3; ++i)
        CHECK(pthread_create(&thread, NULL, work_forever, NULL) == 0);
    nanosleep(&a_while, NULL);
    alarm(20);
    exit(failed_checks == 0 ? 0 : 1);
}

/* Run with libcuprum_host hidden. */
void test_no_host_library(void) {
    cuprum_parallel_operator plus = operator_of("plus");
    cuprum_parallel_algorithm sort = NULL;
    int32_t sum = -1;
    int round;
    for (round = 0; round < 2; ++round) {
        FAILS_WITH(CUPRUM_ERROR_LIBRARY_NOT_FOUND,
                   cuprum_parallel_reduce_array(&sum, 4, &on_host, "int32", data, 16, "int32", &zero, 4, plus));
        MESSAGE_HAS("libcuprum_host.so");
        CHECK(strstr(last_error().advice, "install lib") != NULL);
        CHECK(sum == -1);
    }
    FAILS_WITH(CUPRUM_ERROR_LIBRARY_NOT_FOUND, cuprum_parallel_radix_sort_build(&sort, &on_host, 0, "int32", NULL));
    CHECK(sort == NULL);
    SUCCEEDS(cuprum_parallel_operator_destroy(plus));
}
