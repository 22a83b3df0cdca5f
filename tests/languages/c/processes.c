/* What happens to handles when the process is forked, and when it ends. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "saxpy.h"
#include "scenarios.h"

/* CUDA does not survive a fork: the child's calls fail with a text that says so, and do not hang. */
static void check_child(cuprum_stream of_parent) {
    cuprum_stream stream = NULL;
    int32_t version = 0;
    CHECK(live_handles() == 0);
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_stream_sync(of_parent));
    MESSAGE_HAS("made before this process was forked off");
    SUCCEEDS(cuprum_stream_destroy(of_parent));
    CHECK(cuprum_stream_create(&stream, 0, NULL) != CUPRUM_SUCCESS);
    MESSAGE_HAS("fork");
    CHECK(stream == NULL);
    SUCCEEDS(cuprum_version(&version));
}

void test_fork(void) {
    struct saxpy saxpy;
    int status = -1;
    pid_t child;
    if (open_saxpy(&saxpy) == 0) {
        fflush(stdout);
        child = fork();
        if (child == 0) {
            alarm(20);
            failed_checks = 0;
            check_child(saxpy.stream);
            fflush(stdout);
            _exit(failed_checks == 0 ? 0 : 1);
        }
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        check_saxpy_works(&saxpy, 1000); /* what the child destroyed was not the parent's */
    }
    close_saxpy(&saxpy);
}

static cuprum_stream stream_at_exit = NULL;

static void destroy_at_exit(void) {
    if (cuprum_stream_destroy(stream_at_exit) != CUPRUM_SUCCESS) {
        printf("a stream could not be destroyed while the process exits\n");
        fflush(stdout);
        _exit(1);
    }
}

/* Ends the process while work is under way and everything is alive. Destroying objects then does no harm. */
void test_exit(void) {
    struct saxpy saxpy;
    cuprum_buffer buffer = NULL;
    cuprum_argument arguments[4];
    const cuprum_launch_config config = config_of(4096, 256);
    atexit(destroy_at_exit); /* registered before Cuprum's own, so it runs after it */
    if (open_saxpy(&saxpy) == 0) {
        stream_at_exit = saxpy.stream;
        SUCCEEDS(cuprum_buffer_allocate(&buffer, 0, 4096 * 256 * sizeof(float), saxpy.stream));
        SUCCEEDS(cuprum_buffer_fill(buffer, 0, 4, saxpy.stream));
        arguments[0] = float_argument(2.0);
        arguments[1] = buffer_argument(buffer);
        arguments[2] = buffer_argument(buffer);
        arguments[3] = int_argument(4096 * 256);
        SUCCEEDS(cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
    }
    CHECK(live_handles() == 5);
    exit(failed_checks == 0 ? 0 : 1);
}
