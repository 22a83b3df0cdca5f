/* A segmented scan: the running total of each account, whose bookings lie one after another. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const int32_t amounts[] = {5, 10, -3, 7, 7, -4};
    const int64_t begins[] = {0, 3, 3};
    const int64_t ends[] = {3, 3, 6};
    const int32_t expected_balances[] = {5, 15, 12, 7, 14, 10};
    int32_t balances[6];
    uint64_t address = 0;
    cuprum_parallel_operator plus;
    cuprum_parallel_iterator in_amounts;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 4 * step, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, amounts, sizeof amounts, stream));
    must(cuprum_buffer_copy_from_host(memory, step, begins, sizeof begins, stream));
    must(cuprum_buffer_copy_from_host(memory, 2 * step, ends, sizeof ends, stream));

    must(cuprum_parallel_operator_create(&plus, "plus", NULL, NULL, 0));
    must(cuprum_parallel_iterator_pointer(&in_amounts, "int32", address));
    must(cuprum_parallel_segmented_scan_build(&algorithm, NULL, CUPRUM_SCAN_INCLUSIVE, in_amounts, plus, "int32",
                                              "int64"));
    must(cuprum_parallel_segmented_scan(algorithm, stream, in_amounts, address + 3 * step, 6, 3, address + step,
                                        address + 2 * step, NULL, 0, NULL));
    must(cuprum_buffer_copy_to_host(balances, memory, 3 * step, sizeof balances, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(balances, expected_balances, sizeof balances) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(in_amounts));
    must(cuprum_parallel_operator_destroy(plus));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
