/* A checkpoint of this process: while its GPU memory is in the host's, it holds no GPU, which others may use. A GPU's
 * driver leaves that to another process; there this one says so. */
#include <unistd.h>

#include "example.h"

enum { n = 1000 };

static int32_t values[n];

int main(void) {
    const int32_t process = (int32_t)getpid();
    int32_t is_simulator = 0;
    int32_t state = 0;
    cuprum_stream stream;
    cuprum_buffer buffer;
    char name[256];
    int wrong = 0;
    int i;

    must(cuprum_device_is_simulator(&is_simulator, 0));
    if (!is_simulator) {
        printf("checkpoint on %s: has to be made by another process\n", device_name(name, sizeof name));
        return EXIT_SUCCESS;
    }
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&buffer, 0, sizeof values, stream));
    must(cuprum_buffer_fill(buffer, 42, 4, stream));
    must(cuprum_stream_sync(stream));

    must(cuprum_checkpoint_process_lock(process, 0));    /* from here on every other call of CUDA waits */
    must(cuprum_checkpoint_process_checkpoint(process)); /* the GPU is free */
    must(cuprum_checkpoint_process_state(&state, process));
    wrong += state != CUPRUM_PROCESS_CHECKPOINTED;
    must(cuprum_checkpoint_process_restore(process, NULL, 0, NULL, 0));
    must(cuprum_checkpoint_process_unlock(process));

    must(cuprum_buffer_copy_to_host(values, buffer, 0, sizeof values, stream));
    must(cuprum_stream_sync(stream));
    for (i = 0; i < n; ++i) {
        wrong += values[i] != 42;
    }
    must(cuprum_buffer_destroy(buffer));
    must(cuprum_stream_destroy(stream));
    printf("checkpoint on %s: %d wrong\n", device_name(name, sizeof name), wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
