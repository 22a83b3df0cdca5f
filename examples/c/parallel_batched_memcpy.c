/* A batch of copies: the parts of a text in another order, in one call. */
#include <stdint.h>
#include <string.h>

#include "example.h"

int main(void) {
    const char text[] = "world hello ";
    char found[sizeof text] = {0};
    uint64_t address = 0, addresses[4];
    const int32_t sizes[2] = {6, 6};
    cuprum_parallel_iterator sources, targets, of_sizes;
    cuprum_parallel_algorithm algorithm;
    cuprum_stream stream;
    cuprum_buffer memory;
    int ok;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&memory, 0, 1024, stream));
    must(cuprum_buffer_native(&address, memory));
    addresses[0] = address;           /* from the beginning */
    addresses[1] = address + 6;       /* and behind it, */
    addresses[2] = address + 512 + 6; /* to behind the beginning */
    addresses[3] = address + 512;     /* and to it */
    must(cuprum_buffer_copy_from_host(memory, 0, text, sizeof text, stream));
    must(cuprum_buffer_copy_from_host(memory, 128, addresses, sizeof addresses, stream));
    must(cuprum_buffer_copy_from_host(memory, 256, sizes, sizeof sizes, stream));

    must(cuprum_parallel_iterator_pointer(&sources, "uint64", address + 128));
    must(cuprum_parallel_iterator_pointer(&targets, "uint64", address + 144));
    must(cuprum_parallel_iterator_pointer(&of_sizes, "int32", address + 256));
    must(cuprum_parallel_batched_memcpy_build(&algorithm, NULL, sources, targets, of_sizes));
    must(cuprum_parallel_batched_memcpy(algorithm, stream, sources, targets, of_sizes, 2, 0, 0));
    must(cuprum_buffer_copy_to_host(found, memory, 512, 12, stream));
    must(cuprum_stream_sync(stream));

    ok = strcmp(found, "hello world ") == 0;
    printf("%s\n", ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(of_sizes));
    must(cuprum_parallel_iterator_destroy(targets));
    must(cuprum_parallel_iterator_destroy(sources));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
