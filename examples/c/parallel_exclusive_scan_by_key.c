/* Prefix sums by key, without the element itself: what each customer had paid before, and 100 of credit. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const int32_t customers[] = {1, 1, 1, 4, 4, 7, 8, 8};
    const int32_t payments[] = {3, 1, 4, 1, 5, 9, 2, 6};
    const int32_t expected_sums[] = {100, 103, 104, 100, 101, 100, 100, 102};
    int32_t sums[8];
    const int32_t init = 100;
    uint64_t address = 0;
    cuprum_parallel_operator plus, is_same;
    cuprum_parallel_iterator in_customers, in_payments;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 3 * step, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, customers, sizeof customers, stream));
    must(cuprum_buffer_copy_from_host(memory, step, payments, sizeof payments, stream));

    must(cuprum_parallel_operator_create(&plus, "plus", NULL, NULL, 0));
    must(cuprum_parallel_operator_create(&is_same, "equal_to", NULL, NULL, 0));
    must(cuprum_parallel_iterator_pointer(&in_customers, "int32", address));
    must(cuprum_parallel_iterator_pointer(&in_payments, "int32", address + step));
    must(cuprum_parallel_exclusive_scan_by_key_build(&algorithm, NULL, in_customers, in_payments, plus, "int32",
                                                     is_same));
    must(cuprum_parallel_exclusive_scan_by_key(algorithm, stream, in_customers, in_payments, address + 2 * step,
                                               sizeof customers / sizeof customers[0], &init, sizeof init, NULL, NULL,
                                               0, 0));
    must(cuprum_buffer_copy_to_host(sums, memory, 2 * step, sizeof sums, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(sums, expected_sums, sizeof sums) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(in_customers));
    must(cuprum_parallel_iterator_destroy(in_payments));
    must(cuprum_parallel_operator_destroy(plus));
    must(cuprum_parallel_operator_destroy(is_same));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
