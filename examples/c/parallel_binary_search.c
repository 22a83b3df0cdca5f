/* Binary search: which tax bracket each income is in, by the brackets' lower limits. */
#include <stdint.h>
#include <string.h>

#include "example.h"

int main(void) {
    const int32_t limits[] = {0, 12000, 50000, 120000};
    const int32_t incomes[] = {49999, 50000, 0, 300000, 12001};
    const int32_t expected[] = {2, 3, 1, 4, 2};
    int32_t brackets[5] = {0};
    uint64_t limits_address = 0, incomes_address = 0;
    cuprum_parallel_operator less;
    cuprum_parallel_iterator data, values;
    cuprum_parallel_algorithm search;
    cuprum_stream stream;
    cuprum_buffer device_limits, device_incomes;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&device_limits, 0, sizeof limits, stream));
    must(cuprum_buffer_allocate(&device_incomes, 0, sizeof incomes, stream));
    must(cuprum_buffer_native(&limits_address, device_limits));
    must(cuprum_buffer_native(&incomes_address, device_incomes));
    must(cuprum_buffer_copy_from_host(device_limits, 0, limits, sizeof limits, stream));
    must(cuprum_buffer_copy_from_host(device_incomes, 0, incomes, sizeof incomes, stream));

    /* How many limits are at most the income; written over the incomes. */
    must(cuprum_parallel_operator_create(&less, "less", NULL, NULL, 0));
    must(cuprum_parallel_iterator_pointer(&data, "int32", limits_address));
    must(cuprum_parallel_iterator_pointer(&values, "int32", incomes_address));
    must(cuprum_parallel_binary_search_build(&search, NULL, CUPRUM_BOUND_UPPER, data, values, less, "int32"));
    must(cuprum_parallel_binary_search(search, stream, data, 4, values, incomes_address, 5, NULL));
    must(cuprum_buffer_copy_to_host(brackets, device_incomes, 0, sizeof brackets, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(brackets, expected, sizeof expected) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(search));
    must(cuprum_parallel_iterator_destroy(values));
    must(cuprum_parallel_iterator_destroy(data));
    must(cuprum_parallel_operator_destroy(less));
    must(cuprum_buffer_destroy(device_incomes));
    must(cuprum_buffer_destroy(device_limits));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
