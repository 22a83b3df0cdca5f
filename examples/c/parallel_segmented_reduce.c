/* A segmented reduction: the sum of each row of a matrix whose rows have different lengths. */
#include <stdint.h>

#include "example.h"

enum { n = 10000, rows = 4 };
static int32_t data[n];
static const int64_t offsets[rows + 1] = {0, 10, 10, 4000, n}; /* row i is [offsets[i], offsets[i + 1]) */

int main(void) {
    const int64_t zero = 0;
    int64_t sums[rows] = {0};
    uint64_t data_address = 0, offsets_address = 0, sums_address = 0;
    cuprum_parallel_operator plus;
    cuprum_parallel_iterator elements;
    cuprum_parallel_algorithm reduce;
    cuprum_stream stream;
    cuprum_buffer device_data, device_offsets, device_sums;
    int row, ok = 1;
    int64_t i;
    for (i = 0; i < n; ++i) {
        data[i] = (int32_t)i + 1;
    }
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&device_data, 0, sizeof data, stream));
    must(cuprum_buffer_allocate(&device_offsets, 0, sizeof offsets, stream));
    must(cuprum_buffer_allocate(&device_sums, 0, sizeof sums, stream));
    must(cuprum_buffer_native(&data_address, device_data));
    must(cuprum_buffer_native(&offsets_address, device_offsets));
    must(cuprum_buffer_native(&sums_address, device_sums));
    must(cuprum_buffer_copy_from_host(device_data, 0, data, sizeof data, stream));
    must(cuprum_buffer_copy_from_host(device_offsets, 0, offsets, sizeof offsets, stream));

    must(cuprum_parallel_operator_create(&plus, "plus", NULL, NULL, 0));
    must(cuprum_parallel_iterator_pointer(&elements, "int32", data_address));
    must(cuprum_parallel_segmented_reduce_build(&reduce, NULL, elements, plus, "int64", "int64"));
    must(cuprum_parallel_segmented_reduce(reduce, stream, elements, sums_address, rows, offsets_address,
                                          offsets_address + sizeof *offsets, &zero, sizeof zero, NULL));
    must(cuprum_buffer_copy_to_host(sums, device_sums, 0, sizeof sums, stream));
    must(cuprum_stream_sync(stream));

    for (row = 0; row < rows; ++row) {
        int64_t expected = 0;
        for (i = offsets[row]; i < offsets[row + 1]; ++i) {
            expected += data[i];
        }
        printf("row %d: %lld\n", row, (long long)sums[row]);
        ok = ok && sums[row] == expected;
    }
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(reduce));
    must(cuprum_parallel_iterator_destroy(elements));
    must(cuprum_parallel_operator_destroy(plus));
    must(cuprum_buffer_destroy(device_sums));
    must(cuprum_buffer_destroy(device_offsets));
    must(cuprum_buffer_destroy(device_data));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
