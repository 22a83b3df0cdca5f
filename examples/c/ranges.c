/* What a program does, for tools to see: ranges and marks of NVTX, which Nsight Systems and Cuprum's own trace show
 * (`cuprum trace -- build/bin/ranges_c`); and how many handles are alive. */
#include <string.h>

#include "example.h"

enum { n = 1000 };

static int32_t values[n];

/* Of a kind: "stream". */
static uint64_t live_handles(const char* wanted) {
    uint32_t kinds = 0;
    uint32_t kind;
    must(cuprum_handle_kind_count(&kinds));
    for (kind = 0; kind < kinds; ++kind) {
        const char* name = NULL;
        uint64_t count = 0;
        must(cuprum_live_handles_of_kind(&name, &count, kind));
        if (strcmp(name, wanted) == 0) {
            return count;
        }
    }
    return UINT64_MAX;
}

int main(void) {
    cuprum_stream stream;
    cuprum_buffer buffer;
    uint64_t copying = 0;
    int32_t depth = 0;
    char name[256];
    int wrong = 0;
    int i;

    must(cuprum_nvtx_push_range(&depth, "fill and copy"));
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&buffer, 0, sizeof values, stream));
    must(cuprum_nvtx_start_range(&copying, "copying"));
    must(cuprum_buffer_fill(buffer, 42, 4, stream));
    must(cuprum_nvtx_mark("filled"));
    must(cuprum_buffer_copy_to_host(values, buffer, 0, sizeof values, stream));
    must(cuprum_stream_sync(stream));
    must(cuprum_nvtx_end_range(copying));
    for (i = 0; i < n; ++i) {
        wrong += values[i] != 42;
    }
    wrong += live_handles("stream") != 1 || live_handles("buffer") != 1;
    must(cuprum_buffer_destroy(buffer));
    must(cuprum_stream_destroy(stream));
    must(cuprum_nvtx_pop_range(&depth));
    wrong += depth != 0 || live_handles("stream") != 0 || live_handles("buffer") != 0;
    printf("ranges on %s: %d wrong\n", device_name(name, sizeof name), wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
