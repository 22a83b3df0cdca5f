#include "saxpy.h"
#include "scenarios.h"

/* Page-locked host memory, which the host and kernels use without a copy. */
void test_pinned_memory(void) {
    cuprum_memory_resource resource = NULL;
    cuprum_memory_resource of_buffer = NULL;
    cuprum_buffer buffer = NULL;
    cuprum_buffer of_device = NULL;
    cuprum_buffer borrowed = NULL;
    cuprum_stream stream = NULL;
    uint64_t address = 0;
    uint64_t host_address = 0;
    int32_t answer = -1;
    uint32_t back[2] = {0, 0};
    uint32_t* numbers;

    SUCCEEDS(cuprum_memory_resource_create_legacy_pinned(&resource));
    SUCCEEDS(cuprum_memory_resource_is_host_accessible(&answer, resource));
    CHECK(answer == 1);
    SUCCEEDS(cuprum_memory_resource_is_device_accessible(&answer, resource));
    CHECK(answer == 1);
    SUCCEEDS(cuprum_memory_resource_is_managed(&answer, resource));
    CHECK(answer == 0);
    SUCCEEDS(cuprum_memory_resource_device_id(&answer, resource));
    CHECK(answer == -1);

    SUCCEEDS(cuprum_stream_create(&stream, 0, NULL));
    SUCCEEDS(cuprum_memory_resource_allocate(&buffer, resource, sizeof back, stream));
    SUCCEEDS(cuprum_buffer_allocate(&of_device, 0, sizeof back, NULL));
    SUCCEEDS(cuprum_buffer_native(&address, buffer));
    SUCCEEDS(cuprum_buffer_host_address(&host_address, buffer));
    CHECK(address == host_address);
    numbers = (uint32_t*)(uintptr_t)host_address;
    numbers[0] = 7;
    numbers[1] = 8;
    SUCCEEDS(cuprum_buffer_copy(of_device, 0, buffer, 0, sizeof back, stream));
    SUCCEEDS(cuprum_stream_sync(stream));
    SUCCEEDS(cuprum_buffer_copy_to_host(back, of_device, 0, sizeof back, NULL));
    CHECK(back[0] == 7 && back[1] == 8);
    SUCCEEDS(cuprum_buffer_is_host_accessible(&answer, buffer));
    CHECK(answer == 1);
    SUCCEEDS(cuprum_buffer_is_device_accessible(&answer, buffer));
    CHECK(answer == 1);
    SUCCEEDS(cuprum_buffer_is_managed(&answer, buffer));
    CHECK(answer == 0);

    /* A handle of its own to the same resource, which lives on. */
    SUCCEEDS(cuprum_buffer_memory_resource(&of_buffer, buffer));
    SUCCEEDS(cuprum_memory_resource_destroy(resource));
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_memory_resource_device_id(&answer, resource));
    MESSAGE_HAS("a destroyed memory resource");
    SUCCEEDS(cuprum_memory_resource_is_host_accessible(&answer, of_buffer));
    SUCCEEDS(cuprum_memory_resource_deallocate(of_buffer, 0, 0, NULL));
    SUCCEEDS(cuprum_memory_resource_deallocate(of_buffer, 0, 0, stream));
    FAILS_WITH(CUPRUM_ERROR_DRIVER, cuprum_memory_resource_deallocate(of_buffer, 4096, 8, NULL));
    SUCCEEDS(cuprum_memory_resource_destroy(of_buffer));
    SUCCEEDS(cuprum_memory_resource_destroy(NULL));
    of_buffer = (cuprum_memory_resource)(uintptr_t)1;
    SUCCEEDS(cuprum_buffer_memory_resource(&of_buffer, of_device));
    CHECK(of_buffer == NULL);

    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_buffer_host_address(&host_address, of_device));
    MESSAGE_HAS("viewing a buffer as host memory");
    MESSAGE_HAS("pinned memory resource");
    SUCCEEDS(cuprum_buffer_set_deallocation_stream(buffer, stream));
    SUCCEEDS(cuprum_buffer_from_native(&borrowed, 0, address, sizeof back));
    SUCCEEDS(cuprum_buffer_is_host_accessible(&answer, borrowed));
    CHECK(answer == 1);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_buffer_set_deallocation_stream(borrowed, stream));
    MESSAGE_HAS("borrows");
    SUCCEEDS(cuprum_buffer_destroy(borrowed));
    SUCCEEDS(cuprum_stream_destroy(stream));
    SUCCEEDS(cuprum_buffer_destroy(of_device));
    SUCCEEDS(cuprum_buffer_destroy(buffer));
}
