/* The parallel algorithms through the C ABI: what they give, and what they refuse. */
#include "check.h"
#include "scenarios.h"

static const int32_t data[] = {5, 1, 7, 3};
static const int32_t zero = 0;

static cuprum_parallel_operator operator_of(const char* text) {
    cuprum_parallel_operator op = NULL;
    SUCCEEDS(cuprum_parallel_operator_create(&op, text, NULL, NULL, 0));
    return op;
}

static void check_calls_over_arrays(cuprum_parallel_operator plus) {
    int32_t sum = -1;
    int32_t sorted[4];
    int64_t index = 99;
    SUCCEEDS(cuprum_parallel_reduce_array(&sum, 4, NULL, "int32", data, 16, "int32", &zero, 4, plus));
    CHECK(sum == 16);
    memcpy(sorted, data, sizeof data);
    SUCCEEDS(cuprum_parallel_sort_array(NULL, "int32", sorted, 16, NULL, NULL, 0, CUPRUM_SORT_DESCENDING, NULL));
    CHECK(sorted[0] == 7 && sorted[1] == 5 && sorted[2] == 3 && sorted[3] == 1);
    memset(sorted, 0, sizeof sorted);
    SUCCEEDS(cuprum_parallel_sort_array_to(sorted, 16, NULL, 0, NULL, "int32", data, 16, NULL, NULL, 0,
                                           CUPRUM_SORT_ASCENDING, NULL));
    CHECK(sorted[0] == 1 && sorted[1] == 3 && sorted[2] == 5 && sorted[3] == 7);
    SUCCEEDS(cuprum_parallel_arg_reduce_array(&index, NULL, CUPRUM_ARG_MAXIMUM, "int32", data, 16));
    CHECK(index == 2);

    sum = -1;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_reduce_array(&sum, 8, NULL, "int32", data, 16, "int32", &zero, 4, plus));
    MESSAGE_HAS("room for 8 bytes");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_reduce_array(&sum, 4, NULL, "int32", data, 15, "int32", &zero, 4, plus));
    MESSAGE_HAS("not a multiple of the 4");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_reduce_array(&sum, 4, NULL, "int33", data, 16, "int32", &zero, 4, plus));
    MESSAGE_HAS("int33");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_reduce_array(&sum, 4, NULL, "int32", NULL, 16, "int32", &zero, 4, plus));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_sort_array(NULL, "int32", sorted, 16, NULL, NULL, 0, 2, NULL));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_sort_array_to(sorted, 12, NULL, 0, NULL, "int32", data, 16, NULL, NULL, 0, 0, NULL));
    MESSAGE_HAS("4 elements and the other 3");
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE,
               cuprum_parallel_reduce_array(&sum, 4, NULL, "int32", data, 16, "int32", &zero, 4, NULL));
    CHECK(sum == -1);
}

static void check_built_algorithm(cuprum_parallel_operator plus) {
    cuprum_parallel_iterator counter = NULL;
    cuprum_parallel_iterator other = NULL;
    cuprum_parallel_algorithm reduction = NULL;
    cuprum_parallel_algorithm unset = NULL;
    cuprum_stream stream = NULL;
    cuprum_buffer output = NULL;
    uint64_t address = 0;
    uint64_t needed = 0;
    int32_t sum = -1;
    const int32_t one = 1;
    const float one_float = 1;
    const void* saved = NULL;
    uint64_t saved_size = 0;
    SUCCEEDS(cuprum_parallel_iterator_counting(&counter, "int32", &one, 4));
    SUCCEEDS(cuprum_parallel_iterator_constant(&other, "float32", &one_float, 4));
    SUCCEEDS(cuprum_parallel_reduce_build(&reduction, NULL, counter, plus, "int32", NULL));
    SUCCEEDS(cuprum_stream_create(&stream, 0, NULL));
    SUCCEEDS(cuprum_buffer_allocate(&output, 0, 4, stream));
    SUCCEEDS(cuprum_buffer_native(&address, output));
    SUCCEEDS(cuprum_parallel_reduce(reduction, stream, counter, address, NULL, 1000, &zero, 4, NULL, 0, 0));
    SUCCEEDS(cuprum_buffer_copy_to_host(&sum, output, 0, 4, stream));
    SUCCEEDS(cuprum_stream_sync(stream));
    CHECK(sum == 500500);
    SUCCEEDS(cuprum_parallel_temp_storage_bytes(&needed, reduction, 1000000));
    CHECK(needed > 0);
    SUCCEEDS(cuprum_parallel_save(&saved, &saved_size, reduction));
    CHECK(saved_size > 1000);

    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_reduce(reduction, stream, other, address, NULL, 4, &zero, 4, NULL, 0, 0));
    MESSAGE_HAS("built for counting<int32>");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_reduce(reduction, stream, counter, 0, NULL, 4, &zero, 4, NULL, 0, 0));
    MESSAGE_HAS("output");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_reduce(reduction, stream, counter, address, NULL, 4, &zero, 3, NULL, 0, 0));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_reduce(reduction, stream, counter, address, NULL, 1000000, &zero, 4, NULL, address, 4));
    MESSAGE_HAS("temporary storage");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_scan(reduction, stream, counter, address, NULL, 4, &zero, 4, 0, NULL, 0, 0));
    MESSAGE_HAS("expected a scan");
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_parallel_reduce((cuprum_parallel_algorithm)(void*)counter, stream,
                                                                   counter, address, NULL, 4, &zero, 4, NULL, 0, 0));
    MESSAGE_HAS("a parallel iterator");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_parallel_load_builds(0, "nothing of the kind", 19));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_scan_build(&unset, NULL, 3, counter, plus, "int32", NULL));
    CHECK(unset == NULL);

    SUCCEEDS(cuprum_buffer_destroy(output));
    SUCCEEDS(cuprum_stream_destroy(stream));
    SUCCEEDS(cuprum_parallel_algorithm_destroy(reduction));
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_parallel_temp_storage_bytes(&needed, reduction, 1));
    SUCCEEDS(cuprum_parallel_iterator_destroy(other));
    SUCCEEDS(cuprum_parallel_iterator_destroy(counter));
    SUCCEEDS(cuprum_parallel_iterator_destroy(NULL));
}

static void check_operators(void) {
    cuprum_parallel_operator op = NULL;
    int32_t sum = -1;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_parallel_operator_create(&op, "", NULL, NULL, 0));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_parallel_operator_create(&op, NULL, NULL, NULL, 0));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_operator_create(&op, "a * f", "State{f:int32}", &zero, 3));
    MESSAGE_HAS("has 3 bytes");
    CHECK(op == NULL);
    op = operator_of("a +\n missing");
    FAILS_WITH(CUPRUM_ERROR_COMPILE,
               cuprum_parallel_reduce_array(&sum, 4, NULL, "int32", data, 16, "int32", &zero, 4, op));
    CHECK(strstr(last_error().log, "operator(2)") != NULL);
    SUCCEEDS(cuprum_parallel_operator_destroy(op));
}

/* Sums of floats in an order that is one on every device, and what cannot be kept. */
static void check_determinism(cuprum_parallel_operator plus) {
    cuprum_execution execution = CUPRUM_EXECUTION_INIT;
    /* Each thread has four of them in a row, and the threads' sums are taken in halves. */
    static const float floats[] = {1e8F, 0, 0, 0, 1, 0, 0, 0, -1e8F, 0, 0, 0, 1, 0, 0, 0};
    static const float nothing = 0;
    float sum = -1;
    float sums[16];
    execution.determinism = CUPRUM_DETERMINISM_GPU_TO_GPU;
    SUCCEEDS(cuprum_parallel_reduce_array(&sum, 4, &execution, "float32", floats, 64, "float32", &nothing, 4, plus));
    CHECK(sum == (1e8F + -1e8F) + (1 + 1.0F)); /* in halves */
    FAILS_WITH(CUPRUM_ERROR_UNSUPPORTED, cuprum_parallel_scan_array(sums, 64, &execution, CUPRUM_SCAN_INCLUSIVE,
                                                                    "float32", floats, 64, "float32", NULL, 0, plus));
    MESSAGE_HAS("determinism gpu_to_gpu");
    execution.determinism = 3;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_reduce_array(&sum, 4, &execution, "float32", floats, 64, "float32", &nothing, 4, plus));
    MESSAGE_HAS("CUPRUM_DETERMINISM_*");
    /* A program of before the field, which ends in front of it. */
    execution.struct_size = 24;
    SUCCEEDS(cuprum_parallel_reduce_array(&sum, 4, &execution, "float32", floats, 64, "float32", &nothing, 4, plus));
}

/* 2^100 + 2^64 - 1, lowest half first. */
static void check_wide_integers(cuprum_parallel_operator plus) {
    static const uint64_t numbers[4] = {~UINT64_C(0), 0, 0, UINT64_C(1) << 36};
    static const uint64_t one[2] = {1, 0};
    uint64_t sum[2] = {7, 7};
    SUCCEEDS(cuprum_parallel_reduce_array(sum, 16, NULL, "int128", numbers, 32, "int128", one, 16, plus));
    CHECK(sum[0] == 0 && sum[1] == (UINT64_C(1) << 36) + 1);
}

static void check_executions(cuprum_parallel_operator plus) {
    cuprum_execution execution = CUPRUM_EXECUTION_INIT;
    cuprum_parallel_algorithm sort = NULL;
    int32_t sum = -1;
    const void* saved = NULL;
    uint64_t saved_size = 0;
    SUCCEEDS(cuprum_parallel_reduce_array(&sum, 4, &execution, "int32", data, 16, "int32", &zero, 4, plus));
    CHECK(sum == 16);
    sum = -1;
    execution.device = 1000;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_reduce_array(&sum, 4, &execution, "int32", data, 16, "int32", &zero, 4, plus));
    MESSAGE_HAS("1000");
    execution.device = 0;
    execution.kind = 3;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_reduce_array(&sum, 4, &execution, "int32", data, 16, "int32", &zero, 4, plus));
    MESSAGE_HAS("has the kind 3");
    execution.kind = CUPRUM_EXECUTION_AHEAD_OF_TIME;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_radix_sort_build(&sort, &execution, CUPRUM_SORT_ASCENDING, "int32", NULL));
    MESSAGE_HAS("names no architecture");
    execution.architectures = "compute_80,compute_90";
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_reduce_array(&sum, 4, &execution, "int32", data, 16, "int32", &zero, 4, plus));
    MESSAGE_HAS("this call runs one at once");
    execution.kind = CUPRUM_EXECUTION_DEVICE;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_radix_sort_build(&sort, &execution, CUPRUM_SORT_ASCENDING, "int32", NULL));
    MESSAGE_HAS("\"compute_80,compute_90\"");
    execution.kind = CUPRUM_EXECUTION_AHEAD_OF_TIME;
    execution.struct_size = 20; /* the pointer cut in half */
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_parallel_radix_sort_build(&sort, &execution, CUPRUM_SORT_ASCENDING, "int32", NULL));
    MESSAGE_HAS("struct_size is 20");
    CHECK(sum == -1 && sort == NULL);
    execution.struct_size = sizeof execution;
    SUCCEEDS(cuprum_parallel_radix_sort_build(&sort, &execution, CUPRUM_SORT_ASCENDING, "int32", NULL));
    SUCCEEDS(cuprum_parallel_save(&saved, &saved_size, sort));
    CHECK(saved_size > 1000);
    SUCCEEDS(cuprum_parallel_algorithm_destroy(sort));
}

void test_parallel(void) {
    const cuprum_parallel_operator plus = operator_of("a + b");
    check_calls_over_arrays(plus);
    check_built_algorithm(plus);
    check_executions(plus);
    check_determinism(plus);
    check_wide_integers(plus);
    check_operators();
    SUCCEEDS(cuprum_parallel_operator_destroy(plus));
}
