/* Streams that call functions of the program between their work, and that wait for words of memory and write them. */
#include <stdint.h>

#include "example.h"

enum { rounds = 5 };

struct seen {
    volatile uint32_t* answer;
    uint32_t values[rounds];
    int count;
};

static void look(void* user_data) {
    struct seen* const seen = user_data;
    seen->values[seen->count++] = *seen->answer;
}

int main(void) {
    cuprum_memory_resource pinned;
    cuprum_stream stream;
    cuprum_buffer memory;
    uint64_t address = 0;
    volatile uint32_t* words; /* a counter, and what the stream answers */
    struct seen seen = {0};
    char name[256];
    uint32_t round;
    int wrong;
    int i;

    must(cuprum_memory_resource_create_legacy_pinned(&pinned));
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_memory_resource_allocate(&memory, pinned, 2 * sizeof(uint32_t), stream));
    must(cuprum_buffer_host_address(&address, memory));
    words = (volatile uint32_t*)(uintptr_t)address;
    words[0] = words[1] = 0;
    seen.answer = &words[1];

    /* The whole of it is put into the stream at once, before any of it runs. */
    for (round = 1; round <= rounds; ++round) {
        must(cuprum_stream_wait_value32(stream, memory, 0, round, CUPRUM_WAIT_GREATER_OR_EQUAL, 0));
        must(cuprum_stream_write_value32(stream, memory, sizeof(uint32_t), 10 * round));
        must(cuprum_stream_launch_host_function(stream, look, &seen));
    }
    for (round = 1; round <= rounds; ++round) {
        words[0] = round;
    }
    must(cuprum_stream_sync(stream));

    wrong = seen.count != rounds;
    for (i = 0; i < seen.count; ++i) {
        wrong += seen.values[i] != 10 * (uint32_t)(i + 1);
    }
    printf("%d rounds of a stream and the CPU on %s: %d wrong\n", rounds, device_name(name, sizeof name), wrong);

    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    must(cuprum_memory_resource_destroy(pinned));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
