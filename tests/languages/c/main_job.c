#include <stdlib.h>

#include "saxpy.h"
#include "scenarios.h"

void test_main_job(void) {
    struct saxpy saxpy;
    cuprum_event start = NULL;
    cuprum_event end = NULL;
    cuprum_event_options timing = {sizeof timing, 1, 0, 0};
    float milliseconds = -1.0f;
    int32_t done = -1;
    if (open_saxpy(&saxpy) == 0) {
        SUCCEEDS(cuprum_event_create(&start, 0, &timing));
        SUCCEEDS(cuprum_event_create(&end, 0, &timing));
        SUCCEEDS(cuprum_stream_record(saxpy.stream, start));
        check_saxpy_works(&saxpy, 1 << 16);
        check_saxpy_works(&saxpy, 1);
        check_saxpy_works(&saxpy, 257);
        SUCCEEDS(cuprum_stream_record(saxpy.stream, end));
        SUCCEEDS(cuprum_event_sync(end));
        SUCCEEDS(cuprum_event_is_done(&done, end));
        CHECK(done == 1);
        SUCCEEDS(cuprum_event_elapsed_time(&milliseconds, start, end));
        CHECK(milliseconds > 0.0f && milliseconds < 60000.0f);
        SUCCEEDS(cuprum_event_destroy(start));
        SUCCEEDS(cuprum_event_destroy(end));

        /* A kernel keeps its code: program and object code may go before it. */
        SUCCEEDS(cuprum_program_destroy(saxpy.program));
        SUCCEEDS(cuprum_object_code_destroy(saxpy.code));
        saxpy.program = NULL;
        saxpy.code = NULL;
        check_saxpy_works(&saxpy, 1000);
    }
    close_saxpy(&saxpy);
}

void test_streams_and_events(void) {
    cuprum_stream_options blocking = {sizeof blocking, 1, 0};
    cuprum_stream stream = NULL;
    cuprum_stream other = NULL;
    cuprum_stream fallback = NULL;
    cuprum_stream borrowed = NULL;
    cuprum_event event = NULL;
    cuprum_event untimed = NULL;
    cuprum_event_options timing = {sizeof timing, 1, 1, 0};
    uint64_t native = 0;
    uint64_t again = 1;
    int32_t value = -1;
    float milliseconds = 12.5f;

    SUCCEEDS(cuprum_stream_create(&stream, 0, NULL));
    SUCCEEDS(cuprum_stream_is_capturing(&value, stream));
    CHECK(value == 0);
    SUCCEEDS(cuprum_stream_is_nonblocking(&value, stream));
    CHECK(value == 1);
    SUCCEEDS(cuprum_stream_create(&other, 0, &blocking));
    SUCCEEDS(cuprum_stream_is_nonblocking(&value, other));
    CHECK(value == 0);
    SUCCEEDS(cuprum_stream_priority(&value, other));
    CHECK(value == 0);
    SUCCEEDS(cuprum_stream_device(&value, other));
    CHECK(value == 0);
    SUCCEEDS(cuprum_stream_sync(stream));
    SUCCEEDS(cuprum_stream_is_done(&value, stream));
    CHECK(value == 1);

    SUCCEEDS(cuprum_stream_native(&native, stream));
    CHECK(native != 0);
    SUCCEEDS(cuprum_stream_from_native(&borrowed, 0, native));
    SUCCEEDS(cuprum_stream_native(&again, borrowed));
    CHECK(native == again);
    SUCCEEDS(cuprum_stream_sync(borrowed));
    SUCCEEDS(cuprum_stream_destroy(borrowed));
    SUCCEEDS(cuprum_stream_sync(stream)); /* borrowing did not destroy it */

    SUCCEEDS(cuprum_stream_default(&fallback, 0));
    SUCCEEDS(cuprum_stream_sync(fallback));

    SUCCEEDS(cuprum_event_create(&untimed, 0, NULL));
    SUCCEEDS(cuprum_event_create(&event, 0, &timing));
    SUCCEEDS(cuprum_event_device(&value, event));
    CHECK(value == 0);
    SUCCEEDS(cuprum_event_native(&native, event));
    CHECK(native != 0);
    FAILS_WITH(CUPRUM_ERROR_INVALID_STATE, cuprum_event_elapsed_time(&milliseconds, event, event)); /* not recorded */
    SUCCEEDS(cuprum_stream_record(stream, untimed));
    SUCCEEDS(cuprum_stream_record(stream, event));
    SUCCEEDS(cuprum_stream_wait_event(other, event));
    SUCCEEDS(cuprum_stream_wait_stream(other, stream));
    SUCCEEDS(cuprum_stream_sync(other));
    SUCCEEDS(cuprum_event_sync(untimed));
    FAILS_WITH(CUPRUM_ERROR_INVALID_STATE, cuprum_event_elapsed_time(&milliseconds, untimed, event));
    CHECK(milliseconds == 12.5f);
    SUCCEEDS(cuprum_event_elapsed_time(&milliseconds, event, event));
    CHECK(milliseconds == 0.0f);

    SUCCEEDS(cuprum_event_destroy(event));
    SUCCEEDS(cuprum_event_destroy(untimed));
    SUCCEEDS(cuprum_stream_destroy(fallback));
    SUCCEEDS(cuprum_stream_destroy(other));
    SUCCEEDS(cuprum_stream_destroy(stream));
}

void test_device_queries(void) {
    cuprum_device_properties properties;
    const char* text = "";
    char name[256];
    int32_t count = -1;
    int32_t value = -1;
    int32_t is_simulator = -1;
    uint64_t free_memory = 0;
    uint64_t total_memory = 0;
    SUCCEEDS(cuprum_version(&value));
    CHECK(value == CUPRUM_VERSION_MAJOR * 1000000 + CUPRUM_VERSION_MINOR * 1000 + CUPRUM_VERSION_PATCH);
    SUCCEEDS(cuprum_device_count(&count));
    CHECK(count >= 1);
    SUCCEEDS(cuprum_device_name(&text, 0));
    strncpy(name, text, sizeof name - 1);
    name[sizeof name - 1] = '\0';
    SUCCEEDS(cuprum_device_is_simulator(&is_simulator, 0));
    CHECK(is_simulator == (strstr(name, "imulator") != NULL)); /* the name says plainly what it is */
    SUCCEEDS(cuprum_device_uuid(&text, 0));
    CHECK(strncmp(text, "GPU-", 4) == 0 && strlen(text) == 40);
    SUCCEEDS(cuprum_device_pci_bus_id(&text, 0));
    CHECK(strlen(text) == 12);

    memset(&properties, 0, sizeof properties);
    properties.struct_size = sizeof properties;
    SUCCEEDS(cuprum_device_properties_get(&properties, 0));
    CHECK(properties.struct_size == sizeof properties);
    CHECK(properties.warp_size == 32);
    CHECK(properties.max_threads_per_block == 1024);
    CHECK(properties.multiprocessor_count >= 1);
    CHECK(properties.max_grid_dim_x == 2147483647);
    CHECK(properties.is_simulator == is_simulator);
    SUCCEEDS(cuprum_device_arch(&text, 0));
    sprintf(name, "%d%d", (int)properties.compute_capability_major, (int)properties.compute_capability_minor);
    CHECK_TEXT(name, text);
    SUCCEEDS(cuprum_device_attribute(&value, 0, 10)); /* CU_DEVICE_ATTRIBUTE_WARP_SIZE */
    CHECK(value == 32);

    SUCCEEDS(cuprum_device_memory_info(&free_memory, &total_memory, 0));
    CHECK(free_memory > 0 && free_memory <= total_memory);
    SUCCEEDS(cuprum_device_memory_info(NULL, &total_memory, 0));
    SUCCEEDS(cuprum_device_memory_info(&free_memory, NULL, 0));
    SUCCEEDS(cuprum_driver_version(&value));
    CHECK(value >= 12000);
    SUCCEEDS(cuprum_nvrtc_version(&value, &count));
    CHECK(value >= 12);
    SUCCEEDS(cuprum_device_sync(0));
    SUCCEEDS(cuprum_device_set_current(0));
}

void test_name_expressions(void) {
    static const char source[] =
        "template <class T> __global__ void scale(T* data, T factor) { data[threadIdx.x] *= factor; }\n";
    static const char* const names[] = {"scale<float>", "scale<double>"};
    static const char* const options[] = {"--std=c++20", "-DUNUSED=1"};
    cuprum_program program = NULL;
    cuprum_object_code code = NULL;
    cuprum_kernel kernel = NULL;
    const char* lowered = "";
    const char* log = NULL;
    uint32_t count = 0;
    SUCCEEDS(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "scale.cu", options, 2));
    SUCCEEDS(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, names, 2));
    SUCCEEDS(cuprum_program_log(&log));
    CHECK(log != NULL);
    SUCCEEDS(cuprum_object_code_lowered_name(&lowered, code, "scale<double>"));
    CHECK(lowered[0] == '_' && strstr(lowered, "scale") != NULL);
    lowered = "untouched";
    FAILS_WITH(CUPRUM_ERROR_KERNEL_NOT_FOUND, cuprum_object_code_lowered_name(&lowered, code, "scale<int>"));
    MESSAGE_HAS("scale<double>");
    CHECK_TEXT("untouched", lowered);
    SUCCEEDS(cuprum_object_code_kernel_count(&count, code));
    CHECK(count == 2);
    SUCCEEDS(cuprum_object_code_get_kernel(&kernel, code, "scale<float>"));
    SUCCEEDS(cuprum_kernel_destroy(kernel));
    SUCCEEDS(cuprum_object_code_destroy(code));
    SUCCEEDS(cuprum_program_destroy(program));
}

void test_object_code_from_ptx(void) {
    struct saxpy saxpy;
    cuprum_object_code ptx = NULL;
    cuprum_object_code copy = NULL;
    const void* data = NULL;
    uint64_t size = 0;
    int32_t type = -1;
    const char* name = NULL;
    if (open_saxpy(&saxpy) == 0) {
        SUCCEEDS(cuprum_program_compile(&ptx, saxpy.program, CUPRUM_CODE_PTX, NULL, 0));
        SUCCEEDS(cuprum_object_code_type(&type, ptx));
        CHECK(type == CUPRUM_CODE_PTX);
        SUCCEEDS(cuprum_object_code_bytes(&data, &size, ptx));
        CHECK(size > 100 && strlen((const char*)data) == size && strstr((const char*)data, ".entry saxpy") != NULL);
        SUCCEEDS(cuprum_object_code_create(&copy, data, size + 1, CUPRUM_CODE_PTX, "copy")); /* with its NUL */
        SUCCEEDS(cuprum_object_code_destroy(ptx));
        SUCCEEDS(cuprum_object_code_kernel_name(&name, copy, 0));
        CHECK_TEXT("saxpy", name);
        SUCCEEDS(cuprum_kernel_destroy(saxpy.kernel));
        saxpy.kernel = NULL;
        SUCCEEDS(cuprum_object_code_get_kernel(&saxpy.kernel, copy, "saxpy"));
        SUCCEEDS(cuprum_object_code_destroy(copy));
        check_saxpy_works(&saxpy, 1000);
    }
    close_saxpy(&saxpy);
}

void test_kernel_queries(void) {
    struct saxpy saxpy;
    cuprum_kernel_attributes attributes;
    const char* name = NULL;
    uint64_t native = 0;
    uint64_t offset = 0;
    uint64_t size = 0;
    uint32_t count = 0;
    int32_t blocks = -1;
    if (open_saxpy(&saxpy) == 0) {
        SUCCEEDS(cuprum_kernel_name(&name, saxpy.kernel));
        CHECK_TEXT("saxpy", name);
        SUCCEEDS(cuprum_kernel_native(&native, saxpy.kernel));
        CHECK(native != 0);
        SUCCEEDS(cuprum_kernel_argument_count(&count, saxpy.kernel));
        CHECK(count == 4);
        SUCCEEDS(cuprum_kernel_argument_info(&offset, &size, saxpy.kernel, 2));
        CHECK(offset == 16 && size == 8);
        SUCCEEDS(cuprum_kernel_argument_info(&offset, &size, saxpy.kernel, 3));
        CHECK(offset == 24 && size == 4);
        FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_kernel_argument_info(&offset, &size, saxpy.kernel, 4));
        MESSAGE_HAS("takes 4 arguments");
        CHECK(offset == 24 && size == 4);
        memset(&attributes, 0, sizeof attributes);
        attributes.struct_size = sizeof attributes;
        SUCCEEDS(cuprum_kernel_attributes_get(&attributes, saxpy.kernel, 0));
        CHECK(attributes.max_threads_per_block >= 32 && attributes.max_threads_per_block <= 1024);
        SUCCEEDS(cuprum_kernel_max_active_blocks(&blocks, saxpy.kernel, 0, 256, 0));
        CHECK(blocks >= 1);
        SUCCEEDS(cuprum_kernel_available_dynamic_shared_memory_per_block(&size, saxpy.kernel, 0, 1, 256));
        CHECK(size == 49152);
        SUCCEEDS(cuprum_kernel_set_max_dynamic_shared_size(saxpy.kernel, 0, 49152));
    }
    close_saxpy(&saxpy);
}

void test_fill_and_copy(void) {
    cuprum_stream stream = NULL;
    cuprum_stream fallback = NULL;
    cuprum_buffer first = NULL;
    cuprum_buffer second = NULL;
    cuprum_buffer empty = NULL;
    uint32_t words[64];
    uint64_t size = 1;
    uint64_t address = 0;
    int index;
    SUCCEEDS(cuprum_stream_create(&stream, 0, NULL));
    SUCCEEDS(cuprum_stream_default(&fallback, 0));
    SUCCEEDS(cuprum_buffer_allocate(&first, 0, sizeof words, stream));
    SUCCEEDS(cuprum_buffer_allocate(&second, 0, sizeof words, fallback)); /* a borrowed stream */
    SUCCEEDS(cuprum_buffer_fill(first, 0xDEADBEEF, 4, stream));
    SUCCEEDS(cuprum_stream_sync(stream));
    SUCCEEDS(cuprum_buffer_fill(second, 0x11, 1, NULL));
    SUCCEEDS(cuprum_buffer_copy(second, 128, first, 0, 64, NULL));
    SUCCEEDS(cuprum_buffer_copy_to_host(words, second, 0, sizeof words, NULL));
    for (index = 0; index < 64; ++index) {
        const int is_copied = index >= 32 && index < 48;
        if (words[index] != (is_copied ? 0xDEADBEEFu : 0x11111111u)) {
            break;
        }
    }
    CHECK(index == 64);
    SUCCEEDS(cuprum_buffer_copy(first, 0, second, 0, 4, stream));
    SUCCEEDS(cuprum_buffer_copy_to_host(words, first, 0, 8, stream));
    SUCCEEDS(cuprum_stream_sync(stream));
    CHECK(words[0] == 0x11111111u && words[1] == 0xDEADBEEFu);
    SUCCEEDS(cuprum_buffer_native(&address, first));
    CHECK(address != 0);

    SUCCEEDS(cuprum_buffer_allocate(&empty, 0, 0, NULL));
    SUCCEEDS(cuprum_buffer_size(&size, empty));
    CHECK(size == 0);
    SUCCEEDS(cuprum_buffer_copy_from_host(empty, 0, NULL, 0, NULL));
    SUCCEEDS(cuprum_buffer_destroy(empty));

    /* A buffer keeps the stream it is freed in: the stream's handle may go first. */
    SUCCEEDS(cuprum_stream_destroy(stream));
    SUCCEEDS(cuprum_buffer_destroy(first));
    SUCCEEDS(cuprum_buffer_destroy(second));
    SUCCEEDS(cuprum_stream_destroy(fallback));
}

void test_report(void) {
    const char* json = "";
    const char* path = "";
    const char* found_via = "";
    SUCCEEDS(cuprum_info_json(&json));
    CHECK(json[0] == '{' && json[strlen(json) - 1] == '}');
    CHECK(strstr(json, "\"driver\":{\"path\":\"/") != NULL);
    CHECK(strstr(json, "\"devices\":[{\"id\":0,") != NULL);
    CHECK(strstr(json, "\"name\":\"nvrtc\",\"path\":\"/") != NULL);
    SUCCEEDS(cuprum_find_library(&path, &found_via, "nvrtc"));
    CHECK(path[0] == '/' && strstr(path, "libnvrtc") != NULL);
    CHECK(found_via[0] != '\0' && found_via != path);
    SUCCEEDS(cuprum_find_library(&path, NULL, "cuda"));
    SUCCEEDS(cuprum_find_header_directory(&path, &found_via, "cudart"));
    CHECK(path[0] == '/');
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_find_library(&path, NULL, "no_such_library"));
    MESSAGE_HAS("nvrtc"); /* the names that there are */
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_add_wheel_directory("relative/folder"));
    SUCCEEDS(cuprum_add_wheel_directory("/a/folder/that/is/not/there"));
    SUCCEEDS(cuprum_find_library(&path, NULL, "nvrtc"));
}
