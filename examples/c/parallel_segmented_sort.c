/* A segmented sort: the scores of each group in descending order. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { n = 7, groups = 2 };

int main(void) {
    const int32_t scores[n] = {12, 40, 31, 7, 25, 18, 3};
    const int32_t expected[n] = {40, 31, 12, 25, 18, 7, 3};
    const int64_t offsets[groups + 1] = {0, 3, n}; /* group i is [offsets[i], offsets[i + 1]) */
    int32_t best[n] = {0};
    uint64_t scores_address = 0, best_address = 0, offsets_address = 0;
    cuprum_parallel_algorithm sort;
    cuprum_stream stream;
    cuprum_buffer device_scores, device_best, device_offsets;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&device_scores, 0, sizeof scores, stream));
    must(cuprum_buffer_allocate(&device_best, 0, sizeof best, stream));
    must(cuprum_buffer_allocate(&device_offsets, 0, sizeof offsets, stream));
    must(cuprum_buffer_native(&scores_address, device_scores));
    must(cuprum_buffer_native(&best_address, device_best));
    must(cuprum_buffer_native(&offsets_address, device_offsets));
    must(cuprum_buffer_copy_from_host(device_scores, 0, scores, sizeof scores, stream));
    must(cuprum_buffer_copy_from_host(device_offsets, 0, offsets, sizeof offsets, stream));

    must(cuprum_parallel_segmented_sort_build(&sort, NULL, CUPRUM_SORT_DESCENDING, "int32", NULL, "int64"));
    must(cuprum_parallel_segmented_sort(sort, stream, scores_address, best_address, 0, 0, n, groups, offsets_address,
                                        offsets_address + sizeof *offsets, 0, 0));
    must(cuprum_buffer_copy_to_host(best, device_best, 0, sizeof best, stream));
    must(cuprum_stream_sync(stream));

    ok = memcmp(best, expected, sizeof expected) == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(sort));
    must(cuprum_buffer_destroy(device_offsets));
    must(cuprum_buffer_destroy(device_best));
    must(cuprum_buffer_destroy(device_scores));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
