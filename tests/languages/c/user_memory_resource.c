#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "saxpy.h"
#include "scenarios.h"

/* A resource that the program writes: it counts what it takes from another one. */
typedef struct counter {
    cuprum_memory_resource upstream;
    cuprum_buffer buffers[4];
    int live;
    int releases;
    int streams; /* calls with a stream */
    cuprum_status failure;
} counter;

static cuprum_status allocate(void* user_data, uint64_t size, cuprum_stream stream, uint64_t* address_out) {
    counter* const self = user_data;
    cuprum_status status;
    if (self->failure != CUPRUM_SUCCESS) return self->failure;
    status = cuprum_memory_resource_allocate(&self->buffers[self->live], self->upstream, size, stream);
    if (status != CUPRUM_SUCCESS) return status;
    self->streams += stream != NULL;
    return cuprum_buffer_native(address_out, self->buffers[self->live++]);
}

static void deallocate(void* user_data, uint64_t address, uint64_t size, cuprum_stream stream) {
    counter* const self = user_data;
    uint64_t held = 0;
    int i;
    (void)size;
    self->streams += stream != NULL;
    for (i = 0; i < self->live; ++i) {
        cuprum_buffer const buffer = self->buffers[i];
        SUCCEEDS(cuprum_buffer_native(&held, buffer));
        if (held != address) continue;
        if (stream != NULL) SUCCEEDS(cuprum_buffer_set_deallocation_stream(buffer, stream));
        self->buffers[i] = self->buffers[--self->live];
        SUCCEEDS(cuprum_buffer_destroy(buffer));
        return;
    }
    CHECK(!"memory of this resource");
}

static void release(void* user_data) {
    ++((counter*)user_data)->releases;
}

void test_user_memory_resource(void) {
    counter self = {0};
    cuprum_memory_resource resource = NULL;
    cuprum_memory_resource former = NULL;
    cuprum_memory_resource current = NULL;
    cuprum_buffer buffer = NULL;
    cuprum_buffer empty = NULL;
    cuprum_stream stream = NULL;
    uint64_t number = 0;
    int32_t answer = -1;

    SUCCEEDS(cuprum_stream_create(&stream, 0, NULL));
    SUCCEEDS(cuprum_memory_resource_create_device(&self.upstream, 0, 0));
    SUCCEEDS(
        cuprum_memory_resource_create_user(&resource, CUPRUM_MEMORY_DEVICE, 0, allocate, deallocate, release, &self));
    SUCCEEDS(cuprum_memory_resource_user_data(&number, resource));
    CHECK(number == (uint64_t)(uintptr_t)&self);
    SUCCEEDS(cuprum_memory_resource_user_data(&number, self.upstream));
    CHECK(number == 0);
    SUCCEEDS(cuprum_memory_resource_is_host_accessible(&answer, resource));
    CHECK(answer == 0);
    SUCCEEDS(cuprum_memory_resource_device_id(&answer, resource));
    CHECK(answer == 0);
    SUCCEEDS(cuprum_memory_resource_native(&number, resource));
    CHECK(number == 0);

    SUCCEEDS(cuprum_memory_resource_allocate(&buffer, resource, 16, stream));
    CHECK(self.live == 1 && self.streams == 1);
    SUCCEEDS(cuprum_buffer_fill(buffer, 7, 1, stream));
    SUCCEEDS(cuprum_memory_resource_allocate(&empty, resource, 0, stream));
    CHECK(self.live == 1);
    SUCCEEDS(cuprum_buffer_destroy(empty));
    SUCCEEDS(cuprum_buffer_destroy(buffer));
    CHECK(self.live == 0 && self.streams == 2);

    /* What the program's function returns is what the caller gets, with the texts of the call that has failed. */
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_memory_resource_allocate(&buffer, resource, 16, NULL));
    MESSAGE_HAS("a pool allocates in a stream");
    self.failure = CUPRUM_ERROR_OUT_OF_MEMORY;
    FAILS_WITH(CUPRUM_ERROR_OUT_OF_MEMORY, cuprum_memory_resource_allocate(&buffer, resource, 16, stream));
    MESSAGE_HAS("its function has returned CUPRUM_ERROR_OUT_OF_MEMORY");
    self.failure = 1000;
    FAILS_WITH(CUPRUM_ERROR_INVALID_STATE, cuprum_memory_resource_allocate(&buffer, resource, 16, stream));
    MESSAGE_HAS("its function has returned 1000, which is not a status");
    self.failure = CUPRUM_SUCCESS;

    /* Memory that is the program's already becomes a buffer's. */
    SUCCEEDS(allocate(&self, 16, stream, &number));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_buffer_from_resource(&buffer, resource, 0, 16, stream));
    SUCCEEDS(cuprum_buffer_from_resource(&buffer, resource, number, 16, stream));
    SUCCEEDS(cuprum_buffer_destroy(buffer));
    CHECK(self.live == 0);

    SUCCEEDS(cuprum_memory_resource_of_device(&former, 0));
    SUCCEEDS(cuprum_memory_resource_use(0, resource));
    SUCCEEDS(cuprum_memory_resource_destroy(resource));
    SUCCEEDS(cuprum_memory_resource_chosen(&current, 0));
    SUCCEEDS(cuprum_memory_resource_user_data(&number, current));
    CHECK(number == (uint64_t)(uintptr_t)&self);
    SUCCEEDS(cuprum_memory_resource_destroy(current));
    SUCCEEDS(cuprum_memory_resource_of_device(&current, 0)); /* the driver's pool is what it was */
    SUCCEEDS(cuprum_memory_resource_user_data(&number, current));
    CHECK(number == 0);
    SUCCEEDS(cuprum_memory_resource_destroy(current));
    SUCCEEDS(cuprum_buffer_allocate(&buffer, 0, 16, stream));
    CHECK(self.live == 1);
    SUCCEEDS(cuprum_memory_resource_use(0, former));
    CHECK(self.releases == 0);
    SUCCEEDS(cuprum_buffer_destroy(buffer));
    CHECK(self.live == 0 && self.releases == 1);
    SUCCEEDS(cuprum_memory_resource_destroy(former));

    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_memory_resource_create_user(&resource, 5, 0, allocate, deallocate, release, &self));
    MESSAGE_HAS("expected a device's (1), page-locked (2), managed (3) or host memory (4); given 5");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_memory_resource_create_user(&resource, CUPRUM_MEMORY_DEVICE, -1,
                                                                                 allocate, deallocate, release, &self));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_memory_resource_create_user(&resource, CUPRUM_MEMORY_DEVICE, 0, allocate, NULL, release, &self));
    CHECK(self.releases == 1);
    SUCCEEDS(cuprum_memory_resource_destroy(self.upstream));
    SUCCEEDS(cuprum_stream_destroy(stream));
}

static cuprum_status allocate_on_heap(void* user_data, uint64_t size, cuprum_stream stream, uint64_t* address_out) {
    (void)user_data;
    (void)stream;
    *address_out = (uint64_t)(uintptr_t)malloc(size);
    return CUPRUM_SUCCESS;
}

static int may_free = 0;

static void free_on_heap(void* user_data, uint64_t address, uint64_t size, cuprum_stream stream) {
    (void)user_data;
    (void)size;
    (void)stream;
    free((void*)(uintptr_t)address);
    if (may_free) return;
    printf("memory was freed\n");
    fflush(stdout);
    _exit(1);
}

static cuprum_buffer a_buffer_of_heap(void) {
    cuprum_memory_resource resource = NULL;
    cuprum_buffer buffer = NULL;
    SUCCEEDS(cuprum_memory_resource_create_user(&resource, CUPRUM_MEMORY_HOST, -1, allocate_on_heap, free_on_heap, NULL,
                                                NULL));
    SUCCEEDS(cuprum_memory_resource_allocate(&buffer, resource, 16, NULL));
    SUCCEEDS(cuprum_memory_resource_destroy(resource));
    return buffer;
}

/* In a child the program's functions are not called. */
void test_user_memory_resource_fork(void) {
    cuprum_buffer const buffer = a_buffer_of_heap();
    int status = -1;
    pid_t child;
    fflush(stdout);
    child = fork();
    if (child == 0) _exit(cuprum_buffer_destroy(buffer) == CUPRUM_SUCCESS ? 0 : 2);
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    may_free = 1;
    SUCCEEDS(cuprum_buffer_destroy(buffer));
}

static cuprum_buffer buffer_at_exit = NULL;

static void destroy_buffer_at_exit(void) {
    if (cuprum_buffer_destroy(buffer_at_exit) != CUPRUM_SUCCESS) _exit(2);
}

/* Nor once the process exits. */
void test_user_memory_resource_exit(void) {
    atexit(destroy_buffer_at_exit); /* registered before Cuprum's own, so it runs after it */
    buffer_at_exit = a_buffer_of_heap();
    exit(failed_checks == 0 ? 0 : 1);
}
