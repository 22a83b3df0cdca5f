/* The top key with its value: who is the cheapest. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { step = 256 }; /* from one array to the next in the memory on the device */

int main(void) {
    const int32_t prices[] = {70, 42, 31, 55};
    const int32_t shops[] = {1, 2, 3, 4};
    const int32_t expected_lowest[] = {31};
    const int32_t expected_cheapest[] = {3};
    int32_t lowest[1];
    int32_t cheapest[1];
    uint64_t address = 0;
    cuprum_parallel_iterator in_prices, in_shops;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 4 * step, stream));
    must(cuprum_buffer_native(&address, memory));
    must(cuprum_buffer_copy_from_host(memory, 0, prices, sizeof prices, stream));
    must(cuprum_buffer_copy_from_host(memory, step, shops, sizeof shops, stream));

    must(cuprum_parallel_iterator_pointer(&in_prices, "int32", address));
    must(cuprum_parallel_iterator_pointer(&in_shops, "int32", address + step));
    must(cuprum_parallel_topk_pairs_build(&algorithm, NULL, CUPRUM_SORT_ASCENDING, in_prices, in_shops));
    must(cuprum_parallel_topk_pairs(algorithm, stream, in_prices, in_shops, address + 2 * step, address + 3 * step, 1,
                                    4, 0, 0));
    must(cuprum_buffer_copy_to_host(lowest, memory, 2 * step, sizeof lowest, stream));
    must(cuprum_buffer_copy_to_host(cheapest, memory, 3 * step, sizeof cheapest, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(lowest, expected_lowest, sizeof lowest) == 0 &&
         memcmp(cheapest, expected_cheapest, sizeof cheapest) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(in_shops));
    must(cuprum_parallel_iterator_destroy(in_prices));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
