/* Many copies in one call: pieces of the program's own memory, which is page-locked where it lies, go to a device and
 * come back. */
#include <stdint.h>
#include <string.h>

#include "example.h"

enum { pieces = 20, unit = 1000, n = pieces * (pieces + 1) / 2 * unit }; /* piece i has (i + 1) * unit numbers */

static uint64_t size_of(int piece) {
    return (uint64_t)(piece + 1) * unit * sizeof(int32_t);
}

/* The caller destroys them. */
static void pieces_of(cuprum_buffer* found, cuprum_buffer memory) {
    uint64_t address = 0;
    int i;
    must(cuprum_buffer_native(&address, memory));
    for (i = 0; i < pieces; ++i) {
        must(cuprum_buffer_from_native(&found[i], 0, address, size_of(i)));
        address += size_of(i);
    }
}

static void destroy_all(cuprum_buffer* buffers) {
    int i;
    for (i = 0; i < pieces; ++i) {
        must(cuprum_buffer_destroy(buffers[i]));
    }
}

int main(void) {
    static int32_t values[n], result[n];
    cuprum_copy_options options = CUPRUM_COPY_OPTIONS_INIT;
    cuprum_buffer source, target;
    cuprum_buffer from[pieces], to[pieces], on_device[pieces];
    cuprum_stream stream;
    char name[256];
    int right;
    int i;

    for (i = 0; i < n; ++i) {
        values[i] = i;
    }
    must(cuprum_buffer_register_host_memory(&source, values, sizeof values));
    must(cuprum_buffer_register_host_memory(&target, result, sizeof result));
    must(cuprum_stream_create(&stream, 0, NULL));
    pieces_of(from, source);
    pieces_of(to, target);
    for (i = 0; i < pieces; ++i) {
        must(cuprum_buffer_allocate(&on_device[i], 0, size_of(i), stream));
    }

    options.prefer_overlap_with_compute = 1;
    must(cuprum_copy_batch(stream, from, sizeof from, on_device, sizeof on_device, NULL));
    must(cuprum_copy_batch(stream, on_device, sizeof on_device, to, sizeof to, &options));
    must(cuprum_stream_sync(stream));

    right = memcmp(result, values, sizeof result) == 0;
    printf("%d buffers copied in one call on %s: %s\n", pieces, device_name(name, sizeof name),
           right ? "right" : "wrong");

    destroy_all(on_device);
    destroy_all(to);
    destroy_all(from);
    must(cuprum_stream_destroy(stream));
    must(cuprum_buffer_destroy(target));
    must(cuprum_buffer_destroy(source));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
