/* Memory pools: a device's, with what it holds; page-locked host memory; and managed memory, which moves.
 */
#include <stdint.h>

#include "example.h"

enum { n = 100000 };
static const uint64_t size = n * sizeof(int32_t);

static uint64_t attribute_of(cuprum_memory_resource pool, int32_t attribute) {
    uint64_t value = 0;
    must(cuprum_memory_resource_pool_attribute(&value, pool, attribute));
    return value;
}

static int32_t* values_of(cuprum_buffer buffer) {
    uint64_t address = 0;
    must(cuprum_buffer_host_address(&address, buffer));
    return (int32_t*)(uintptr_t)address;
}

/* What is freed stays with the pool, up to its threshold, until it is trimmed. */
static int device_pool(cuprum_stream stream) {
    cuprum_memory_resource pool;
    uint64_t held;
    int wrong;
    int round;

    must(cuprum_memory_resource_create_device(&pool, 0, 64 << 20));
    must(cuprum_memory_resource_set_pool_attribute(pool, CUPRUM_POOL_RELEASE_THRESHOLD, 64 << 20));
    for (round = 0; round < 3; ++round) {
        cuprum_buffer buffer;
        must(cuprum_memory_resource_allocate(&buffer, pool, size, stream));
        must(cuprum_buffer_fill(buffer, 0, 1, stream));
        must(cuprum_buffer_destroy(buffer));
    }
    must(cuprum_stream_sync(stream));
    wrong = attribute_of(pool, CUPRUM_POOL_USED_MEM_CURRENT) != 0;
    held = attribute_of(pool, CUPRUM_POOL_RESERVED_MEM_CURRENT);
    must(cuprum_memory_resource_trim_to(pool, 0));
    wrong += held < size || attribute_of(pool, CUPRUM_POOL_RESERVED_MEM_CURRENT) != 0;
    must(cuprum_memory_resource_destroy(pool));
    return wrong;
}

static int host_pools(cuprum_stream stream) {
    cuprum_memory_resource pinned, managed;
    cuprum_buffer source, moving;
    int wrong;
    int i;

    must(cuprum_memory_resource_of_pinned_memory(&pinned));
    must(cuprum_memory_resource_of_managed_memory(&managed));
    must(cuprum_memory_resource_allocate(&source, pinned, size, stream));
    must(cuprum_memory_resource_allocate(&moving, managed, size, stream));
    must(cuprum_stream_sync(stream)); /* before the host uses what was allocated in the stream */
    for (i = 0; i < n; ++i) {
        values_of(source)[i] = i;
    }
    must(cuprum_buffer_prefetch(moving, CUPRUM_LOCATION_DEVICE, 0, stream));
    must(cuprum_buffer_copy(moving, 0, source, 0, size, stream));
    must(cuprum_buffer_prefetch(moving, CUPRUM_LOCATION_HOST, 0, stream));
    must(cuprum_stream_sync(stream));
    wrong = values_of(moving)[n - 1] != n - 1;
    must(cuprum_buffer_destroy(moving));
    must(cuprum_buffer_destroy(source));
    must(cuprum_memory_resource_destroy(managed));
    must(cuprum_memory_resource_destroy(pinned));
    return wrong;
}

int main(void) {
    cuprum_stream stream;
    char name[256];
    int wrong;

    must(cuprum_stream_create(&stream, 0, NULL));
    wrong = device_pool(stream) + host_pools(stream);
    must(cuprum_stream_destroy(stream));
    printf("pools of device, pinned and managed memory on %s: %d wrong\n", device_name(name, sizeof name), wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
