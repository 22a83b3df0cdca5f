/* Two processes: a stream of the second one waits for an event that the first one has recorded. */
#define _POSIX_C_SOURCE 200809L
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "example.h"

enum { event_bytes = 64 };
extern char** environ;

/* `text` has the bytes that the event travels as, in an argument of the program. */
static int run_this_program_with(char* text) {
    static char self[] = "/proc/self/exe";
    char* arguments[3];
    pid_t other = 0;
    int status = -1;
    arguments[0] = self;
    arguments[1] = text;
    arguments[2] = NULL;
    if (posix_spawn(&other, self, NULL, NULL, arguments, environ) != 0) {
        return -1;
    }
    waitpid(other, &status, 0);
    return status;
}

static int first_process(void) {
    cuprum_event_options options = CUPRUM_EVENT_OPTIONS_INIT;
    cuprum_stream stream;
    cuprum_buffer buffer;
    cuprum_event event;
    const void* bytes = NULL;
    uint64_t size = 0;
    char text[2 * event_bytes + 1] = "";
    int32_t done = 0;
    char name[256];
    uint32_t round;
    int status;
    int i;

    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&buffer, 0, 1 << 20, stream));
    for (round = 0; round < 10; ++round) {
        must(cuprum_buffer_fill(buffer, round, 1, stream));
    }
    options.ipc_enabled = 1;
    must(cuprum_event_create(&event, 0, &options));
    must(cuprum_stream_record(stream, event));
    must(cuprum_event_ipc_handle(&bytes, &size, event));
    for (i = 0; i < event_bytes; ++i) {
        snprintf(text + 2 * i, 3, "%02x", ((const unsigned char*)bytes)[i]);
    }
    status = run_this_program_with(text);
    must(cuprum_event_is_done(&done, event));
    printf("another process waited for an event of this one on %s: %s\n", device_name(name, sizeof name),
           status == 0 ? "right" : "wrong");
    must(cuprum_event_destroy(event));
    must(cuprum_buffer_destroy(buffer));
    must(cuprum_stream_destroy(stream));
    return status == 0 && done ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int second_process(const char* text) {
    unsigned char bytes[event_bytes];
    cuprum_event event;
    cuprum_stream stream;
    int32_t done = 0;
    int i;

    for (i = 0; i < event_bytes; ++i) {
        const char digits[3] = {text[2 * i], text[2 * i + 1], '\0'};
        bytes[i] = (unsigned char)strtoul(digits, NULL, 16);
    }
    must(cuprum_event_from_ipc_handle(&event, 0, bytes, sizeof bytes, 0));
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_stream_wait_event(stream, event));
    must(cuprum_stream_sync(stream));
    must(cuprum_event_is_done(&done, event));
    must(cuprum_stream_destroy(stream));
    must(cuprum_event_destroy(event));
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int count, char** arguments) {
    return count == 2 ? second_process(arguments[1]) : first_process();
}
