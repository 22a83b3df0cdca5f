/* A radix sort by the bits of numbers: keys alone over host data, and on the device keys with values, largest first. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { n = 10000 };
static int32_t data[n], sorted[n], positions[n], again[n];

/* A buffer with a copy of an array, and its address. */
static cuprum_buffer copy_of(const int32_t* array, uint64_t* address, cuprum_stream stream) {
    cuprum_buffer buffer;
    must(cuprum_buffer_allocate(&buffer, 0, n * sizeof *array, stream));
    must(cuprum_buffer_native(address, buffer));
    must(cuprum_buffer_copy_from_host(buffer, 0, array, n * sizeof *array, stream));
    return buffer;
}

int main(void) {
    uint64_t address[4];
    cuprum_parallel_algorithm sort;
    cuprum_stream stream;
    cuprum_buffer buffers[4]; /* keys and values, in and out */
    int32_t is_alternate;
    int i, ok = 1;
    for (i = 0; i < n; ++i) {
        data[i] = (int32_t)((int64_t)i * 7919 % 10007) - 5000;
        positions[i] = i;
    }
    memcpy(sorted, data, sizeof data);
    must(cuprum_parallel_sort_array(NULL, "int32", sorted, sizeof sorted, NULL, NULL, 0, CUPRUM_SORT_ASCENDING, NULL));

    must(cuprum_stream_create(&stream, 0, NULL));
    for (i = 0; i < 4; ++i) {
        buffers[i] = copy_of(i < 2 ? data : positions, &address[i], stream);
    }
    must(cuprum_parallel_radix_sort_build(&sort, NULL, CUPRUM_SORT_DESCENDING, "int32", "int32"));
    must(cuprum_parallel_sort(sort, stream, address[0], address[1], address[2], address[3], n, 0, 0, NULL, 0, 0));
    must(cuprum_buffer_copy_to_host(positions, buffers[3], 0, sizeof positions, stream));
    /* Once more, between two arrays each: no other memory is needed for the keys and values. */
    must(cuprum_parallel_radix_sort_between(&is_alternate, sort, stream, address[0], address[1], address[2], address[3],
                                            n, 0, 0, 0, 0));
    must(cuprum_buffer_copy_to_host(again, buffers[is_alternate ? 3 : 2], 0, sizeof again, stream));
    must(cuprum_stream_sync(stream));

    for (i = 0; i < n; ++i) {
        ok = ok && (i == 0 || sorted[i - 1] <= sorted[i]) && data[positions[i]] == sorted[n - 1 - i];
    }
    ok = ok && memcmp(again, positions, sizeof again) == 0;
    printf("smallest %d, largest %d: %s\n", (int)sorted[0], (int)sorted[n - 1], ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(sort));
    for (i = 0; i < 4; ++i) {
        must(cuprum_buffer_destroy(buffers[i]));
    }
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
