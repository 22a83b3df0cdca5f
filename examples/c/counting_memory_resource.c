/* A memory resource that the program writes: it counts what a pool is asked for. The device then allocates from it.
 */
#include <stdint.h>

#include "example.h"

enum { places = 8 };

/* Memory of another resource, which it counts. For one thread; a resource of several needs a lock. */
typedef struct counting {
    cuprum_memory_resource upstream;
    struct {
        uint64_t address;
        cuprum_buffer buffer; /* NULL: this place is free */
    } live[places];
    uint64_t bytes;
    uint64_t most_bytes;
} counting;

static cuprum_status allocate(void* user_data, uint64_t size, cuprum_stream stream, uint64_t* address_out) {
    counting* self = user_data;
    cuprum_status status;
    int i = 0;

    while (i < places && self->live[i].buffer != NULL) {
        ++i;
    }
    if (i == places) {
        return CUPRUM_ERROR_OUT_OF_MEMORY;
    }
    status = cuprum_memory_resource_allocate(&self->live[i].buffer, self->upstream, size, stream);
    if (status != CUPRUM_SUCCESS) {
        return status; /* the caller gets it, with its message */
    }
    self->bytes += size;
    self->most_bytes = self->bytes > self->most_bytes ? self->bytes : self->most_bytes;
    cuprum_buffer_native(&self->live[i].address, self->live[i].buffer);
    *address_out = self->live[i].address;
    return CUPRUM_SUCCESS;
}

static void deallocate(void* user_data, uint64_t address, uint64_t size, cuprum_stream stream) {
    counting* self = user_data;
    int i = 0;

    while (self->live[i].address != address || self->live[i].buffer == NULL) {
        ++i;
    }
    self->bytes -= size;
    cuprum_buffer_set_deallocation_stream(self->live[i].buffer, stream);
    cuprum_buffer_destroy(self->live[i].buffer);
    self->live[i].buffer = NULL;
}

static void release(void* user_data) {
    counting* self = user_data;
    cuprum_memory_resource_destroy(self->upstream);
}

int main(void) {
    counting self = {0};
    cuprum_memory_resource resource, former;
    cuprum_buffer first, second, third;
    cuprum_stream stream;
    char name[256];
    int wrong;

    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_memory_resource_create_device(&self.upstream, 0, 0));
    must(cuprum_memory_resource_create_user(&resource, CUPRUM_MEMORY_DEVICE, 0, allocate, deallocate, release, &self));
    must(cuprum_memory_resource_of_device(&former, 0));
    must(cuprum_memory_resource_use(0, resource));
    must(cuprum_buffer_allocate(&first, 0, 1000, stream));
    must(cuprum_buffer_allocate(&second, 0, 2000, stream));
    must(cuprum_buffer_fill(first, 0, 1, stream));
    must(cuprum_buffer_destroy(first));
    must(cuprum_memory_resource_allocate(&third, resource, 500, stream));
    wrong = self.bytes != 2500 || self.most_bytes != 3000;
    must(cuprum_buffer_destroy(second));
    must(cuprum_buffer_destroy(third));
    must(cuprum_stream_sync(stream));
    wrong += self.bytes != 0;
    must(cuprum_memory_resource_use(0, former));
    must(cuprum_memory_resource_destroy(former));
    must(cuprum_memory_resource_destroy(resource)); /* the last use of it: release() is called */
    must(cuprum_stream_destroy(stream));
    printf("at most %d bytes at a time on %s: %d wrong\n", (int)self.most_bytes, device_name(name, sizeof name), wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
